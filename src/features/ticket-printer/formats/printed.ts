import type { PrintedMoney } from '../ticket-file.ts'

const AMOUNT = /^\d{1,15}(?:\.\d{1,4})?$/
const RATE = /^\d{1,15}(?:\.\d{1,10})?$/
const CURRENCY = /^[A-Z]{3}$/
/** Digits, in groups as well, and with what a transport left within them: those of a card are at least so many. */
const DIGITS = /\d{4,}(?:[\s\p{Cc}-]{1,3}\d{4,})*/gu
const SHORTEST_CARD = 12
/** In one run or as it is embossed. The 13 digits of a document are none. */
const LIKELY_CARD = /(?<!\d)(?:[2-6]\d{13,18}|[2-6]\d{3}(?:[ -]\d{4}){3}|3\d{3}[ -]\d{6}[ -]\d{4,5})(?!\d)/g
const SHOWN_DIGITS = 4
const SHOWN_CODE = 2

/** Text without blanks around it; null where nothing is left. */
export const printedText = (printed: string | undefined): string | null => printed?.trim() || null

/** Digits with at most one point, as printed but for blanks and leading zeros; null for anything else. */
export function printedAmount(printed: string | undefined): string | null {
  const digits = printed?.trim() ?? ''
  return AMOUNT.test(digits) ? digits.replace(/^0+(?=\d)/, '') : null
}

/** A rate of exchange, or percent; null for anything else. */
export const printedRate = (printed: string | null | undefined): string | null => {
  const digits = printed?.trim() ?? ''
  return RATE.test(digits) ? digits.replace(/^0+(?=\d)/, '') : null
}

/** An amount beside its currency; null where either is none. */
export function moneyOf(currency: string | undefined, printed: string | undefined): PrintedMoney | null {
  const [code, amount] = [currency?.trim() ?? '', printedAmount(printed)]
  return amount !== null && CURRENCY.test(code) ? { currency: code, amount } : null
}

/** Digits without a point, the last so many of which stand behind it: `000000734600` of 2 is `7346.00`. */
export function impliedAmount(printed: string, decimals: number): string | null {
  const digits = printed.trim()
  if (!/^\d{1,15}$/.test(digits) || decimals < 0 || decimals > 4) return null
  const padded = digits.padStart(decimals + 1, '0')
  return printedAmount(decimals === 0 ? padded : `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`)
}

const digitsOf = (printed: string): string => printed.replaceAll(/\D/g, '')
const masked = (digits: string): string => 'X'.repeat(digits.length - SHOWN_DIGITS) + digits.slice(-SHOWN_DIGITS)

/** A form of payment: whatever may be the number of a card in it is cut to its last four digits. */
export const withoutCards = (printed: string): string =>
  printed.replace(DIGITS, (found) => (digitsOf(found).length < SHORTEST_CARD ? found : masked(digitsOf(found))))

/** An approval code: all but its last two characters are masked. */
export const maskedCode = (code: string): string =>
  'X'.repeat(Math.max(0, code.length - SHOWN_CODE)) + code.slice(-SHOWN_CODE)

/** A free text, which may name documents: only what must be the number of a card is cut to its last four digits. */
export const withoutLikelyCards = (printed: string): string =>
  printed.replace(LIKELY_CARD, (found) => (luhnHolds(digitsOf(found)) ? masked(digitsOf(found)) : found))

/** From the last digit on every second one counts twice, and of what is then above 9 the digits. */
function luhnHolds(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const counted = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (counted > 9 ? counted - 9 : counted)
  }, 0)
  return sum % 10 === 0
}

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
