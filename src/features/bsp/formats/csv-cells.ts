import { AMOUNT, currencyDigits, type Fixed, fixed } from '../../../platform/money.ts'
import { isDate } from '../../../platform/time.ts'
import { checkDigitOf, quotedValue } from '../billing.ts'

/** What a cell is, or why it is not. */
export class NoValue extends Error {}
const refuse = (text: string, why: string): never => {
  throw new NoValue(`${quotedValue(text)} ${why}`)
}

/**
 * A document number: 13 digits, or 10 with the airline in its own column. Spreadsheets drop leading zeros, and some
 * files append the check digit.
 */
export function readCsvNumber(text: string, airline: string): string {
  const digits = text.replace(/[\s-]/g, '')
  if (/^\d{10}$/.test(digits) && /^\d{1,3}$/.test(airline)) return airline.padStart(3, '0') + digits
  if (/^\d{11,13}$/.test(digits)) return digits.padStart(13, '0')
  if (/^\d{14}$/.test(digits) && checkDigitOf(digits.slice(0, 13)) === digits[13]) return digits.slice(0, 13)
  if (/\de\+\d/i.test(digits)) return refuse(text, 'was rounded by a spreadsheet. Format the column as text.')
  return refuse(
    text,
    'is not a document number. Use 13 digits, or 10 digits and a column with the 3 digits of the airline.',
  )
}

const MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC'
const DAY_FIRST = /^(\d\d)[./ -](\d\d)[./ -](\d{4})$/
const MONTH_NAMED = /^(\d{1,2})[ -]?([A-Z]{3})[ -]?(\d{4}|\d{2})$/

/** A day: 2026-03-31, 20260331, 31.03.2026, 31/03/2026 or 31MAR26. */
export function readCsvDay(text: string): string {
  const [written = ''] = text.trim().split(/[T ](?=\d{1,2}:)/)
  const day = isoOf(written.toUpperCase())
  if (isDate(day)) return day
  return refuse(text, 'is not a date. Write dates as 2026-03-31, 31.03.2026 or 31MAR26; the month never comes first.')
}

function isoOf(text: string): string {
  if (/^\d{8}$/.test(text)) return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
  const [, day, month, year] = DAY_FIRST.exec(text) ?? []
  if (day && month && year) return `${year}-${month}-${day}`
  const [, dayOf, named, yearOf] = MONTH_NAMED.exec(text) ?? []
  if (!dayOf || !named || !yearOf) return text
  const nth = MONTHS.indexOf(named) / 3 + 1
  return `${yearOf.padStart(4, '20')}-${String(nth).padStart(2, '0')}-${dayOf.padStart(2, '0')}`
}

export function readCurrency(text: string): string {
  const code = text.trim().toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : refuse(text, 'is not a currency such as EUR.')
}

/** The IATA number of an office; a spreadsheet loses the zeros before it. */
export function readAgent(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '')
  if (digits === '') return null
  return /^\d{6,8}$/.test(digits)
    ? digits.padStart(digits.length === 8 ? 8 : 7, '0')
    : refuse(text, 'is not an IATA number.')
}

const NEGATIVE = /^\((.*)\)$|^-(.*)$|^(.*)-$/

/** An amount in any notation: 1,234.50 and 1.234,50, (12.00) and 12.00-. */
export function readAmount(text: string, currency: string): Fixed | null {
  const written = text.replace(/[\s\u00a0\u202f]/g, '')
  if (written === '') return null
  const [, inBrackets, afterMinus, beforeMinus] = NEGATIVE.exec(written) ?? []
  const size = inBrackets ?? afterMinus ?? beforeMinus
  const amount = decimalOf(size ?? written, currencyDigits(currency))
  if (amount === null || !AMOUNT.test(amount)) return refuse(text, `is not an amount in ${currency}, such as 1234.50.`)
  return size === undefined ? fixed(amount) : -fixed(amount)
}

const WHOLE = /^\d+$|^\d{1,3}(?:([.,'])\d{3})(?:\1\d{3})*$/

/**
 * The number with a decimal point; null if it is not a number with this many decimals, or is ambiguous: 1.234 is above
 * one thousand in a currency without decimals and just above 1 in one with three, but ambiguous in one with two.
 */
function decimalOf(text: string, digits: number): string | null {
  const at = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const [before, decimals] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  const isThousands = before.includes(text.charAt(at)) || (decimals.length === 3 && digits === 0)
  const [whole, fraction] = at < 0 || isThousands ? [text, ''] : [before, decimals]
  if (!WHOLE.test(whole) || !/^\d*$/.test(fraction)) return null
  const counting = fraction.replace(/0+$/, '')
  if (counting.length > digits || (fraction.length === 3 && digits < 3)) return null
  return `${whole.replace(/[.,']/g, '')}${counting && `.${counting}`}`
}
