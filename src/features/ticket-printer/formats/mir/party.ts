import type { Passenger } from '../../ticket-file.ts'
import { type PassengerEntry, passengerOf } from './passengers.ts'

/** The passengers of a file. */
export type Party = {
  /** The index of the passenger of a document. A passenger without a line A02 is added. */
  readonly indexOf: (name: string, found?: number) => number
  readonly passengers: readonly Passenger[]
}

/** Names are longer in other sections than in A02. */
const NAME_LENGTH = 33

export function partyOf(entries: readonly PassengerEntry[]): Party {
  const passengers = entries.map(({ passenger }) => passenger)
  const indexes = new Map(entries.map(({ name }, index) => [name, index]))
  return {
    passengers,
    indexOf: (printed, found = -1) => {
      const name = printed.slice(0, NAME_LENGTH).trim()
      const known = indexes.get(name)
      if (known !== undefined) return known
      if (entries[found]) return found
      indexes.set(name, passengers.length)
      return passengers.push(passengerOf(name)) - 1
    },
  }
}
