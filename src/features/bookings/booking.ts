import { defineEntity, type Entity } from '../../catalogue/entity.ts'
import type { Field, Issue } from '../../catalogue/kind.ts'
import { currency, date, decimal, oneOf, reference, string } from '../../catalogue/kinds.ts'
import type { Fields, Values } from '../../catalogue/read-cells.ts'
import type { Importable, Written } from '../../imports/importable.ts'
import { restrictedSql } from '../../imports/records/restricted.ts'
import type { Completed, RowAhead, RowContext, Rules, Stored } from '../../imports/rules.ts'
import type { AccountTx } from '../../platform/db/database.ts'
import { keepTravelers } from '../customers/commands/keep-travelers.ts'
import { postInvoices } from '../documents/commands/post-invoices.ts'
import { reverseInvoices } from '../documents/commands/reverse-invoices.ts'
import { customerReference, supplierReference } from '../references.ts'
import { amendBooking } from './amend.ts'
import { anchorRates, type RatesOfDay } from './anchor-rates.ts'
import { keptBookings } from './kept-bookings.ts'
import { linesField, travelersField } from './lines.ts'
import { type GivenLine, type OwnLine, price } from './pricing.ts'
import { CANCELLED, invoicing, type Machine, notInvoiced } from './status.ts'

const NOTES_MAXIMUM = 10_000

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
  customer_external_id: customerReference(),
  supplier_external_id: supplierReference('skip'),
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

/** What the vertical adds to a record as it would be: errors, warnings, and what its own fields lead to. */
export type Inspection = {
  readonly errors?: readonly Issue[]
  readonly warnings?: readonly Issue[]
  readonly derived?: Values
  /** As that of an amendment. */
  accept?(): void
}
export type VerticalRules = {
  /** Lines that follow from the vertical's own fields. */
  lines?(record: Values): { readonly sell: readonly OwnLine[]; readonly cost: readonly OwnLine[] }
  /** A record that is made, or amended: then `stored` is what it was. */
  inspect?(record: Values, stored: Stored | null): Inspection
}

type Vertical = Pick<Entity, 'key' | 'label' | 'model' | 'dependencyOrder' | 'sample' | 'fields'> &
  Partial<Pick<Entity, 'derived'>> & {
    readonly machine: Machine
    readonly statuses: readonly [string, ...string[]]
    /** Of the shared fields, those that the vertical does not take. */
    readonly without?: readonly (keyof typeof shared)[]
    /** The state of a record whose row names none; `draft` when omitted. */
    readonly opening?: (record: Values) => string
    /** The field that holds those who travel, where it is another. */
    readonly travelersIn?: string
    /** Fields that the price derives from, beside the lines. */
    readonly priceFrom?: readonly string[]
    /** Fields of the vertical that are amounts of its price. */
    readonly priceFields?: readonly string[]
    check?(record: Values): readonly Issue[]
    /** The vertical's own rules over the rows of a wave, with what it had to look up for them. */
    rules?(tx: AccountTx, rows: readonly RowAhead[]): VerticalRules | Promise<VerticalRules>
    settle?(tx: AccountTx, written: readonly Written[]): Promise<void>
    /** Gives back what deleted bookings held. */
    readonly release?: (tx: AccountTx, deleted: readonly string[]) => Promise<void>
  }

const inDraft = () => 'draft'
/** Lines of a vertical's own fields: more are nobody's sale, and would keep everybody waiting. */
const MAXIMUM_OWN_LINES = 1000
const NO_LINES = { sell: [], cost: [] }

/** A vertical: a booking with fields and states of its own. Its table is named after its key. */
export function defineBooking(vertical: Vertical): Importable {
  const { machine, statuses, opening = inDraft, without = [], priceFields = [], ...other } = vertical
  const priceFrom = [...(other.priceFrom ?? []), 'transaction_date']
  const { priceFrom: _, rules, settle, release, fields, travelersIn = 'travelers', ...rest } = other
  const taken: Fields = Object.fromEntries(
    Object.entries(shared).filter(([name]) => !without.includes(name as keyof typeof shared)),
  )
  const entity = defineEntity({
    ...rest,
    scope: 'company',
    mode: 'create_once',
    table: rest.key,
    base: { table: 'bookings', fields: ['status', ...Object.keys(taken)] },
    status: 't.status',
    statusField: 'status',
    statuses,
    summary: {
      customer: 't.customer_id',
      supplier: 't.supplier_id',
      totals: { sell: 't.sell_total', cost: 't.cost_total', margin: 't.margin_total', vat: 't.vat_total' },
      companyTotals: {
        currency: 't.company_currency',
        sell: 't.company_sell',
        cost: 't.company_cost',
        margin: 't.company_margin',
        vat: 't.company_vat',
      },
      invoiced: 't.invoiced',
      cancelledAt: 't.cancelled_at',
    },
    fields: {
      ...fields,
      status: { ...oneOf(...statuses), ...(opening === inDraft && { default: 'draft' }) },
      ...taken,
    },
    computed: BOOKING_COLUMNS,
    restricted: `exists (select from customers c where c.account_id = t.account_id and c.id = t.customer_id and ${restrictedSql('c')})`,
    child: { table: 'booking_lines', owner: 'booking_id', columns: LINE_COLUMNS },
  })
  return {
    entity,
    async rules(tx, rows, context): Promise<Rules> {
      const [rates, own] = await Promise.all([anchorRates(tx, rows, context), rules?.(tx, rows) ?? {}])
      return {
        complete: (record, id) =>
          makeBooking(machine, own, rates, { ...record, status: record.status ?? opening(record) }, id, context),
        amend(stored, asked) {
          const wanted = withStatus(asked, stored, opening)
          const amendment = amendBooking({ machine, priceFrom, priceFields, fields }, stored, wanted, context)
          if (amendment.errors.length > 0 || Object.keys(amendment.changes).length === 0) return amendment
          const record = { ...stored, ...amendment.changes }
          const { errors = [], warnings = [], derived = {}, accept } = own.inspect?.(record, stored) ?? {}
          return {
            changes: { ...amendment.changes, ...derived },
            errors,
            warnings: [...amendment.warnings, ...warnings],
            ...(accept && { accept }),
          }
        },
      }
    },
    async settle(tx, written, { today }) {
      await keepTravelers(tx, written, travelersIn)
      await settle?.(tx, written)
      await postInvoices(tx, written.filter(({ values, before }) => values.invoiced && !before?.invoiced).map(idOf))
      await reverseInvoices(
        tx,
        written.filter(({ values, before }) => before?.invoiced && values.status === CANCELLED).map(idOf),
        today,
      )
    },
    undo: { ...keptBookings, ...(release && { settle: release }) },
  }
}

