import type { Fields, Values } from '../../catalogue/read-cells.ts'
import type { Stored } from '../../imports/importable.ts'
import { currencyDigits, fixed, print, round } from '../../platform/money.ts'

export const LINE_FIELDS: ReadonlySet<string> = new Set(['sell_lines', 'cost_lines'])
const LINE_CELLS = ['kind', 'label', 'vat_rate', 'tax_inclusive', 'quantity']

/** A row is compared with the lines as given, or with all lines as shown, for a client that sends back what it read. */
export function areSameLines(stored: Stored, name: string, value: unknown): boolean {
  const all = stored[name] as (Values & { origin: string })[]
  const sent = (value ?? []) as Values[]
  const currency = (line: Values) => line.currency ?? stored.currency
  const text = (lines: readonly Values[]) => cellsText(lines, (line) => [currency(line), line.amount])
  const shownText = (lines: readonly Values[]) =>
    cellsText(lines, (line) => [currency(line), shown(line.amount, currency(line))])
  return text(sent) === text(all.filter(({ origin }) => origin === 'given')) || shownText(sent) === shownText(all)
}

/** Lines as comparable text. */
const cellsText = (lines: readonly Values[], more: (line: Values) => readonly unknown[]): string =>
  JSON.stringify(withoutEmpty(lines.map((line) => [...LINE_CELLS.map((cell) => line[cell] ?? null), ...more(line)])))

/** Whether items have the same amounts as before, in the booking's currency or their own. */
export function haveSamePrices(items: Fields, stored: Stored, name: string, value: unknown): boolean {
  const text = (list: unknown) => JSON.stringify(pricesOf(items, (list ?? []) as Values[], String(stored.currency)))
  return text(value) === text(stored[name])
}

/** The amounts in items, as they are shown. */
function pricesOf(items: Fields, list: readonly Values[], currency: string): unknown[] {
  const cells = Object.entries(items).filter(([, { sees, type }]) => sees && type !== 'string')
  const rows = list.map((item) =>
    cells.flatMap(([name, field]) => {
      const value = item[name] ?? null
      if (value === null) return [null]
      if (field.items) return [cellsOf(field.items, value as Values[], currency)]
      if (field.currencyCell === undefined) return [value]
      const own = field.currencyCell === 'currency' ? currency : String(item[field.currencyCell] ?? currency)
      return [shown(value, own), own]
    }),
  )
  return withoutEmpty(rows)
}

const cellsOf = (items: Fields, list: readonly Values[], currency: string): unknown[] =>
  list.map((item) =>
    Object.entries(items).map(([name, { currencyCell }]) => (currencyCell ? shown(item[name], currency) : item[name])),
  )

/** The items to compare: rooms without a price are left out. */
const withoutEmpty = (rows: readonly (readonly unknown[])[]) => rows.filter((row) => row.some((cell) => cell !== null))

/** An amount as a record shows it: in the digits of its currency. */
const shown = (amount: unknown, currency: unknown): string | null =>
  typeof amount === 'string' ? print(round(fixed(amount), currencyDigits(String(currency)))) : null
