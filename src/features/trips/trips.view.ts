import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { personalSql, restrictedSql } from '../customers/reads/restricted.ts'
import { tripTravelerNameSql } from './reads/traveler-name.ts'
import { STATUS_SQL, TODAY_SQL, TRIP_STATUSES } from './reads/trip-status.ts'
import { Destinations, TRIP_TYPES } from './reads/trip-types.ts'

const PEOPLE = 10_000
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const Name = maybe(Text(200))
const Preferences = Type.Record(Type.String(), Type.Unknown())

/** The identity of a customer `c` of the trip. */
const identitySql = (column: string, policies: Policies) => personalSql(restrictedSql('c'), `c.${column}`, policies)
const customersOf = (item: string, condition = 'true') =>
  `(select ${item} from trip_customers x join customers c on c.account_id = x.account_id and c.id = x.customer_id
    where x.account_id = t.account_id and x.trip_id = t.id and c.deleted_at is null and ${condition})`
const primarySql = (policies: Policies) =>
  customersOf(`json_build_object('id', c.id, 'name', ${identitySql('name', policies)})`, 'x.is_primary')
const customersSql = (policies: Policies) =>
  customersOf(
    `coalesce(json_agg(json_build_object('id', c.id, 'name', ${identitySql('name', policies)},
      'email', ${identitySql('email', policies)}) order by x.is_primary desc, c.id), '[]')`,
  )
const travelersSql = (policies: Policies) => `
  (select coalesce(json_agg(json_build_object('id', x.id, 'customer_id', c.id, 'name', ${tripTravelerNameSql(policies)},
    'is_lead', x.is_lead) order by x.position, x.id), '[]')
  from trip_travelers x left join customers c on c.account_id = x.account_id and c.id = x.customer_id and c.deleted_at is null
    left join travelers d on d.account_id = x.account_id and d.id = x.traveler_id
  where x.account_id = t.account_id and x.trip_id = t.id)`
const countSql = (table: string) =>
  `(select count(*) from ${table} x where x.account_id = t.account_id and x.trip_id = t.id)`

/** A trip `t` in a list. */
export const tripItem: View = {
  id: { sql: 't.id', schema: Uuid },
  reference_number: { sql: 't.reference_number', schema: maybe(Text(40)) },
  title: { sql: 't.title', schema: Text(200) },
  status: { sql: STATUS_SQL, schema: enumOf(TRIP_STATUSES) },
  trip_type: { sql: 't.trip_type', schema: maybe(enumOf(TRIP_TYPES)) },
  start_date: { sql: 't.start_date', schema: maybe(Day) },
  end_date: { sql: 't.end_date', schema: maybe(Day) },
  duration_nights: { sql: 't.end_date - t.start_date', schema: maybe(Count) },
  destinations: { sql: 't.destinations', schema: Destinations },
  primary_currency: { sql: 't.primary_currency', schema: maybe(Text(3)) },
  cover_image_url: { sql: 't.cover_image_url', schema: maybe(Text(2000)) },
  assigned_advisor: { sql: seatSql('t.assigned_advisor_id', 't.account_id'), schema: maybe(Seat) },
  primary_customer: { sql: primarySql, schema: maybe(Type.Object({ id: Uuid, name: Name })) },
  traveler_count: { sql: countSql('trip_travelers'), schema: Count },
  days_until: {
    sql: `t.start_date - ${TODAY_SQL}`,
    schema: maybe(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  },
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
}

/** The whole trip, without its days. */
export const tripDetail: View = {
  ...tripItem,
  summary: { sql: 't.summary', schema: maybe(Text(10_000)) },
  internal_notes: { sql: 't.internal_notes', schema: maybe(Text(10_000)) },
  settings: { sql: 't.settings', schema: Preferences },
  notification_preferences: { sql: 't.notification_preferences', schema: Preferences },
  account_id: { sql: '(select a.uuid from accounts a where a.account_id = t.account_id)', schema: Uuid },
  company_id: { sql: 't.company_id', schema: Uuid },
  customers: {
    sql: customersSql,
    schema: Type.Array(Type.Object({ id: Uuid, name: Name, email: maybe(Text(254)) }), { maxItems: PEOPLE }),
  },
  travelers: {
    sql: travelersSql,
    schema: Type.Array(Type.Object({ id: Uuid, customer_id: maybe(Uuid), name: Name, is_lead: Type.Boolean() }), {
      maxItems: PEOPLE,
    }),
  },
  day_count: { sql: countSql('trip_days'), schema: Count },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
}
