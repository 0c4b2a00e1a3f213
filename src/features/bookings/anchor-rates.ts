import type { Fields, Values } from '../../catalogue/read-cells.ts'
import type { RowAhead, RowContext } from '../../imports/importable.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { findRates, rateKey } from '../exchange-rates/commands/find-rates.ts'
import type { RateOf } from './pricing.ts'

/** The rates of an anchor day. */
export type RatesOfDay = (day: string) => RateOf

const SAME = { rate: '1', day: null, source: null }

/** Looks up, for all new bookings at once, the rates that bring their lines to the booking's and the company's currency. */
export async function anchorRates(
  tx: AccountTx,
  fields: Fields,
  rows: readonly RowAhead[],
  { currency: company, today }: RowContext,
): Promise<RatesOfDay> {
  const cells = currencyCells(fields)
  const questions = new Map<string, { from: string; to: string; day: string }>()
  for (const { given, stored } of rows) {
    if (stored) continue // its price is kept
    const day = String(given.transaction_date ?? today)
    const booking = String(given.currency ?? company)
    for (const from of new Set([booking, ...currenciesOf(given, cells)]))
      for (const to of [booking, company]) questions.set(rateKey(from, to, day), { from, to, day })
  }
  const found = await findRates(tx, [...questions.values()])
  return (day) => (from, to) => (from === to ? SAME : (found.get(rateKey(from, to, day)) ?? null))
}

/** Where the items of lists name the currencies of their amounts: list and cell. */
const currencyCells = (fields: Fields): [list: string, cell: string][] =>
  Object.entries(fields).flatMap(([list, { items = {} }]) => {
    const named = Object.values(items).flatMap(({ currencyCell: cell }) => (cell && cell in items ? [cell] : []))
    return [...new Set(named)].map((cell): [string, string] => [list, cell])
  })

const currenciesOf = (given: Values, cells: readonly [list: string, cell: string][]): string[] =>
  cells.flatMap(([list, cell]) =>
    Array.isArray(given[list]) ? given[list].flatMap((item: Values) => (item[cell] as string | null) ?? []) : [],
  )
