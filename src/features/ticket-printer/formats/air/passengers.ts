import type { Passenger } from '../../ticket-file.ts'
import { fullDay } from '../days.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { birthIn, contactIn, identityOf, phoneIn, travelDocumentIn } from '../service-requests.ts'
import type { Warn } from '../warnings.ts'
import { type Air, field, firstLineOf, type Line, linesFor, linesNaming, type PassengerBlock } from './lines.ts'

/**
 * A passenger type, possibly with the date of birth. `(INF/NAME/10APR25)` is the infant of an adult, `(ID…)` an
 * identification.
 */
const TYPE = /^([A-Z][A-Z0-9]{2})(?:\/(\d{2}[A-Z]{3}\d{2,4}))?$/
const BIRTH = /DOB\/?(\d{2}[A-Z]{3}\d{2,4})/
/** A date of birth behind a name, without a mark. */
const BIRTH_BEHIND_NAME = /\s(\d{2}[A-Z]{3}\d{2}(?:\d{2})?)\s*$/
const MAX_DETAILS = 10
/** For one passenger. */
const MAX_REQUESTS = 200
/**
 * The contacts of I-, separated by two slashes: `IST 90 212 0000000 - AGENCY - A//M90 532 0000000//E-NAME@EXAMPLE.COM`.
 */
const CONTACTS = 3
const MAX_CONTACTS = 20
const AGENCY = /-\s*A(?:GCY)?\s*$|\bFAX\b/
const MOBILE = /^M(?:OBILE)?\b|^[MN][+\d]|-M$/
/** A language can follow it. */
const EMAIL = /^E[- ]\s*([^\s@/]+@[^\s@/]+\.[^\s@/]+)(?:\/[A-Z]{2})?$/

type Context = {
  readonly air: Air
  readonly today: string
  /** The index of each sector of a ticket in the legs; null for a surface sector. */
  readonly sectors: readonly (number | null)[]
}

export function readPassenger({ air, today, sectors }: Context, block: PassengerBlock, warn: Warn): Passenger {
  const { name, born } = withoutBirth(block.name)
  const details = detailsOf(name)
  const [, ptc = null, typed = ''] = details.map((each) => TYPE.exec(each)).find((match) => match !== null) ?? []
  const named = passengerNameOf(name)
  if (named.lastName === '') warn('passenger_name', 'A passenger has no name. Enter it by hand.')
  const type = typeOfPassenger(ptc)
  const requests = requestsOf(air, block)
  const documents = requests.flatMap((request) => travelDocumentIn(request, today) ?? [])
  const identity = identityOf(documents.filter(({ isInfant }) => isInfant === (type === 'infant')))
  const births = [typed, ...details.map((each) => BIRTH.exec(each)?.[1] ?? ''), born]
  const printed = births.map((day) => fullDay(day, today, true)).find((day) => day !== null)
  return {
    ...named,
    type,
    ptc,
    ...identity,
    dateOfBirth: printed ?? identity.dateOfBirth ?? birthIn(requests, type, today),
    ...contactOf(requests, field(firstLineOf(block.own, 'I-'), CONTACTS)),
    frequentFlyer: frequentFlyerOf(linesFor(air, block, 'FQV')),
    seats: seatsIn(firstLineOf(block.own, 'S-'), sectors),
  }
}

/** Requests to the airlines, and other information for them, which begins with the airline. */
const requestsOf = (air: Air, block: PassengerBlock): string[] =>
  [
    ...linesNaming(air, block, 'SSR').map((line) => field(line, 0)),
    ...linesNaming(air, block, 'OSI').map((line) => field(line, 0).replace(/^\s*[A-Z\d]{2}\s+/, '')),
  ].slice(0, MAX_REQUESTS)

/** `EDUARD 27MAY51`: the name, followed by the date of birth. */
function withoutBirth(printed: string): { name: string; born: string } {
  const [found, born = ''] = BIRTH_BEHIND_NAME.exec(printed) ?? []
  return found ? { name: printed.slice(0, -found.length), born } : { name: printed, born: '' }
}

/** The texts in parentheses behind a name. */
const detailsOf = (name: string): string[] =>
  name
    .split('(', MAX_DETAILS)
    .slice(1)
    .map((each) => (each.split(')', 1)[0] ?? '').trim())

/** From requests to the airlines, otherwise from the contacts of the reservation that are not the agency's own. */
function contactOf(requests: readonly string[], printed: string): Pick<Passenger, 'email' | 'phone'> {
  const requested = contactIn(requests)
  if (printed.trim() === '') return requested
  const contacts = printed
    .replace(/^\s*AP/, '')
    .split('//', MAX_CONTACTS)
    .map((each) => each.trim())
    .filter((each) => !AGENCY.test(each))
  const telephones = contacts.filter((each) => !each.includes('@'))
  const phones = [...telephones.filter((each) => MOBILE.test(each)), ...telephones].map(phoneIn)
  const emails = contacts.map((each) => EMAIL.exec(each)?.[1] ?? null)
  return {
    email: requested.email ?? emails.find((each) => each !== null) ?? null,
    phone: requested.phone ?? phones.find((each) => each !== null) ?? null,
  }
}

/** `TK  FQTV-TK000000000` */
const frequentFlyerOf = (lines: readonly Line[]): string | null =>
  lines.map((line) => /FQTV\d?-\s*([A-Z0-9]{2,25})/.exec(field(line, 0))?.[1]).find(Boolean) ?? null

/** `01/S21K.N;/;/S22A.N`: the passenger's number, and for each sector its seat behind an S, or nothing. */
function seatsIn(line: Line | undefined, sectors: readonly (number | null)[]): Passenger['seats'] {
  return (line?.fields ?? []).flatMap((printed, at) => {
    const seat = /\/S(\d{1,3}[A-Z])\b/.exec(printed)?.[1]
    const leg = sectors[at]
    return seat && typeof leg === 'number' ? [{ leg, seat }] : []
  })
}
