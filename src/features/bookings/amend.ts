import type { Issue } from '../../catalogue/kind.ts'
import type { Fields, Values } from '../../catalogue/read-cells.ts'
import type { Amendment, RowContext, Stored } from '../../imports/rules.ts'
import { currencyDigits, fixed, print, round } from '../../platform/money.ts'
import { CANCELLED, invoicing, type Machine, moveRefused, notInvoiced } from './status.ts'

/** Fields whose change means another price, beside lines and rooms. */
const PRICE_FIELDS = new Set(['currency', 'rate_basis', 'margin_mode', 'margin_value'])
const LINE_FIELDS = new Set(['sell_lines', 'cost_lines'])
const LINE_CELLS = ['kind', 'label', 'vat_rate', 'tax_inclusive', 'quantity']
/** The cells of a row that fill these columns. */
const CELLS: Readonly<Record<string, string>> = {
  customer_id: 'customer_external_id',
  supplier_id: 'supplier_external_id',
  assigned_to_id: 'assigned_to_email',
  tour_departure_id: 'tour_departure_external_id',
}
const cellOf = (name: string) => CELLS[name] ?? name
/** What has a default of its own when a row empties it, so that emptying changes nothing. */
const NEVER_EMPTY = new Set(['currency', 'transaction_date'])

export type AmendRules = {
  readonly machine: Machine
  /** Fields that the price was derived from; changing them keeps it, with a warning. */
  readonly priceFrom: readonly string[]
  /** Amounts of the price beside the lines. */
  readonly priceFields: readonly string[]
  /** The vertical's own; cells of their items that tell money are amounts of the price too. */
  readonly fields: Fields
}

/**
 * What a row may change of a booking that is there: everything but the price; of an invoiced or cancelled one the
 * notes alone, or, of an invoiced one, its cancellation. A row that asks for more is refused as a whole.
 */
export function amendBooking(rules: AmendRules, stored: Stored, given: Values, context: RowContext): Amendment {
  const wanted = Object.fromEntries(Object.entries(given).filter(([name, value]) => !isSame(name, value, stored)))
  const asked = Object.keys(wanted)
  const locked = lockOf(stored)
  if (locked && !(locked === 'invoiced' && asked.length === 1 && wanted.status === CANCELLED)) {
    const errors = asked.filter((name) => name !== 'notes').map((name) => amendmentRefused(name, locked))
    return { changes: wanted, errors, warnings: [], ...(errors.length > 0 && { reason: locked }) }
  }
  const errors = [
    ...asked.filter((name) => isPrice(rules, name, wanted[name], stored)).map(pricingRefused),
    ...(wanted.status === undefined
      ? []
      : moveRefused(rules.machine.moves, stored.status, String(wanted.status), 'status')),
  ]
  if (asked.length === 0 || errors.length > 0) return { changes: wanted, errors, warnings: [] }
  return { errors, ...consequences(rules, stored, wanted, context) }
}

const lockOf = (stored: Stored): 'cancelled' | 'invoiced' | null => {
  if (stored.status === CANCELLED) return 'cancelled'
  return stored.invoiced ? 'invoiced' : null
}

/** The lines that were given are what a row is compared with, or all as they are shown, for a client that sends back what it read. */
function isSame(name: string, value: unknown, stored: Stored): boolean {
  if (value === null && NEVER_EMPTY.has(name)) return true
  if (!LINE_FIELDS.has(name)) return false
  const all = stored[name] as (Values & { origin: string })[]
  const sent = (value ?? []) as Values[]
  const currency = (line: Values) => line.currency ?? stored.currency
  const text = (lines: readonly Values[]) => cellsText(lines, LINE_CELLS, (line) => [currency(line), line.amount])
  const shownText = (lines: readonly Values[]) =>
    cellsText(lines, LINE_CELLS, (line) => [currency(line), shown(line.amount, currency(line))])
  return text(sent) === text(all.filter(({ origin }) => origin === 'given')) || shownText(sent) === shownText(all)
}

function isPrice({ fields, priceFields }: AmendRules, name: string, value: unknown, stored: Stored): boolean {
  if (PRICE_FIELDS.has(name) || LINE_FIELDS.has(name) || priceFields.includes(name)) return true
  const items = fields[name]?.items
  if (!items) return false
  const text = (list: unknown) => JSON.stringify(pricesOf(items, (list ?? []) as Values[], String(stored.currency)))
  return text(value) !== text(stored[name])
}

/** The amounts in items, as they are shown. Items of which nothing is to compare, such as rooms without a price, are left out. */
function pricesOf(items: Fields, list: readonly Values[], currency: string): unknown[] {
  const cells = Object.entries(items).filter(([, { sees }]) => sees)
  const rows = list.map((item) =>
    cells.flatMap(([name, field]) => {
      const value = item[name] ?? null
      if (value === null) return [null]
      if (field.items) return [cellsOf(field.items, value as Values[], currency)]
      if (field.currencyCell === undefined) return [value]
      const own = field.currencyCell === 'currency' ? currency : String(item[field.currencyCell] ?? currency)
      return [shown(value, own), own === currency ? null : own]
    }),
  )
  return rows.filter((row) => row.some((cell) => cell !== null))
}

const cellsOf = (items: Fields, list: readonly Values[], currency: string): unknown[] =>
  list.map((item) =>
    Object.entries(items).map(([name, { currencyCell }]) => (currencyCell ? shown(item[name], currency) : item[name])),
  )

/** An amount as a record shows it: in the digits of its currency. */
const shown = (amount: unknown, currency: unknown): string | null =>
  typeof amount === 'string' ? print(round(fixed(amount), currencyDigits(String(currency)))) : null

/** Items as comparable text. Those of which nothing is to compare, such as rooms without a price, are left out. */
function cellsText(
  items: readonly Values[],
  cells: readonly string[],
  more: (item: Values) => readonly unknown[],
): string {
  const rows = items.map((item) => [...cells.map((cell) => item[cell] ?? null), ...more(item)])
  return JSON.stringify(rows.filter((row) => row.some((cell) => cell !== null)))
}

/** What follows from the changes: the invoice, the cancellation, and a price that no longer fits its dates. */
function consequences(
  { machine, priceFrom }: AmendRules,
  stored: Stored,
  wanted: Values,
  { now }: RowContext,
): Pick<Amendment, 'changes' | 'warnings'> {
  const record = { ...stored, ...wanted }
  const state = invoicing(machine, record)
  const warnings: Issue[] = priceFrom
    .filter((name) => name in wanted)
    .map((name) => ({
      at: cellOf(name),
      code: 'price_not_recalculated',
      message: 'The price stays as it was. Cancel and create anew for another.',
    }))
  return {
    warnings: [...warnings, ...notInvoiced(state, record)],
    changes: {
      ...wanted,
      invoiced: state === 'invoiced',
      ...(wanted.status === CANCELLED && { cancelled_at: now }),
    },
  }
}

const amendmentRefused = (name: string, state: string): Issue => ({
  at: cellOf(name),
  code: 'amendment_refused',
  message: `The booking is ${state}; only its notes can change.`,
})
const pricingRefused = (at: string): Issue => ({
  at,
  code: 'pricing_not_amendable',
  message: 'A re-send cannot change the price. Cancel and create anew, or price it in the application.',
})
