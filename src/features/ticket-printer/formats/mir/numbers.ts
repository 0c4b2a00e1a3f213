import { numericCodeOf } from '../../airline-numbers.ts'
import { followingNumbers } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { numericInLegs } from './legs.ts'
import type { Mir } from './mir.ts'
import type { PassengerEntry } from './passengers.ts'

/** A complete document number. */
export const NUMBER = /^\d{13}$/
const SERIAL = /^\d{10}$/
const SERIALS = 10 ** 10
/** The maximum number of conjunctions of a document. */
const MOST_CONJUNCTIONS = 9

/** A ticket of a line A02. */
export type Numbered = {
  readonly entry: PassengerEntry
  readonly passenger: number
  readonly number: string
  readonly conjunctions: readonly string[]
}

/**
 * The numbers after a document's, up to the last of its conjunction, which can be printed even if there is only one.
 */
export function numbersUpTo(number: string, last: string): string[] {
  if (!NUMBER.test(last) || last.slice(0, 3) !== number.slice(0, 3)) return []
  const count = (Number(last.slice(3)) - Number(number.slice(3)) + SERIALS) % SERIALS
  return followingNumbers(number, count <= MOST_CONJUNCTIONS ? count : 0)
}

/** The conjunctions of a ticket with this many books. */
function numbersOfBooks(number: string, books: string, warn: Warn): string[] {
  const count = Number(books) - 1
  if (/^\d{0,2}$/.test(books) && count <= MOST_CONJUNCTIONS) return followingNumbers(number, count)
  warn('conjunction', `Ticket ${number} declares ${books} booklets. Check the numbers of its conjunction tickets.`)
  return []
}

/** The three digits of the validating airline: from the header, its flights, or the table. */
function prefixOf(mir: Mir): string | null {
  const { numeric, airline } = mir.header
  return numeric ?? (airline === '' ? null : (numericInLegs(mir, airline) ?? numericCodeOf(airline)))
}

/** The tickets of the passengers. Those without a complete number are left out. */
export function numberedOf(mir: Mir, entries: readonly PassengerEntry[]): Numbered[] {
  const prefix = prefixOf(mir)
  return entries.flatMap((entry, passenger) => {
    const { serial, books, name } = entry
    if (/^0*$/.test(serial)) return []
    if (!SERIAL.test(serial)) {
      mir.warn('unreadable_number', `The ticket number ${serial} of ${name} cannot be read. The ticket was left out.`)
      return []
    }
    if (prefix === null) {
      const message = `The accounting code of airline ${mir.header.airline} is not known. Ticket ${serial} was left out.`
      mir.warn('unknown_airline_number', message)
      return []
    }
    const number = prefix + serial
    return [{ entry, passenger, number, conjunctions: numbersOfBooks(number, books, mir.warn) }]
  })
}
