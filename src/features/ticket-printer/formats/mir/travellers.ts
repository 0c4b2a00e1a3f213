import type { Passenger, TicketLeg } from '../../ticket-file.ts'
import { contactIn, identityOf, type TravelDocument, travelDocumentIn } from '../service-requests.ts'
import type { Mir } from './mir.ts'
import type { PassengerEntry } from './passengers.ts'
import { placesOf } from './places.ts'
import { identityRequestsOf, type Request } from './requests.ts'
import { seatsOf } from './seats.ts'

/** A line A12: the city, the owner of the number, and the number behind a star or a slash. */
const PHONE = /^A12[A-Z]{3}([A-Z]{1,2}) ?[*/ ]\s*(.*)$/
/** Owners that are travellers. Numbers of agencies, hotels and fax machines are left out. */
const REQUESTS: Readonly<Record<string, string>> = { E: 'CTCE', M: 'CTCM', H: 'CTCH', R: 'CTCH', B: 'CTCB', O: 'CTCB' }

/** A contact of the reservation belongs to its first passenger. */
const FIRST = 0

/** The passengers with all their data from other sections. */
export function withDetails(
  mir: Mir,
  entries: readonly PassengerEntry[],
  legs: ReadonlyMap<string, TicketLeg>,
): PassengerEntry[] {
  const requests = identityRequestsOf(mir)
  const numbers = requests.flatMap(({ number }) => number ?? [])
  const placeOf = numbers.length === 0 ? NOWHERE : placesOf(mir, entries.length, numbers)
  const seats = seatsOf(mir, entries.length, [...legs.keys()])
  const documents = requests.map((request) => documentIn(request, mir, entries, placeOf))
  const party = partyContact(mir)
  return entries.map((entry, place) => {
    const own = contactIn(
      requests.filter(({ number }) => (number === null ? FIRST : placeOf(number)) === place).map(({ text }) => text),
    )
    const { dateOfBirth, ...identity } = identityOf(
      documents.flatMap((document) => (document?.place === place ? [document.document] : [])),
    )
    return {
      ...entry,
      passenger: {
        ...entry.passenger,
        ...identity,
        dateOfBirth: entry.passenger.dateOfBirth ?? dateOfBirth,
        email: own.email ?? (place === FIRST ? party.email : null),
        phone: own.phone ?? (place === FIRST ? party.phone : null),
        seats: seats(place),
      },
    }
  })
}

type PlaceOf = (number: number) => number | undefined
const NOWHERE: PlaceOf = () => undefined

/** A travel document belongs to the passenger whose name it has, otherwise to the one whose number the request has. */
function documentIn(
  { number, text }: Request,
  { header, today }: Mir,
  entries: readonly PassengerEntry[],
  placeOf: PlaceOf,
): { document: TravelDocument; place: number } | null {
  const document = travelDocumentIn(text, header.day ?? today)
  if (!document) return null
  const named = entries.flatMap(({ passenger }, place) => (isNamed(document, passenger) ? [place] : []))
  const infants = entries.flatMap(({ passenger }, place) => (passenger.type === 'infant' ? [place] : []))
  const numbered = number === null ? onlyOf(entries.map((_, place) => place)) : placeOf(number)
  const place = onlyOf(named) ?? (document.isInfant ? onlyOf(infants) : numbered)
  return place === undefined ? null : { document, place }
}

const onlyOf = (places: readonly number[]): number | undefined => (places.length === 1 ? places[0] : undefined)

function isNamed({ lastName, firstName }: TravelDocument, passenger: Passenger): boolean {
  const [document, printed] = [firstName, passenger.firstName].map((name) => name.replaceAll(' ', ''))
  if (!document || !printed || lastName !== passenger.lastName) return false
  return document.startsWith(printed) || printed.startsWith(document)
}

/** The contacts of the reservation in the form of requests to airlines. */
const partyContact = (mir: Mir): Pick<Passenger, 'email' | 'phone'> =>
  contactIn(
    mir.items('A12').flatMap(({ line }) => {
      const [, type = '', text = ''] = PHONE.exec(line) ?? []
      const request = REQUESTS[type]
      return request === undefined ? [] : [`${request} XX HK1/${text.replaceAll('--', '_')}`]
    }),
  )
