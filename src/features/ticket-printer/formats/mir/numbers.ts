import { numericCodeOf } from '../../airline-numbers.ts'
import { followingNumbers } from '../printed.ts'
import { numericInLegs } from './legs.ts'
import type { Mir } from './mir.ts'
import type { Entry } from './passengers.ts'

const SERIAL = /^\d{10}$/

/** A ticket of a line A02. */
export type Numbered = {
  readonly entry: Entry
  readonly passenger: number
  readonly number: string
  readonly conjunctions: readonly string[]
}

/** The three digits before the numbers of the validating airline: of the header, of its flights, or of the table. */
function prefixOf(mir: Mir): string | null {
  const { numeric, airline } = mir.header
  return numeric ?? (airline === '' ? null : (numericInLegs(mir, airline) ?? numericCodeOf(airline)))
}

/** The tickets of the passengers. Those whose number is not told in full are left out. */
export function numberedOf(mir: Mir, entries: readonly Entry[]): Numbered[] {
  const prefix = prefixOf(mir)
  return entries.flatMap((entry, passenger) => {
    const { serial, books, name } = entry
    if (/^0*$/.test(serial)) return []
    if (!SERIAL.test(serial)) {
      mir.warn('unreadable_number', `The ticket number ${serial} of ${name} cannot be read. It is left out.`)
      return []
    }
    if (prefix === null) {
      const message = `The accounting code of airline ${mir.header.airline} is not known. Ticket ${serial} is left out.`
      mir.warn('unknown_airline_number', message)
      return []
    }
    const number = prefix + serial
    return [{ entry, passenger, number, conjunctions: followingNumbers(number, books - 1) }]
  })
}
