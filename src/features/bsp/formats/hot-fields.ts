import type { Fixed } from '../../../platform/money.ts'
import { isDate } from '../../../platform/time.ts'
import { BillingRefused, quotedValue } from '../billing.ts'

/** Every record has this many characters; trailing blanks may be missing. */
const RECORD_LENGTH = 136

/** One record of a HOT file: a line with fields at fixed places, counted from 1 as the handbook does. */
export type HotRecord = {
  readonly line: number
  /** What it is: `BKS24`. */
  readonly id: string
  readonly text: string
}

/** The text of a field without the blanks around it. */
export const fieldOf = ({ text }: HotRecord, at: number, length: number): string =>
  text.slice(at - 1, at - 1 + length).trim()

const refuse = ({ line, id }: HotRecord, at: number, text: string, what: string): never => {
  throw new BillingRefused(`${quotedValue(text)} at position ${at} of the ${id} is not a valid ${what}.`, line)
}

/** The last digit of an amount and its sign are one character: { and A to I are +0 to +9, } and J to R are -0 to -9. */
const MINUS = '}JKLMNOPQR'
const LAST_DIGITS = ['0123456789', '{ABCDEFGHI', MINUS]
const OVERPUNCHED = /^\d*[\d{}A-R]$/

/** An amount in the smallest unit of its currency. A blank one is nothing. */
export function amountAt(record: HotRecord, at: number, length: number): bigint {
  const text = fieldOf(record, at, length)
  if (text === '') return 0n
  if (!OVERPUNCHED.test(text)) return refuse(record, at, text, 'amount')
  const last = text.slice(-1)
  const amount = BigInt(`${text.slice(0, -1)}${Math.max(...LAST_DIGITS.map((digits) => digits.indexOf(last)))}`)
  return MINUS.includes(last) ? -amount : amount
}

/** A day written YYMMDD. */
export function hotDayAt(record: HotRecord, at: number): string {
  const text = fieldOf(record, at, 6)
  const day = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`
  return isDate(day) ? day : refuse(record, at, text, 'day (YYMMDD)')
}

/** A document's number. */
export function numberAt(record: HotRecord, at: number): string {
  const text = fieldOf(record, at, 14)
  return /^\d{13}$/.test(text) ? text : refuse(record, at, text, '13-digit document number')
}

/** The IATA number of an agency's office. */
export function agentAt(record: HotRecord, at: number): string {
  const text = fieldOf(record, at, 8)
  return /^\d{8}$/.test(text) ? text : refuse(record, at, text, '8-digit IATA number')
}

/** A currency, and the number of decimals of its amounts in the file, which may differ from ISO 4217. */
export type Unit = { readonly key: string; readonly currency: string; readonly decimals: number }
const UNIT = /^[A-Z]{3}[0-4]$/
export function unitAt(record: HotRecord, at: number): Unit {
  const key = fieldOf(record, at, 4)
  if (!UNIT.test(key)) return refuse(record, at, key, 'currency with its decimals, such as EUR2')
  return { key, currency: key.slice(0, 3), decimals: Number(key[3]) }
}

const FIXED_DECIMALS = 4
/** An amount of the file as all others of the program are. */
export const inFixed = (amount: bigint, { decimals }: Unit): Fixed => amount * 10n ** BigInt(FIXED_DECIMALS - decimals)

const LINE_END = /\r\n|\r|\n/g
/** The records of a file, one for each line that is not empty; of one without line ends, one for each 136 characters. */
export function* hotRecords(text: string): Generator<HotRecord> {
  let line = 0
  for (const written of linesOf(text)) {
    line += 1
    const record = written.trimEnd()
    if (record === '') continue
    if (record.length > RECORD_LENGTH)
      throw new BillingRefused(`the record has ${record.length} characters instead of ${RECORD_LENGTH}.`, line)
    const id = record.slice(0, 3) + record.slice(11, 13)
    if (!/^[A-Z]{3}\d\d$/.test(id))
      throw new BillingRefused(`${quotedValue(record)} is not a record of a HOT file.`, line)
    yield { line, id, text: record.padEnd(RECORD_LENGTH) }
  }
}

function* linesOf(text: string): Generator<string> {
  const isOneLine = !/[\r\n]/.test(text.trimEnd())
  for (let at = 0; at < text.length; ) {
    LINE_END.lastIndex = at
    const end = isOneLine ? null : LINE_END.exec(text)
    const until = end?.index ?? (isOneLine ? at + RECORD_LENGTH : text.length)
    yield text.slice(at, until)
    at = until + (end?.[0].length ?? 0)
  }
}
