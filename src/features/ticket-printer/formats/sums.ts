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

/** The sum of amounts of one currency, with as many decimals as the one that has most. */
export function added(amounts: readonly string[]): string {
  const [whole = '0', behind = ''] = print(amounts.reduce((sum, amount) => sum + fixed(amount), 0n)).split('.')
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0))
  return decimals === 0 ? whole : `${whole}.${behind.padEnd(decimals, '0')}`
}

/** What one amount is more than another of its currency; null where it is not. */
export function more(one: PrintedMoney, other: PrintedMoney): PrintedMoney | null {
  const amount = added([one.amount, `-${other.amount}`])
  return one.currency === other.currency && fixed(amount) > 0n ? { ...one, amount } : null
}
