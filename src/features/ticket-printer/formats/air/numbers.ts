import { followingNumbers } from '../printed.ts'
import type { Warn } from '../warnings.ts'

/** Type, airline and serial, then the last two digits of the last booklet: `K074-3532502290-91`. */
const NUMBER = /^([A-Z])?\s*(\d{3})-?(\d{10})(?:-(\d{2})(?!\d))?/
/** Types of T- lines that are vouchers for hotels, cars and similar services. */
const VOUCHERS = ['H', 'C', 'V', 'O']
/** A ticket has at most 16 coupons, four in each booklet. */
const MAX_BOOKLETS = 8

export type DocumentNumber = {
  readonly type: string
  readonly number: string
  readonly conjunctions: readonly string[]
}

/** The number of a document and its conjunctions; null for a voucher or an unreadable number. */
export function readDocumentNumber(printed: string, warn: Warn): DocumentNumber | null {
  const [, type = '', airline, serial, last] = NUMBER.exec(printed.trim()) ?? []
  if (VOUCHERS.includes(printed.trim().slice(0, 1))) return null
  if (!airline || !serial) {
    const shown = printed.trim().slice(0, 24)
    warn('ticket_number', `"${shown}" is not a document number, so the document was left out. Enter it by hand.`)
    return null
  }
  const number = airline + serial
  return { type, number, conjunctions: conjunctionsOf(number, last, warn) }
}

/** The numbers up to the one that ends in these digits; they wrap from 99 to 00. */
export function conjunctionsOf(number: string, last: string | undefined, warn: Warn): string[] {
  if (last === undefined) return []
  const count = (Number(last) - Number(number.slice(-2)) + 100) % 100
  if (count < MAX_BOOKLETS) return followingNumbers(number, count)
  warn(
    'conjunction',
    `The conjunction tickets of document ${number} end in -${last}, which is too many. Check the numbers.`,
  )
  return []
}
