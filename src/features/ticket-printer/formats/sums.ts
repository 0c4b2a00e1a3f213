import { fixed, print } from '../../../platform/money.ts'
import type { PrintedMoney } from '../ticket-file.ts'

/** The code of a tax or charge that is printed without one. */
export const UNCODED = 'XX'

/** The sum of amounts; null of none, and of different currencies. */
export function sumOf(amounts: readonly (PrintedMoney | null)[]): PrintedMoney | null {
  const [first] = amounts
  if (!first || amounts.some((each) => each?.currency !== first.currency)) return null
  return { currency: first.currency, amount: added(amounts.map((each) => each?.amount ?? '0')) }
}

/** What is left of amounts once others are taken off; null where it is below zero, and of different currencies. */
export function remainderOf(amounts: readonly PrintedMoney[], taken: readonly PrintedMoney[]): PrintedMoney | null {
  const [first] = amounts
  const all = [...amounts, ...taken]
  if (!first || all.some(({ currency }) => currency !== first.currency)) return null
  const left = total(amounts.map(({ amount }) => amount)) - total(taken.map(({ amount }) => amount))
  return left < 0n
    ? null
    : { currency: first.currency, amount: printed(left, mostDecimals(all.map(({ amount }) => amount))) }
}

/** The sum of amounts of one currency, with as many decimals as the one that has most. */
export const added = (amounts: readonly string[]): string => printed(total(amounts), mostDecimals(amounts))

const total = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + fixed(amount), 0n)
const mostDecimals = (amounts: readonly string[]): number =>
  Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))

function printed(value: bigint, decimals: number): string {
  const [whole = '0', behind = ''] = print(value).split('.')
  return decimals === 0 ? whole : `${whole}.${behind.padEnd(decimals, '0')}`
}

/** What one amount is more than another of its currency; null where it is not. */
export function more(one: PrintedMoney, other: PrintedMoney): PrintedMoney | null {
  const left = remainderOf([one], [other])
  return left && fixed(left.amount) > 0n ? left : null
}
