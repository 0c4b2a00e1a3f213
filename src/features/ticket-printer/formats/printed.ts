import type { PrintedMoney } from '../ticket-file.ts'

const AMOUNT = /^\d{1,15}(?:\.\d{1,4})?$/
const RATE = /^\d{1,15}(?:\.\d{1,10})?$/
const CURRENCY = /^[A-Z]{3}$/
/**
 * Digits, possibly grouped, and with leftovers of the transport between them. A card number has at least four in a
 * group.
 */
const DIGITS = /\d{4,}(?:[\s\p{Cc}-]{1,3}\d{4,})*/gu
const SHORTEST_CARD = 12
const SHORTEST_LIKELY_CARD = 14
/** Card numbers without gaps or as embossed. The 13 digits of a document do not match. */
const LIKELY_CARD = /(?<!\d)(?:[2-6]\d{13,18}|[2-6]\d{3}(?:[ -]\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{4,5})(?!\d)/g
const SHOWN_DIGITS = 4
const SHOWN_CODE = 2

/** Trimmed text; null if empty. */
export const printedText = (printed: string | undefined): string | null => printed?.trim() || null

/** Digits with at most one decimal point, without blanks and leading zeros; null for anything else. */
export function printedAmount(printed: string | undefined): string | null {
  const digits = printed?.trim() ?? ''
  return AMOUNT.test(digits) ? withoutZeros(digits) : null
}
/** Without leading zeros, except before the decimal point. */
const withoutZeros = (digits: string): string => (digits.startsWith('0') ? digits.replace(/^0+(?=\d)/, '') : digits)

/** An exchange rate or percentage; null for anything else. */
export const printedRate = (printed: string | null | undefined): string | null => {
  const digits = printed?.trim() ?? ''
  return RATE.test(digits) ? withoutZeros(digits) : null
}

/** An amount and its currency; null if either is invalid. */
export function moneyOf(currency: string | undefined, printed: string | undefined): PrintedMoney | null {
  const [code, amount] = [currency?.trim() ?? '', printedAmount(printed)]
  return amount !== null && CURRENCY.test(code) ? { currency: code, amount } : null
}

/** Digits with implied decimals: `000000734600` with 2 decimals is `7346.00`. */
export function impliedAmount(printed: string, decimals: number): string | null {
  const digits = printed.trim()
  if (!/^\d{1,15}$/.test(digits) || decimals < 0 || decimals > 4) return null
  const padded = digits.padStart(decimals + 1, '0')
  return printedAmount(decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`)
}

const digitsOf = (printed: string): string => printed.replaceAll(/\D/g, '')
const masked = (digits: string): string => 'X'.repeat(digits.length - SHOWN_DIGITS) + digits.slice(-SHOWN_DIGITS)

/** A form of payment in which every possible card number is cut to its last four digits. */
export const withoutCards = (printed: string): string =>
  printed.length < SHORTEST_CARD
    ? printed
    : printed.replace(DIGITS, (found) => (digitsOf(found).length < SHORTEST_CARD ? found : masked(digitsOf(found))))

/** An approval code with all but its last two characters masked. */
export const maskedCode = (code: string): string =>
  'X'.repeat(Math.max(0, code.length - SHOWN_CODE)) + code.slice(-SHOWN_CODE)

/** Free text, which can contain document numbers: only certain card numbers are cut to their last four digits. */
export const withoutLikelyCards = (printed: string): string =>
  printed.length < SHORTEST_LIKELY_CARD
    ? printed
    : printed.replace(LIKELY_CARD, (found) => (luhnHolds(digitsOf(found)) ? masked(digitsOf(found)) : found))

/** The Luhn check: from the right, every second digit counts twice, with its digits summed. */
function luhnHolds(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const counted = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}

/** The `count` ticket numbers after a 13-digit number: the last 10 digits count on and wrap. */
export function followingNumbers(number: string, count: number): string[] {
  const [airline, serial] = [number.slice(0, 3), Number(number.slice(3))]
  return Array.from(
    { length: Math.max(0, count) },
    (_, at) => airline + String((serial + at + 1) % 10 ** 10).padStart(10, '0'),
  )
}

/** Whether the check digit is the number modulo 7, as in IATA numbers and document numbers. */
export const checkDigitHolds = (number: string, digit: string): boolean => String(BigInt(number) % 7n) === digit
