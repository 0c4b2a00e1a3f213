import { BLANK_LEG, BLANK_PASSENGER } from '../../../src/features/ticket-printer/formats/blank.ts'
import type { Passenger, TicketFile, TicketLeg } from '../../../src/features/ticket-printer/ticket-file.ts'
import type { MirPassenger, MirScenario } from './mir-scenario.ts'

const TYPES: Readonly<Record<string, Passenger['type']>> = { ADT: 'adult', CNN: 'child', C08: 'child', INF: 'infant' }

export function passengerOf(passenger: MirPassenger, at: number, { contact }: MirScenario): Passenger {
  const { document, email, phone, seats = [] } = passenger
  const party = at === 0 ? contact : undefined
  return {
    ...BLANK_PASSENGER,
    lastName: passenger.last,
    firstName: passenger.first,
    title: passenger.title ?? null,
    type: TYPES[passenger.ptc ?? 'ADT'] ?? 'adult',
    ptc: passenger.ptc === '' ? null : (passenger.ptc ?? 'ADT'),
    dateOfBirth: passenger.born ?? document?.born ?? null,
    gender: document?.sex ?? null,
    nationality: document?.nationality ?? null,
    passport: document ? { number: document.number, country: document.country, expiresOn: document.expires } : null,
    email: email ?? party?.email ?? null,
    phone: phone ?? party?.phone ?? null,
    frequentFlyer: passenger.flyer ? passenger.flyer.airline + passenger.flyer.number : null,
    seats: seats.flatMap(({ leg, seat, isPending }) => (isPending ? [] : [{ leg, seat }])),
  }
}

export const locatorsOf = ({ locators = [], otherLocator }: MirScenario): TicketFile['airlineLocators'] => [
  ...locators,
  ...(otherLocator ? [otherLocator] : []),
]

/** Fare basis, validity and baggage require a fare. */
export const legsOf = (scenario: MirScenario): TicketLeg[] =>
  (scenario.legs ?? []).map((leg) => ({
    ...BLANK_LEG,
    airline: leg.airline,
    flight: leg.flight,
    operatingAirline: leg.operator ?? null,
    airlineLocator: locatorsOf(scenario).find(({ airline }) => airline === leg.airline)?.locator ?? null,
    notValidBefore: (scenario.fares?.length && leg.notValidBefore) || null,
    notValidAfter: (scenario.fares?.length && leg.notValidAfter) || null,
    from: leg.from,
    to: leg.to,
    departure: leg.departure ?? null,
    arrival: leg.arrival ?? null,
    departureTerminal: leg.terminal ?? null,
    arrivalTerminal: null,
    bookingClass: 'Y',
    fareBasis: (scenario.fares?.length && leg.fareBasis) || null,
    status: 'HK',
    baggage: (scenario.fares?.length && leg.baggage) || null,
    stops: 0,
    equipment: '321',
    stopover: leg.stopover ?? true,
  }))
