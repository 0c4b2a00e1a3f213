import type { Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { fullDay } from '../days.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { printedText } from '../printed.ts'
import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'
import { type Item, taggedLine } from './sections.ts'

const PASSENGER = {
  name: [3, 33],
  ticket: [48, 10],
  books: [58, 2],
  ptc: [69, 6],
  fareItem: [75, 2],
  exchangeItem: [77, 2],
  more: [79, 1],
} as const
const FREQUENT_FLYER = { name: [3, 21], airline: [24, 2], number: [27, 20] } as const
const NAME_OF_FLYER = 21
const DATE = /\d{2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?:\d{4}|\d{2})(?!\d)/
const TICKETED_ON = 'NTD:'
const TICKET_BY = 'TL:'

/** A line A02: a passenger, the ticket, and the numbers of its fare and exchange. */
export type PassengerEntry = {
  readonly passenger: Passenger
  readonly name: string
  /** Ten digits; blank if no ticket was issued. */
  readonly serial: string
  readonly books: string
  readonly fareItem: string
  readonly exchangeItem: string
  /** The day of ticketing, if it differs from that of the file. */
  readonly ticketedOn: string | null
  /** Deadline for issuing the ticket. */
  readonly ticketBy: string | null
}

export function entriesOf(mir: Mir): PassengerEntry[] {
  const flyers = frequentFlyersOf(mir)
  return mir.items('A02').map((item) => {
    const { name, ticket, ptc, more, books, fareItem, exchangeItem } = cutLine(item.line, PASSENGER)
    if (more === 'Y') mir.warn('more_files', `Another file contains a further fare of ${name}.`)
    const type = typeOfPassenger(printedText(ptc))
    const mayBeChild = type === 'infant' || type === 'child'
    const passenger = {
      ...BLANK_PASSENGER,
      ...passengerNameOf(name),
      type,
      ptc: printedText(ptc),
      dateOfBirth: mayBeChild ? dateOfBirth(item, mir) : null,
      frequentFlyer: flyers.get(name.slice(0, NAME_OF_FLYER).trim()) ?? null,
    }
    return {
      passenger,
      name,
      serial: ticket,
      books,
      fareItem,
      exchangeItem,
      ticketedOn: dateBehind(item, TICKETED_ON, mir),
      ticketBy: dateBehind(item, TICKET_BY, mir),
    }
  })
}

/** A passenger with just a name. */
export const passengerOf = (name: string): Passenger => ({ ...BLANK_PASSENGER, ...passengerNameOf(name) })

/** A child's date of birth can be anywhere in the remark of the name. */
function dateOfBirth(item: Item, { header, today }: Mir): string | null {
  const day = DATE.exec(taggedLine(item, 'NR:') ?? '')?.[0]
  return day === undefined ? null : fullDay(day, header.day ?? today, true)
}

/** The tags behind the first one share a line. */
function dateBehind({ more }: Item, tag: string, { header, today }: Mir): string | null {
  const line = more.find((each) => each.includes(tag)) ?? ''
  const at = line.indexOf(tag) + tag.length
  return line === '' ? null : fullDay(line.slice(at, at + 7), header.day ?? today)
}

/** Only the first line of a passenger has the name; other programmes of the same passenger are left out. */
function frequentFlyersOf(mir: Mir): ReadonlyMap<string, string> {
  const flyers = new Map<string, string>()
  for (const { line } of mir.items('A03')) {
    const { name, airline, number } = cutLine(line, FREQUENT_FLYER)
    if (name !== '' && number !== '' && !flyers.has(name)) flyers.set(name, airline + number)
  }
  return flyers
}
