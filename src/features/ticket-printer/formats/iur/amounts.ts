import { fixed, print } from '../../../../platform/money.ts'
import { text } from '../printed.ts'

/** Takes what a human should look at. */
export type Warn = (code: string, message: string) => void

const CURRENCY = /^[A-Z]{3}$/
const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

/** The sum of amounts, with as many decimals as the one that has most. */
export function sumOf(amounts: readonly string[]): string {
  const sum = print(amounts.reduce((total, amount) => total + fixed(amount), 0n))
  const decimals = Math.max(0, ...amounts.map(decimalsOf))
  const [whole = '0', behind = ''] = sum.split('.')
  return decimals > 0 ? `${whole}.${behind.padEnd(decimals, '0')}` : whole
}

export const currencyOf = (printed: string): string | null => (CURRENCY.test(printed) ? printed : null)
export const firstCurrency = (...printed: readonly string[]): string | null =>
  printed.map(currencyOf).find((currency) => currency !== null) ?? null

export function warnOfAmount(warn: Warn, what: string, document: string, printed: string): void {
  warn(
    'unreadable_amount',
    `The ${what} of document ${document} is printed as "${text(printed) ?? ''}". Enter it by hand.`,
  )
}
