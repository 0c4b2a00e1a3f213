import type { Values } from '../../catalogue/read-cells.ts'
import type { RowAhead, RowContext } from '../../imports/rules.ts'
import type { AccountTx } from '../../platform/db/database.ts'
import { findRates, type Rate, rateKey } from '../exchange-rates/commands/find-rates.ts'
import type { RateOf } from './pricing.ts'

/** The rates of an anchor day. */
export type RatesOfDay = (day: string) => RateOf

/** Cells of a row's items that name a currency. */
const CURRENCY_CELLS = ['currency', 'single_supplement_currency']
const NONE: ReadonlyMap<string, Rate> = new Map()
const SAME = { rate: '1', day: null, source: null }

/** Looks up, for all new bookings at once, the rates that bring their lines to the booking's and the company's currency. */
export async function anchorRates(
  tx: AccountTx,
  rows: readonly RowAhead[],
  { currency: company, today }: RowContext,
): Promise<RatesOfDay> {
  const questions = new Map<string, { from: string; to: string; day: string }>()
  for (const { given, stored } of rows) {
    if (stored) continue // its price stands
    const day = String(given.transaction_date ?? today)
    const booking = String(given.currency ?? company)
    for (const from of new Set([booking, ...currenciesOf(given)]))
      for (const to of [booking, company]) if (from !== to) questions.set(rateKey(from, to, day), { from, to, day })
  }
  const found = questions.size === 0 ? NONE : await findRates(tx, [...questions.values()])
  return (day) => (from, to) => (from === to ? SAME : (found.get(rateKey(from, to, day)) ?? null))
}

const currenciesOf = (given: Values): string[] =>
  Object.values(given).flatMap((cell) =>
    Array.isArray(cell)
      ? cell.flatMap((item: Values) => CURRENCY_CELLS.flatMap((name) => (item?.[name] as string | null) ?? []))
      : [],
  )
