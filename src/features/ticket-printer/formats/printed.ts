import type { Money } from '../ticket-file.ts'

const AMOUNT = /^\d{1,15}(?:\.\d{1,4})?$/
const CURRENCY = /^[A-Z]{3}$/
/** The longest run of digits that a card number can be, and the shortest. */
const CARD = /\d{12,19}/g
const SHOWN_DIGITS = 4

/** Text without blanks around it; null where nothing is left. */
export const text = (printed: string | undefined): string | null => printed?.trim() || null

/** Digits with at most one point, as printed but for blanks and leading zeros; null for anything else. */
export function amountOf(printed: string | undefined): string | null {
  const digits = printed?.trim() ?? ''
  return AMOUNT.test(digits) ? digits.replace(/^0+(?=\d)/, '') : null
}

/** An amount beside its currency; null where either is none. */
export function moneyOf(currency: string | undefined, printed: string | undefined): Money | null {
  const [code, amount] = [currency?.trim() ?? '', amountOf(printed)]
  return amount !== null && CURRENCY.test(code) ? { currency: code, amount } : null
}

/** Digits without a point, the last so many of which stand behind it: `000000734600` of 2 is `7346.00`. */
export function impliedAmount(printed: string, decimals: number): string | null {
  const digits = printed.trim()
  if (!/^\d{1,15}$/.test(digits) || decimals < 0 || decimals > 4) return null
  const padded = digits.padStart(decimals + 1, '0')
  return amountOf(decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`)
}

/** Card numbers cut to their last four digits, wherever a form of payment holds them. */
export const withoutCards = (printed: string): string =>
  printed.replace(CARD, (digits) => 'X'.repeat(digits.length - SHOWN_DIGITS) + digits.slice(-SHOWN_DIGITS))

/** `count` ticket numbers that follow a number of 13 digits: the 10 digits behind the airline count on, and wrap. */
export function followingNumbers(number: string, count: number): string[] {
  const [airline, serial] = [number.slice(0, 3), Number(number.slice(3))]
  return Array.from(
    { length: Math.max(0, count) },
    (_, at) => airline + String((serial + at + 1) % 10 ** 10).padStart(10, '0'),
  )
}

/** Whether the digit behind a number is the number modulo 7, as IATA numbers and document numbers have it. */
export const checkDigitHolds = (number: string, digit: string): boolean => String(BigInt(number) % 7n) === digit
