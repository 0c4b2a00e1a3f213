import type { Amendment, RowContext, Stored } from '../../catalogue/entity.ts'
import type { Issue } from '../../catalogue/kind.ts'
import type { Values } from '../../catalogue/read-cells.ts'
import { currencyDigits, fixed, print, round } from '../../platform/money.ts'
import { CANCELLED, invoicing, isMove, type Machine } from './status.ts'

/** Fields whose change means another price, beside lines and rooms. */
const PRICE_FIELDS = new Set(['currency', 'rate_basis', 'margin_mode', 'margin_value'])
const LINE_FIELDS = new Set(['sell_lines', 'cost_lines'])
const LINE_CELLS = ['kind', 'label', 'vat_rate', 'tax_inclusive', 'quantity']
/** The cells of a row that fill these columns. */
const CELLS: Readonly<Record<string, string>> = {
  customer_id: 'customer_external_id',
  supplier_id: 'supplier_external_id',
  assigned_to_id: 'assigned_to_email',
}
/** What has a default of its own when a row empties it, so that emptying changes nothing. */
const NEVER_EMPTY = new Set(['currency', 'transaction_date'])

export type AmendRules = {
  readonly machine: Machine
  /** Fields that the price was derived from; changing them keeps it, with a warning. */
  readonly priceFrom: readonly string[]
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
    ...asked.filter((name) => isPrice(name, wanted[name], stored)).map(pricingRefused),
    ...moveRefused(rules.machine, stored, wanted),
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

function isPrice(name: string, value: unknown, stored: Stored): boolean {
  if (PRICE_FIELDS.has(name) || LINE_FIELDS.has(name)) return true
  if (name !== 'rooms') return false
  const amounts = (room: Values) => {
    const currency = room.single_supplement_currency ?? stored.currency
    const supplement = shown(room.single_supplement_amount, currency)
    return [shown(room.nightly_rate, stored.currency), supplement, supplement && currency]
  }
  const text = (rooms: unknown) => cellsText((rooms ?? []) as Values[], [], amounts)
  return text(value) !== text(stored.rooms)
}

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

function moveRefused({ moves, firm }: Machine, { status }: Stored, wanted: Values): Issue[] {
  if (wanted.status === undefined || isMove({ moves, firm }, status, String(wanted.status))) return []
  const message = `A booking that is ${status} cannot become ${wanted.status}.`
  return [{ at: 'status', code: 'invalid_transition', message, allowed: moves[status] ?? [] }]
}

/** What follows from the changes: the invoice, the cancellation, and a price that no longer fits its dates. */
function consequences(
  { machine, priceFrom }: AmendRules,
  stored: Stored,
  wanted: Values,
  { now }: RowContext,
): Pick<Amendment, 'changes' | 'warnings'> {
  const invoiced = invoicing(machine, {
    status: stored.status,
    invoice_date: stored.invoice_date,
    customer_id: stored.customer_id,
    ...wanted,
  })
  const warnings: Issue[] = priceFrom
    .filter((name) => name in wanted)
    .map((at) => ({
      at,
      code: 'price_not_recalculated',
      message: 'The price stays as it was. Cancel and create anew for another.',
    }))
  if (invoiced === 'no_customer') warnings.push(notInvoiced)
  return {
    warnings,
    changes: {
      ...wanted,
      invoiced: invoiced === 'invoiced',
      ...(wanted.status === CANCELLED && { cancelled_at: now }),
    },
  }
}

export const notInvoiced: Issue = {
  at: 'customer_external_id',
  code: 'not_invoiced',
  message: 'The booking has an invoice date and no customer to invoice.',
}
const amendmentRefused = (name: string, state: string): Issue => ({
  at: CELLS[name] ?? name,
  code: 'amendment_refused',
  message: `The booking is ${state}; only its notes can change.`,
})
const pricingRefused = (at: string): Issue => ({
  at,
  code: 'pricing_not_amendable',
  message: 'A re-send cannot change the price. Cancel and create anew, or price it in the application.',
})
