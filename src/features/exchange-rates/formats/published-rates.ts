import { isDate } from '../../../platform/time.ts'
import { UserError } from '../../../platform/user-error.ts'

/** On that day `currencyUnits` of `currency` are worth `baseUnits` of the base: decimal strings, as published. */
export type PublishedRate = {
  readonly day: string
  readonly currency: string
  readonly baseUnits: string
  readonly currencyUnits: string
}
/** The content of one file. A source quotes everything in one base currency. */
export type PublishedRates = {
  readonly source: string
  readonly base: string
  readonly rates: readonly PublishedRate[]
}

/** `numeric(20,10)`: ten digits before the point and ten after it. */
const RATE = /^\d{1,10}(?:\.\d{1,10})?$/
const QUOTED_FOR = /^10{0,6}$/
const CODE = /^[A-Z]{3}$/
const ENGLISH_DATE = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/
const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Reads a rate; `where` is its place in the file, for error messages. */
export function readRate(text: string, where: string): string {
  if (/^\d+,\d+$/.test(text))
    throw new UserError('invalid_file', `${where}: ${text} has a decimal comma. Use a decimal point.`)
  if (!RATE.test(text)) {
    throw new UserError(
      'invalid_file',
      `${where}: ${quoted(text)} is not a rate. A rate is a number such as 1.0823, with at most 10 digits before and 10 after the point.`,
    )
  }
  if (/^[0.]+$/.test(text)) throw new UserError('invalid_file', `${where}: a rate cannot be 0. Remove the currency.`)
  return text
}

/** How many units a rate is for: 1, 10, 100 and so on. */
export function readUnits(text: string, where: string): string {
  if (QUOTED_FOR.test(text)) return text
  throw new UserError(
    'invalid_file',
    `${where}: ${quoted(text)} is not a number of units. Rates are quoted for 1, 10, 100 and so on.`,
  )
}

export function readCode(text: string, where: string): string {
  if (CODE.test(text)) return text
  throw new UserError(
    'invalid_file',
    `${where}: ${quoted(text)} is not a currency. A currency is a code of three capital letters such as USD.`,
  )
}

/** Reads `2026-11-21`. */
export function readRateDay(text: string, where: string): string {
  if (isDate(text)) return text
  throw new UserError('invalid_file', `${where}: ${quoted(text)} is not a date. Write dates as 2026-11-21.`)
}

/** Reads `21 November 2026`, as the European Central Bank also writes days. */
export function readEnglishDay(text: string, where: string): string {
  const [, day = '', month = '', year = ''] = ENGLISH_DATE.exec(text) ?? []
  const iso = `${year}-${String(MONTHS.indexOf(month) + 1).padStart(2, '0')}-${day.padStart(2, '0')}`
  if (isDate(iso)) return iso
  throw new UserError(
    'invalid_file',
    `${where}: ${quoted(text)} is not a date. Write dates as 2026-11-21 or 21 November 2026.`,
  )
}

/** A file without rates is refused as a mistake, and so is a rate of the base currency itself. */
export function published(source: string, base: string, rates: readonly PublishedRate[]): PublishedRates {
  if (rates.length === 0) throw new UserError('invalid_file', 'The file contains no rates. Download it again.')
  const itself = rates.find(({ currency }) => currency === base)
  if (itself)
    throw new UserError(
      'invalid_file',
      `The rates of ${itself.day} contain a rate of ${base} in ${base}. Correct the file.`,
    )
  return { source, base, rates }
}

const SHOWN_CHARS = 40
const quoted = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text)
