import { decimal } from '../../catalogue/amounts.ts'
import { pii } from '../../catalogue/entity.ts'
import type { Field, Mark } from '../../catalogue/kind.ts'
import { currency, date, oneOf, reference, string } from '../../catalogue/kinds.ts'
import { list } from '../../catalogue/lists.ts'
import { customerReference } from '../customers/reads/customer-reference.ts'
import { supplierReference } from '../suppliers/reads/supplier-reference.ts'
import { linesField } from './lines.ts'
import { personItems } from './person-items.ts'

const NOTES_MAXIMUM = 10_000

const seat = reference(
  {
    to: 'seats',
    table: 'seats',
    alive: 't.active',
    by: [{ name: 'email', column: 'email_key', lowered: true }],
    column: 'assigned_to_id',
    onMissing: 'skip',
    missing: 'unknown_seat',
  },
  'email',
)

const travelersField: Field = {
  ...pii(list({ ...personItems, frequent_flyer_number: string(40) })),
  note: 'Saved to the customer’s traveller directory.',
}

/** The fields that all bookings have, in the table that all share. */
export const bookingFields = {
  currency: { ...currency },
  customer_external_id: customerReference(),
  supplier_external_id: supplierReference('skip'),
  assigned_to_email: { ...seat, note: 'Id of a seat of the account.' },
  notes: string(NOTES_MAXIMUM),
  rate_basis: {
    ...oneOf('net', 'commissionable'),
    note: '`net`: the cost is given and the sell price is derived. `commissionable`: the reverse.',
  },
  margin_mode: { ...oneOf('percent', 'amount') },
  margin_value: { ...decimal, sees: 'costs', note: 'A percentage or an amount, depending on margin_mode.' },
  option_date: date,
  transaction_date: { ...date, note: 'Date of the exchange rates; the day of the import if omitted.' },
  invoice_date: date,
  balance_due_on: date,
  cost_lines: linesField('cost'),
  sell_lines: linesField('sell'),
  travelers: travelersField,
} satisfies Record<string, Field>

/** The common columns of bookings besides their fields. */
export const BOOKING_COLUMNS = {
  sell_total: 'numeric',
  cost_total: 'numeric',
  margin_total: 'numeric',
  vat_total: 'numeric',
  company_currency: 'text',
  company_sell: 'numeric',
  company_cost: 'numeric',
  company_margin: 'numeric',
  company_vat: 'numeric',
  invoiced: 'boolean',
  cancelled_at: 'timestamptz',
  travels_on: 'date',
  destination: 'text',
  first_issued_on: 'date',
  last_issued_on: 'date',
}
const MONEY: Mark = { sees: 'money' }
const COSTS: Mark = { sees: 'costs' }
/** The policy needed to see them, if any. The days of issue are those of the passengers' documents. */
export const BOOKING_MARKS: Readonly<Partial<Record<keyof typeof BOOKING_COLUMNS, Mark>>> = {
  sell_total: MONEY,
  cost_total: COSTS,
  margin_total: COSTS,
  vat_total: MONEY,
  company_sell: MONEY,
  company_cost: COSTS,
  company_margin: COSTS,
  company_vat: MONEY,
  first_issued_on: { pii: true },
  last_issued_on: { pii: true },
}
export const LINE_COLUMNS = {
  side: 'text',
  position: 'smallint',
  origin: 'text',
  kind: 'text',
  label: 'text',
  amount: 'numeric',
  quantity: 'integer',
  currency: 'text',
  vat_rate: 'numeric',
  tax_inclusive: 'boolean',
  net: 'numeric',
  vat: 'numeric',
  gross: 'numeric',
  rate: 'numeric',
  rate_day: 'date',
  rate_source: 'text',
}
