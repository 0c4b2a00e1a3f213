import { atRate, currencyDigits, type Fixed, fixed, round } from '../../src/platform/money.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { ask } from './sql.ts'

export type Cells = Readonly<Record<string, string | null>>
export type Line = { readonly side: string; readonly currency: string; readonly rate: string | null } & Cells
/** The books of an account, as stored. */
export type Books = {
  readonly companies: ReadonlyMap<string, string>
  readonly bookings: readonly (Cells & {
    readonly id: string
    readonly lines: readonly Line[]
    readonly passengers: readonly Cells[]
  })[]
  readonly invoices: readonly (Cells & {
    readonly id: string
    readonly paid: readonly Cells[]
    readonly lines: readonly Cells[]
  })[]
  readonly bills: readonly (Cells & { readonly id: string; readonly lines: readonly Cells[] | null })[]
  readonly operators: readonly (Cells & { readonly id: string })[]
}

export async function readBooks(cell: TestCell, { number }: Pick<Agency, 'number'>): Promise<Books> {
  const all = async (sql: string) => (await ask<{ row: never }>(cell, sql, [number])).map(({ row }) => row)
  // Amounts as texts: a JSON number would lose precision of a bigint.
  const texts = (of: string) => `(select json_object_agg(key, value) from jsonb_each_text(to_jsonb(${of})))`
  const list = (of: string, from: string) => `coalesce((select json_agg(${texts(of)}) from ${from}), '[]')`
  const rows = (table: string, lists: Record<string, string> = {}) =>
    all(`select ${texts('t')}::jsonb || jsonb_build_object(${Object.entries(lists)
      .map(([name, sql]) => `'${name}', ${sql}`)
      .join(', ')}) as row
      from ${table} t where t.account_id = $1 order by t.id`)
  const [companies, bookings, invoices, bills, operators] = await Promise.all([
    rows('companies'),
    rows('bookings', {
      lines: list('l', 'booking_lines l where l.account_id = t.account_id and l.booking_id = t.id'),
      passengers: list(
        'p',
        `tickets k, jsonb_array_elements(k.passengers) p where k.account_id = t.account_id and k.id = t.id`,
      ),
    }),
    rows('customer_invoices', {
      lines: list('l', 'jsonb_array_elements(t.lines) l'),
      paid: list('p', 'customer_payments p where p.account_id = t.account_id and p.invoice_id = t.id'),
    }),
    rows('supplier_bills', {
      lines: `case when t.lines is not null then ${list('l', 'jsonb_array_elements(t.lines) l')} end`,
    }),
    rows('operator_invoices'),
  ])
  return {
    companies: new Map((companies as Cells[]).map(({ id, currency }) => [String(id), String(currency)])),
    bookings,
    invoices,
    bills,
    operators,
  }
}

/** Rates of the lira by day, in the cell of a test; the dollar has none. */
const WORTH: Readonly<Record<string, readonly (readonly [day: string, liras: string])[]>> = {
  TRY: [['2026-01-01', '1']],
  EUR: [
    ['2026-03-01', '47.1234'],
    ['2026-03-15', '48.005'],
  ],
  JPY: [['2026-03-01', '0.299871']],
  KWD: [['2026-03-01', '140.5']],
}
/** The same as a source publishes them. */
export const PUBLISHED = Object.entries(WORTH)
  .filter(([currency]) => currency !== 'TRY')
  .flatMap(([currency, days]) =>
    days.map(([day, liras]) => ({
      currency,
      day,
      baseUnits: currency === 'JPY' ? '29.9871' : liras,
      currencyUnits: currency === 'JPY' ? '100' : '1',
    })),
  )
const MILLIONTHS = 6
const millionths = (decimal: string): bigint => {
  const [whole = '', decimals = ''] = decimal.split('.')
  return BigInt(whole + decimals.padEnd(MILLIONTHS, '0'))
}
/** The price of a unit of one currency in another, to ten decimals; null if unknown. */
export function rateOn(from: string, to: string, day: string): string | null {
  if (from === to) return '1'
  const [own, other] = [from, to].map((currency) => WORTH[currency]?.findLast(([since]) => since <= day)?.[1])
  if (own === undefined || other === undefined) return null
  const scaled = (2n * millionths(own) * 10n ** 10n + millionths(other)) / (2n * millionths(other))
  const digits = String(scaled).padStart(11, '0')
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`
}
export const brought = (amount: Fixed, rate: string | null, currency: string): Fixed | null =>
  rate === null ? null : atRate(amount, rate, currencyDigits(currency))

/** A counted item of a report: its contribution to the sums, and to those in its company's currency. */
export type Item = {
  readonly currency: string
  readonly base: string
  readonly keys: Readonly<Record<string, string | null>>
  readonly own: Readonly<Record<string, Fixed>>
  readonly inBase: Readonly<Record<string, Fixed | null>>
}
export const money = (cell: string | null | undefined): Fixed => fixed(cell ?? '0')
/** Rounded to the digits of the currency, since carried amounts may have more. */
export const cents = (cell: string | null | undefined, currency: string | null | undefined): Fixed =>
  round(money(cell), currencyDigits(String(currency)))
export const text = (cell: string | null | undefined): string => String(cell)
export const absolute = (amount: Fixed): Fixed => (amount < 0n ? -amount : amount)
