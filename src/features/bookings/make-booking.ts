import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import type { Completed, RowContext, Stored } from '../../imports/importable.ts'
import type { RatesOfDay } from './anchor-rates.ts'
import { invoicing, notInvoiced } from './invoicing.ts'
import { type GivenLine, type Pricing, price } from './pricing.ts'
import { CANCELLED } from './status.ts'
import { type TravelOf, travelColumns } from './travel.ts'
import type { VerticalRules } from './vertical.ts'

export type MakeRules = {
  readonly own: VerticalRules
  readonly rates: RatesOfDay
  readonly travel: TravelOf | undefined
  readonly context: RowContext
}

/** Maximum number of lines from a vertical's own fields. Larger sales are not realistic and would block others. */
const MAXIMUM_OWN_LINES = 1000
const NO_LINES = { sell: [], cost: [] }

/**
 * A new booking: its price, its invoice, and what its vertical adds. `stored` is the booking as it was, where it is
 * priced again.
 */
export function makeBooking(
  { own, rates, travel, context }: MakeRules,
  record: Values,
  id: string,
  stored: Stored | null = null,
): Completed {
  const { columns: derived, errors = [], warnings = [], ...found } = own.inspect?.(record, stored) ?? {}
  const refused = (issue: Issue): Completed => ({ errors: [...errors, issue] })
  const currency = String(record.currency ?? context.currency)
  const anchor = String(record.transaction_date ?? context.today)
  const ownLines = own.lines?.({ ...record, currency }) ?? NO_LINES
  if (ownLines.sell.length + ownLines.cost.length > MAXIMUM_OWN_LINES) return refused(tooManyLines)
  const priced = price(pricingOf(record, currency, context.currency, ownLines), rates(anchor))
  if (priced === null) return refused(tooLarge)
  const { lines, totals, companyTotals } = priced
  const columns = {
    status: record.status,
    currency,
    transaction_date: anchor,
    sell_total: totals?.sell ?? null,
    cost_total: totals?.cost ?? null,
    margin_total: totals?.margin ?? null,
    vat_total: totals?.vat ?? null,
    company_currency: context.currency,
    company_sell: companyTotals?.sell ?? null,
    company_cost: companyTotals?.cost ?? null,
    company_margin: companyTotals?.margin ?? null,
    company_vat: companyTotals?.vat ?? null,
    cancelled_at: record.status === CANCELLED ? context.now : null,
    ...(travel && travelColumns(travel(record, context.timeZone))),
  }
  const booking = { ...record, ...columns }
  const state = invoicing(booking)
  return {
    ...found,
    columns: { ...columns, invoiced: state === 'invoiced', ...derived },
    children: lines.map((line, position) => ({ booking_id: id, position, ...line })),
    warnings: [...warnings, ...(totals && companyTotals ? [] : [rateMissing]), ...notInvoiced(state, booking)],
    errors,
  }
}

const pricingOf = (record: Values, currency: string, companyCurrency: string, own: Pricing['own']): Pricing => ({
  currency,
  companyCurrency,
  rate_basis: (record.rate_basis ?? null) as Pricing['rate_basis'],
  margin_mode: (record.margin_mode ?? null) as Pricing['margin_mode'],
  margin_value: (record.margin_value ?? null) as string | null,
  sell: (record.sell_lines ?? []) as GivenLine[],
  cost: (record.cost_lines ?? []) as GivenLine[],
  own,
})

const rateMissing: Issue = {
  at: 'currency',
  code: 'exchange_rate_missing',
  message: 'An exchange rate is missing on the transaction date, so the totals that need it are empty.',
}
const tooManyLines: Issue = {
  at: 'base',
  code: 'too_long',
  message: `The record has more than ${MAXIMUM_OWN_LINES} lines. Split it into several records.`,
}
const tooLarge: Issue = {
  at: 'sell_lines',
  code: 'out_of_range',
  message: 'The lines add up to more than 15 digits. Send smaller amounts.',
}