const idOf = ({ id }: Written) => id

/** A status that a row empties is the one in which the booking would open. */
function withStatus(wanted: Values, stored: Stored, opening: (record: Values) => string): Values {
  if (wanted.status !== null) return wanted
  const { status: _, ...others } = wanted
  const status = opening({ ...stored, ...others })
  return status === stored.status ? others : { ...others, status }
}

/** What all bookings keep beside their fields. */
const BOOKING_COLUMNS = {
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
}
const LINE_COLUMNS = {
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

function makeBooking(
  machine: Machine,
  own: VerticalRules,
  rates: RatesOfDay,
  record: Values,
  id: string,
  { currency: companyCurrency, today, now }: RowContext,
): Completed {
  const { errors = [], warnings = [], derived = {}, accept } = own.inspect?.(record, null) ?? {}
  const bookingCurrency = String(record.currency ?? companyCurrency)
  const ownLines = own.lines?.({ ...record, currency: bookingCurrency }) ?? NO_LINES
  if (ownLines.sell.length + ownLines.cost.length > MAXIMUM_OWN_LINES)
    return { columns: {}, children: [], warnings: [], errors: [...errors, tooManyLines] }
  const anchor = String(record.transaction_date ?? today)
  const priced = price(
    {
      currency: bookingCurrency,
      companyCurrency,
      rate_basis: (record.rate_basis ?? null) as 'net' | 'commissionable' | null,
      margin_mode: (record.margin_mode ?? null) as 'percent' | 'amount' | null,
      margin_value: (record.margin_value ?? null) as string | null,
      sell: (record.sell_lines ?? []) as GivenLine[],
      cost: (record.cost_lines ?? []) as GivenLine[],
      own: ownLines,
    },
    rates(anchor),
  )
  if (priced === null) return { columns: {}, children: [], warnings: [], errors: [...errors, tooLarge] }
  const { lines, totals, companyTotals } = priced
  const sums = {
    sell_total: totals?.sell ?? null,
    cost_total: totals?.cost ?? null,
    margin_total: totals?.margin ?? null,
    vat_total: totals?.vat ?? null,
  }
  const state = invoicing(machine, { ...record, ...sums })
  return {
    columns: {
      status: record.status,
      currency: bookingCurrency,
      transaction_date: anchor,
      ...sums,
      company_currency: companyCurrency,
      company_sell: companyTotals?.sell ?? null,
      company_cost: companyTotals?.cost ?? null,
      company_margin: companyTotals?.margin ?? null,
      company_vat: companyTotals?.vat ?? null,
      invoiced: state === 'invoiced',
      cancelled_at: record.status === CANCELLED ? now : null,
      ...derived,
    },
    children: lines.map((line, position) => ({ booking_id: id, position, ...line })),
    warnings: [
      ...warnings,
      ...(totals && companyTotals ? [] : [rateMissing]),
      ...notInvoiced(state, { ...record, ...sums }),
    ],
    errors,
    ...(accept && { accept }),
  }
}

const rateMissing: Issue = {
  at: 'currency',
  code: 'exchange_rate_missing',
  message: 'There is no exchange rate for all lines on the transaction date; the totals that need it stay empty.',
}
const tooManyLines: Issue = {
  at: 'base',
  code: 'too_long',
  message: `The record comes to more than ${MAXIMUM_OWN_LINES} lines. Split it into several.`,
}
const tooLarge: Issue = {
  at: 'sell_lines',
  code: 'out_of_range',
  message: 'The lines add up to more than 15 digits. Send smaller amounts.',
}
