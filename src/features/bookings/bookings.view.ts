import Type from 'typebox'
import { instantSql, seatSql, type View } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, Money, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { personal, restrictedSql } from '../customers/reads/restricted.ts'
import { BOOKING_STATES } from './reads/booking-states.ts'

const NAME_LENGTH = 2000
const NamedRecord = Type.Object({ id: Uuid, external_id: maybe(Text(NAME_LENGTH)), name: maybe(Text(NAME_LENGTH)) })
const Amount = maybe(Money)

const CUSTOMER = 'from customers c where c.account_id = t.account_id and c.id = t.customer_id and c.deleted_at is null'
const named = (name: string) => `json_build_object('id', c.id, 'external_id', c.external_id, 'name', ${name})`
const nameField = personal(restrictedSql('c'), 'c.name', Text(NAME_LENGTH))
const money = (column: string, needs: 'view_money' | 'view_costs') => ({
  sql: `money_text(t.${column}, t.currency)`,
  schema: Amount,
  needs: needs === 'view_costs' ? (['view_money', 'view_costs'] as const) : (['view_money'] as const),
})

/** A booking `t` of any vertical, in a list. */
export const bookingItem = (verticals: readonly string[]): View => ({
  id: { sql: 't.id', schema: Uuid },
  vertical: { sql: 't.entity', schema: enumOf(verticals) },
  external_id: { sql: 't.external_id', schema: maybe(Text(200)) },
  source_system: { sql: 't.source_system', schema: maybe(Text(60)) },
  status: { sql: 't.status', schema: enumOf(Object.keys(BOOKING_STATES)) },
  company_id: { sql: 't.company_id', schema: Uuid },
  branch_id: { sql: 't.branch_id', schema: maybe(Uuid) },
  customer: {
    sql: (policies) =>
      `(select ${named(typeof nameField.sql === 'string' ? nameField.sql : nameField.sql(policies))} ${CUSTOMER})`,
    schema: maybe(NamedRecord),
  },
  supplier: {
    sql: `(select ${named('c.name')} from suppliers c
      where c.account_id = t.account_id and c.id = t.supplier_id and c.deleted_at is null)`,
    schema: maybe(NamedRecord),
  },
  advisor: { sql: seatSql('t.assigned_to_id', 't.account_id'), schema: maybe(Seat) },
  travels_on: { sql: 't.travels_on', schema: maybe({ ...Day, description: 'First day of travel.' }) },
  destination: { sql: 't.destination', schema: maybe(Text(500)) },
  transaction_date: { sql: 't.transaction_date', schema: Day },
  option_date: { sql: 't.option_date', schema: maybe(Day) },
  invoice_date: { sql: 't.invoice_date', schema: maybe(Day) },
  invoiced: { sql: 't.invoiced', schema: Type.Boolean() },
  pnr: {
    sql: `(select o.pnr from tickets o where o.account_id = t.account_id and o.id = t.id)`,
    schema: maybe({ ...Text(20), description: 'Of tickets alone.' }),
  },
  currency: { sql: 't.currency', schema: Text(3) },
  sell: money('sell_total', 'view_money'),
  cost: money('cost_total', 'view_costs'),
  margin: money('margin_total', 'view_costs'),
  vat: money('vat_total', 'view_money'),
  version: { sql: 't.version', schema: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
  cancelled_at: { sql: `${instantSql('t.cancelled_at')}`, schema: maybe(Instant) },
})
