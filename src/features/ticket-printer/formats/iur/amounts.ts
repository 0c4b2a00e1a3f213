import { printedText } from '../printed.ts'
import type { Warn } from '../warnings.ts'

/** The code of taxes printed as one sum. */
export const TAXES_TOGETHER = 'XT'
const CURRENCY = /^[A-Z]{3}$/

export const iurCurrencyOf = (printed: string): string | null => (CURRENCY.test(printed) ? printed : null)
export const firstCurrency = (...printed: readonly string[]): string | null =>
  printed.map(iurCurrencyOf).find((currency) => currency !== null) ?? null

export function warnOfAmount(warn: Warn, what: string, document: string, printed: string): void {
  warn(
    'unreadable_amount',
    `The ${what} of document ${document} is printed as "${printedText(printed) ?? ''}". Enter it by hand.`,
  )
}
