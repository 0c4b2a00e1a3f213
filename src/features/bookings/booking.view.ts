import Type from 'typebox'
import type { Entity } from '../../catalogue/entity.ts'
import { recordSql } from '../../imports/records/record-sql.ts'
import { seesWhole } from '../../imports/visible.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, Money, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { DERIVING, staysSold } from './amend-booking.ts'
import type { BookingKind } from './booking-kind.ts'
import { ID_ATTRIBUTES } from './id-attributes.ts'
import { BOOKING_STATES } from './reads/booking-states.ts'
import { CANCELLED, type Moves } from './status.ts'

const ITEMS = 1000
const NAMES = 200
const LOCKS = ['invoiced', 'cancelled'] as const

/** The attributes of a vertical's bookings that the role may change, unless the booking is locked. */
const changeable = ({ fields }: Entity, policies: Policies, only: (name: string) => boolean): string[] =>
  Object.entries(fields)
    .filter(([name, field]) => name !== 'external_id' && name !== 'status' && seesWhole(policies, field) && only(name))
    .map(([name]) => ID_ATTRIBUTES[name] ?? name)

/** The moves of an invoiced booking, whose invoice stands or is credited. */
const invoicedMoves = (moves: Moves): Moves =>
  Object.fromEntries(
    Object.entries(moves).map(([from, to = []]) => [from, to.filter((one) => one === CANCELLED || staysSold(one))]),
  )
const movesSql = (moves: Moves) => `'${JSON.stringify(moves)}'::jsonb`

/** Whether a role may not change an attribute because costs that it does not see could be computed from the new price. */
const derives = (policies: Policies, name: string) =>
  !policies.has('view_costs') && DERIVING.some((deriving) => deriving === name)

const LOCK = `case when t.status = '${CANCELLED}' then 'cancelled' when t.invoiced then 'invoiced' end`
const textArray = (names: readonly string[]) => `array[${quoted(names)}]::text[]`

const money = (column: string, currency: string, isShown: boolean) =>
  isShown ? `money_text(${column}, ${currency})` : 'null'
const PAID = `(select coalesce(sum(p.amount), 0) from customer_payments p
  where p.account_id = i.account_id and p.invoice_id = i.id)`
const REVERSED = 'exists (select from customer_invoices n where n.account_id = i.account_id and n.reverses_id = i.id)'
/** The posted documents of a booking `t`, the earliest first. */
function documentsSql(policies: Policies): string {
  const sell = policies.has('view_money')
  const cost = sell && policies.has('view_costs')
  return `(select coalesce(json_agg(row_to_json(d) order by d.issued_on, d.type, d.number), '[]') from (
    select i.id, i.document_type as type, i.number, i.issued_on, i.due_on, i.currency, ${money('i.gross', 'i.currency', sell)} as gross,
      ${money(PAID, 'i.currency', sell)} as paid, case when ${REVERSED} then 'reversed' else 'posted' end as status, i.reverses_id
    from customer_invoices i where i.account_id = t.account_id and i.booking_id = t.id
    union all
    select s.id, 'supplier_bill', s.bill_number, s.issued_on, s.due_on, s.currency, ${money('s.total_amount', 's.currency', cost)},
      ${money('coalesce(s.paid_amount, 0)', 's.currency', cost)}, s.status, null
    from supplier_bills s where s.account_id = t.account_id and s.booking_id = t.id and s.deleted_at is null) d)`
}
const BookingDocument = Type.Object({
  id: Uuid,
  type: enumOf(['invoice', 'credit_note', 'supplier_bill']),
  number: Text(200),
  issued_on: Day,
  due_on: maybe(Day),
  currency: Text(3),
  gross: maybe(Money),
  paid: maybe(Money),
  status: Text(60),
  reverses_id: maybe(Uuid),
})

const TRIPS = `(select coalesce(json_agg(json_build_object('id', p.id, 'reference_number', p.reference_number, 'title', p.title,
    'segments', (select count(*) from trip_segments s where s.account_id = p.account_id and s.trip_id = p.id and s.booking_id = t.id))), '[]')
  from trip_bookings f join trips p on p.account_id = f.account_id and p.id = f.trip_id
  where f.account_id = t.account_id and f.booking_id = t.id)`
const CAPTURES = `(select coalesce(json_agg(json_build_object('id', c.id, 'document_action', c.document_action, 'format', c.format,
    'status', c.status, 'created_at', ${instantSql('c.created_at')}) order by c.created_at, c.id), '[]')
  from ticket_captures c where c.account_id = t.account_id and c.ticket_sale_id = t.id)`

/** A whole booking of a vertical, over `t` and the vertical's own table `o`. */
export const bookingView = (kinds: readonly BookingKind[], { entity, moves, priceIn }: BookingKind): View => ({
  id: { sql: 't.id', schema: Uuid },
  vertical: { sql: 't.entity', schema: enumOf(kinds.map((kind) => kind.entity.key)) },
  version: { sql: 't.version', schema: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) },
  record: {
    sql: (policies) => recordSql(entity, policies),
    schema: Type.Union(
      kinds.map((kind) => Type.Unsafe<object>({ $ref: `#/components/schemas/${kind.entity.model}Record` })),
      { description: 'The booking as the records feed shows it.' },
    ),
  },
  advisor: { sql: seatSql('t.assigned_to_id', 't.account_id'), schema: maybe(Seat) },
  next_statuses: {
    sql: `coalesce((case when t.invoiced then ${movesSql(invoicedMoves(moves))} else ${movesSql(moves)} end) -> t.status, '[]')`,
    schema: Type.Array(enumOf(Object.keys(BOOKING_STATES)), { maxItems: NAMES }),
  },
  locked: {
    sql: LOCK,
    schema: maybe({ ...enumOf(LOCKS), description: 'Why only the notes can be changed.' }),
  },
  editable: {
    sql: (policies) =>
      `case when ${LOCK} is null then ${textArray(changeable(entity, policies, (name) => priceIn(name) !== 'all'))} else array['notes'] end`,
    schema: { ...Texts(NAMES, 60), description: 'The attributes that an update takes from this role.' },
  },
  priced_by: {
    sql: (policies) =>
      `case when ${LOCK} is null then ${textArray(changeable(entity, policies, (name) => priceIn(name) !== 'none' && !derives(policies, name)))} else array[]::text[] end`,
    schema: {
      ...Texts(NAMES, 60),
      description: 'The attributes that `POST /bookings/{id}/price` takes from this role.',
    },
  },
  documents: { sql: documentsSql, schema: Type.Array(BookingDocument, { maxItems: ITEMS }) },
  trips: {
    sql: (policies) => (policies.has('view_trips') ? TRIPS : 'null'),
    schema: maybe(
      Type.Array(
        Type.Object({
          id: Uuid,
          reference_number: maybe(Text(40)),
          title: Text(200),
          segments: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Derived from this booking.' }),
        }),
        { maxItems: ITEMS },
      ),
    ),
  },
  captures: {
    sql: (policies) => (policies.has('import_tickets') ? CAPTURES : 'null'),
    schema: maybe(
      Type.Array(
        Type.Object({
          id: Uuid,
          document_action: maybe(Text(60)),
          format: Text(60),
          status: Text(60),
          created_at: Instant,
        }),
        { maxItems: ITEMS, description: 'The files of the ticket printer that told of this sale.' },
      ),
    ),
  },
})
