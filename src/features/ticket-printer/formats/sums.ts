import { fixed, print } from '../../../platform/money.ts'
import type { PrintedMoney } from '../ticket-file.ts'

/** The code of a tax or charge printed without one. */
export const UNCODED = 'XX'

/** The sum of amounts; null if there are none or if currencies differ. */
export function sumOf(amounts: readonly (PrintedMoney | null)[]): PrintedMoney | null {
  const [first] = amounts
  if (!first || amounts.some((each) => each?.currency !== first.currency)) return null
  return { currency: first.currency, amount: added(amounts.map((each) => each?.amount ?? '0')) }
}

/** The remainder of amounts after deductions; null if it is negative or if currencies differ. */
export function remainderOf(amounts: readonly PrintedMoney[], taken: readonly PrintedMoney[]): PrintedMoney | null {
  const [first] = amounts
  const all = [...amounts, ...taken]
  if (!first || all.some(({ currency }) => currency !== first.currency)) return null
  const left = total(amounts.map(({ amount }) => amount)) - total(taken.map(({ amount }) => amount))
  return left < 0n
    ? null
    : { currency: first.currency, amount: printed(left, mostDecimals(all.map(({ amount }) => amount))) }
}

/** The sum of amounts in one currency, with the most decimals of any of them. */
export const added = (amounts: readonly string[]): string => printed(total(amounts), mostDecimals(amounts))

const total = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + fixed(amount), 0n)
const mostDecimals = (amounts: readonly string[]): number =>
  Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))

function printed(value: bigint, decimals: number): string {
  const [whole = '0', behind = ''] = print(value).split('.')
  return decimals === 0 ? whole : `${whole}.${behind.padEnd(decimals, '0')}`
}

/** The excess of one amount over another in the same currency; null if there is none. */
export function more(one: PrintedMoney, other: PrintedMoney): PrintedMoney | null {
  const left = remainderOf([one], [other])
  return left && fixed(left.amount) > 0n ? left : null
}
