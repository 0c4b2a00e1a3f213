import type { Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { fullDay } from '../days.ts'
import { printedDay } from '../iso-times.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import { contactIn, identityOf, phoneIn, travelDocumentIn } from '../service-requests.ts'
import { descendants, element, elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'

/** The travellers of an answer without repetition, and the keys by which it refers to them. */
export type UniversalTravellers = {
  readonly passengers: readonly Passenger[]
  /** The index of a traveller by key, otherwise by name; -1 if unknown. */
  readonly indexOf: (key: string | undefined, name: TicketXmlElement | undefined) => number
}
/** The index of a flight by the key of its segment. */
export type LegIndex = ReadonlyMap<string, number>

const nameOf = (name: TicketXmlElement | undefined): string =>
  `${name?.attributes.Last ?? ''}/${name?.attributes.First ?? ''}`

/** Every person for whom the answer has a traveller, an EMD or, by name only, a ticket. */
export function travellersIn(message: TicketXmlElement, legs: LegIndex, today: string): UniversalTravellers {
  const printed = [
    ...descendants(message, 'BookingTraveler').map((each) => ({ each, name: element(each, 'BookingTravelerName') })),
    ...descendants(message, 'EMDTravelerInfo').map((each) => ({ each, name: element(each, 'NameInfo') })),
  ].map(({ each, name }) => ({ each, name, key: each.attributes.Key ?? nameOf(name) }))
  const byKey = new Map(printed.map((traveller) => [traveller.key, traveller]))
  const everybody = [...byKey.values()]
  const types = typesIn(message)
  return {
    passengers: everybody.map(({ each, name, key }) =>
      passengerOf(each, name, types.get(key) ?? types.get('') ?? null, legs, today),
    ),
    indexOf: (key, name) => {
      const byTheirKey = everybody.findIndex((traveller) => traveller.key === key)
      if (byTheirKey >= 0) return byTheirKey
      if (name) return everybody.findIndex((traveller) => nameOf(traveller.name) === nameOf(name))
      return everybody.length === 1 ? 0 : -1
    },
  }
}

/** The passenger types in pricings, by traveller; the empty key has the type of all travellers if they share one. */
function typesIn(message: TicketXmlElement): ReadonlyMap<string, string> {
  const printed = descendants(message, 'AirPricingInfo').flatMap((pricing) => elements(pricing, 'PassengerType'))
  const codes = new Set(printed.map(({ attributes }) => attributes.Code ?? ''))
  const [only] = codes
  return new Map([
    ...(codes.size === 1 && only ? [['', only] as const] : []),
    ...printed.flatMap(({ attributes: { Code, BookingTravelerRef } }) =>
      Code && BookingTravelerRef ? [[BookingTravelerRef, Code] as const] : [],
    ),
  ])
}

function passengerOf(
  printed: TicketXmlElement,
  name: TicketXmlElement | undefined,
  priced: string | null,
  legs: LegIndex,
  today: string,
): Passenger {
  const { TravelerType, DOB, Gender } = printed.attributes
  const ptc = TravelerType ?? priced
  const remarks = elements(printed, 'NameRemark').flatMap((remark) => textAt(remark, 'RemarkData') ?? [])
  const requests = elements(printed, 'SSR').map(({ attributes }) => requestOf(attributes))
  const identity = identityOf(requests.flatMap((request) => travelDocumentIn(request, today) ?? []))
  const contact = contactIn(requests)
  const named = passengerNameOf(nameOf(name))
  return {
    ...BLANK_PASSENGER,
    ...named,
    title: name?.attributes.Prefix ?? named.title,
    type: typeOfPassenger(ptc),
    ptc,
    ...identity,
    dateOfBirth:
      printedDay(DOB ?? null) ??
      identity.dateOfBirth ??
      remarks.map((each) => fullDay(each, today, true)).find(Boolean) ??
      null,
    gender: Gender ?? identity.gender,
    email: elements(printed, 'Email').find(({ attributes }) => attributes.EmailID)?.attributes.EmailID ?? contact.email,
    phone: phoneOf(printed) ?? contact.phone,
    frequentFlyer: frequentFlyerOf(printed),
    seats: seatsOf(printed, legs),
  }
}

/** As in airline messages: `DOCS /P/TUR/…`, `CTCM 905320000000`. */
const requestOf = ({ Type = '', FreeText = '' }: TicketXmlElement['attributes']): string =>
  Type.startsWith('DOC') ? `${Type} /${FreeText.replace(/ -\d.*$/, '')}` : `${Type} ${FreeText.replace(/^\/+/, '')}`

/** Phone entries of these types contain remarks of agents. */
const NO_PHONE = /^(?:None|Agency|Fax)$/

function phoneOf(printed: TicketXmlElement): string | null {
  const [number] = elements(printed, 'PhoneNumber').flatMap(({ attributes }) => {
    const { Type = '', CountryCode, AreaCode, Number: digits } = attributes
    const phone = phoneIn([CountryCode, AreaCode, digits].filter(Boolean).join(' '))
    return NO_PHONE.test(Type) || phone === null ? [] : [phone]
  })
  return number ?? null
}

function frequentFlyerOf(printed: TicketXmlElement): string | null {
  const { SupplierCode = '', CardNumber } = element(printed, 'LoyaltyCard')?.attributes ?? {}
  return CardNumber ? `${SupplierCode}${CardNumber}` : null
}

function seatsOf(printed: TicketXmlElement, legs: LegIndex): Passenger['seats'] {
  return elements(printed, 'AirSeatAssignment').flatMap(({ attributes: { Seat, SegmentRef } }) => {
    const leg = legs.get(SegmentRef ?? '')
    return Seat && leg !== undefined ? [{ leg, seat: Seat.replace('-', '') }] : []
  })
}
