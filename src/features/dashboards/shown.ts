import Type, { type TSchema } from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { seatSql, type View, type ViewField, viewSchema, viewSql } from '../../platform/db/view.ts'
import { maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'

const TITLE_LENGTH = 200
const NAME_LENGTH = 200

/** A count of records. */
export const CountShape = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

const customerOf = (id: string, shown: string): string =>
  `(select ${shown} from customers c where c.account_id = $account and c.id = ${id} and c.deleted_at is null)`
const asCustomer = (name: string): string => `json_build_object('id', c.id, 'name', ${name})`

export const CustomerLinkShape = maybe(Type.Object({ id: Uuid, name: maybe(Text(NAME_LENGTH)) }))
/** SQL of the customer of an id, given as SQL; the name is null for roles that may not know it. */
export const customerSql = (id: string, policies: Policies): string =>
  customerOf(id, asCustomer(personalSql(restrictedSql('c'), 'c.name', policies)))
/** The same for a reference that identifies the customer: null for roles that may not know it. */
export const knownCustomerSql = (id: string, policies: Policies): string =>
  customerOf(id, personalSql(restrictedSql('c'), asCustomer('c.name'), policies, 'null::json'))
export const customerField = (id: string): ViewField => ({
  sql: (policies) => customerSql(id, policies),
  schema: CustomerLinkShape,
})

/** SQL of the primary customer's id of a trip; `trip` is SQL of the trip's id. */
export const buyerSql = (trip: string): string =>
  `(select x.customer_id from trip_customers x where x.account_id = $account and x.trip_id = ${trip} and x.is_primary)`

/** The title of a trip `t`. */
export const title: ViewField = { sql: 't.title', schema: maybe(Text(TITLE_LENGTH)), needs: ['view_trips'] }
const trip: View = { id: { sql: 't.id', schema: Uuid }, title }
const Trip = viewSchema(trip, 'Trip of a dashboard')
const tripOf = (id: string, schema: TSchema): ViewField => ({
  sql: (policies) => `(select ${viewSql(trip, policies)} from trips t where t.account_id = $account and t.id = ${id})`,
  schema,
})
/** The trip of an id, given as SQL; null if there is none. */
export const linkedTrip = (id: string): ViewField => tripOf(id, maybe(Trip))
/** The same of an id that is never null. */
export const ownTrip = (id: string): ViewField => tripOf(id, Trip)

/** The seat of an id, given as SQL; null if there is none. */
export const seat = (id: string): ViewField => ({ sql: seatSql(id, '$account'), schema: maybe(Seat) })

/** The first rows of a dashboard, in the given order. */
type Ranking = {
  /** What shows of each, over its columns. */
  readonly view: View
  readonly title: string
  /** A query, without an order. */
  readonly rows: string
  /** What the view and the order call a row, in `rows` as well. */
  readonly as: string
  readonly order: string
  readonly limit: number
}
export const ranking = ({ view, title, rows, as, order, limit }: Ranking): ViewField => ({
  sql: (policies) => `(select coalesce(json_agg(${viewSql(view, policies)} order by ${order}), '[]')
    from (${rows} order by ${order} limit ${limit}) ${as})`,
  schema: Type.Array(viewSchema(view, title), { maxItems: limit }),
})
