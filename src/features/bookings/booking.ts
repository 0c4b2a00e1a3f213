import { defineEntity, type Entity } from '../../catalogue/entity.ts'
import type { Field, Issue } from '../../catalogue/kind.ts'
import { currency, date, decimal, oneOf, reference, string } from '../../catalogue/kinds.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import { amendBooking, notInvoiced } from './amend.ts'
import { linesField, travelersField } from './lines.ts'
import { type GivenLine, price } from './pricing.ts'
import { CANCELLED, invoicing, type Machine } from './status.ts'

const NOTES_MAXIMUM = 10_000

const customer = reference({
  to: 'customers',
  table: 'customers',
  by: [
    { name: 'external_id', column: 'external_id' },
    { name: 'email', column: 'email_key', lowered: true },
  ],
  column: 'customer_id',
  onMissing: 'skip',
})
const supplier = reference({
  to: 'suppliers',
  table: 'suppliers',
  by: [
    { name: 'external_id', column: 'external_id' },
    { name: 'code', column: 'code' },
  ],
  column: 'supplier_id',
  onMissing: 'skip',
})
const seat = reference(
  {
    to: 'seats',
    table: 'seats',
    by: [{ name: 'email', column: 'email_key', lowered: true }],
    column: 'assigned_to_id',
    onMissing: 'skip',
    missing: 'unknown_seat',
  },
  'email',
)

/** The fields that all bookings have, in the table that all share. */
const shared = {
  currency: { ...currency },
  customer_external_id: customer,
  supplier_external_id: supplier,
  assigned_to_email: { ...seat, note: 'A seat of the account.' },
  notes: string(NOTES_MAXIMUM),
  rate_basis: {
    ...oneOf('net', 'commissionable'),
    note: 'net: cost is given and sell derived. commissionable: the reverse.',
  },
  margin_mode: { ...oneOf('percent', 'amount') },
  margin_value: { ...decimal, sees: 'costs', note: 'A percentage or an amount, by margin_mode.' },
  option_date: date,
  transaction_date: { ...date, note: 'The exchange-rate anchor; the day of the import when omitted.' },
  invoice_date: date,
  balance_due_on: date,
  cost_lines: linesField('cost'),
  sell_lines: linesField('sell'),
  travelers: travelersField,
} satisfies Record<string, Field>

type Booking = Pick<Entity, 'key' | 'label' | 'model' | 'dependencyOrder' | 'sample' | 'fields'> & {
  readonly machine: Machine
  readonly statuses: readonly [string, ...string[]]
  /** Fields that the price derives from, beside the lines. */
  readonly priceFrom: readonly string[]
  check(record: Values): readonly Issue[]
  /** Sell lines that follow from the vertical's own fields, e.g. a stay's rooms. */
  ownLines(record: Values): readonly GivenLine[]
}

/** A vertical: a booking with fields and states of its own. Its table is named after its key. */
export function defineBooking({ machine, statuses, priceFrom, ownLines, fields, ...rest }: Booking): Entity {
  return defineEntity({
    ...rest,
    scope: 'company',
    mode: 'create_once',
    table: rest.key,
    base: { table: 'bookings', fields: ['status', ...Object.keys(shared)] },
    status: 't.status',
    statuses,
    summary: {
      customer: 't.customer_id',
      supplier: 't.supplier_id',
      currency: 't.currency',
      totals: { sell: 't.sell_total', cost: 't.cost_total', margin: 't.margin_total', vat: 't.vat_total' },
      invoiced: 't.invoiced',
      cancelledAt: 't.cancelled_at',
    },
    fields: { ...fields, status: { ...oneOf(...statuses), default: 'draft' }, ...shared },
    computed: {
      sell_total: 'numeric',
      cost_total: 'numeric',
      margin_total: 'numeric',
      vat_total: 'numeric',
      invoiced: 'boolean',
      cancelled_at: 'timestamptz',
    },
    child: {
      table: 'booking_lines',
      owner: 'booking_id',
      columns: {
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
      },
    },
    complete(record, id, context) {
      const bookingCurrency = String(record.currency ?? context.currency)
      const priced = price({
        currency: bookingCurrency,
        rate_basis: record.rate_basis as 'net' | 'commissionable' | null,
        margin_mode: record.margin_mode as 'percent' | 'amount' | null,
        margin_value: record.margin_value as string | null,
        sell: (record.sell_lines ?? []) as GivenLine[],
        cost: (record.cost_lines ?? []) as GivenLine[],
        rooms: ownLines(record),
      })
      if (priced === null) return { columns: {}, children: [], warnings: [], errors: [tooLarge] }
      const { lines, totals } = priced
      const invoiced = invoicing(machine, record as { status: unknown; invoice_date: unknown; customer_id: unknown })
      return {
        columns: {
          currency: bookingCurrency,
          transaction_date: record.transaction_date ?? context.today,
          sell_total: totals?.sell ?? null,
          cost_total: totals?.cost ?? null,
          margin_total: totals?.margin ?? null,
          vat_total: totals?.vat ?? null,
          invoiced: invoiced === 'invoiced',
          cancelled_at: record.status === CANCELLED ? context.now : null,
        },
        children: lines.map((line, position) => ({ booking_id: id, position, ...line })),
        warnings: [...(totals ? [] : [rateMissing]), ...(invoiced === 'no_customer' ? [notInvoiced] : [])],
        errors: [],
      }
    },
    amend: (stored, given, context) => amendBooking({ machine, priceFrom }, stored, given, context),
  })
}

const rateMissing: Issue = {
  at: 'currency',
  code: 'exchange_rate_missing',
  message: 'Some lines are in another currency and have no exchange rate; the totals stay empty.',
}
const tooLarge: Issue = {
  at: 'sell_lines',
  code: 'out_of_range',
  message: 'The lines add up to more than 15 digits. Send smaller amounts.',
}
