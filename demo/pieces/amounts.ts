import { currencyDigits, fixed } from '../../src/platform/money.ts'
import { LIRA } from '../vocabulary.ts'

/** In the currency's digits; one without decimals is priced in tens. */
export const demoMoney = (amount: number, currency: string): string =>
  currencyDigits(currency) === 0 ? `${Math.round(amount / 10) * 10}` : amount.toFixed(currencyDigits(currency))

/** The exact sum of amounts as `money` prints them. */
export function addUp(currency: string, ...amounts: readonly string[]): string {
  const sum = amounts.reduce((total, amount) => total + fixed(amount), 0n)
  return (Number(sum) / 10_000).toFixed(currencyDigits(currency))
}
export const minus = (amount: string): string => (Number(amount) === 0 ? amount : `-${amount}`)

/** What an amount is about worth in another currency. */
export const amountIn = (amount: number, from: string, to: string): number =>
  from === to ? amount : (amount * (LIRA[from] ?? 1)) / (LIRA[to] ?? 1)
