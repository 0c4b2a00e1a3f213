import { airlineOfNumber, numericCodeOf } from '../../airline-numbers.ts'
import type { TicketFile, TicketLeg } from '../../ticket-file.ts'
import { elements, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import type { SirenaEntry, SirenaNotes } from './entries.ts'
import { isVoidCoupon, legOf } from './legs.ts'

/** The only airline of all flights of a ticket; null if there are several. */
function flyingAirline(ticket: TicketXmlElement): string | null {
  const [only = null, ...others] = new Set(flightsOf(ticket).map(({ airline }) => airline))
  return others.length === 0 ? only : null
}

/**
 * The number of a closed airline may belong to another one today. An airline without a known number flies on its own
 * tickets.
 */
export function sirenaAirlineOf({ ticket, number }: SirenaEntry): string | null {
  const flying = flyingAirline(ticket)
  return flying !== null && numericCodeOf(flying) === null ? flying : airlineOfNumber(number)
}

/** The airline's own locator; the airline is that of the flights if they have one. */
export function sirenaLocatorOf(sale: SirenaEntry): TicketFile['airlineLocators'] {
  const locator = textAt(sale.ticket, 'INV_PNR')
  const airline = flyingAirline(sale.ticket) ?? sirenaAirlineOf(sale)
  return locator !== null && airline !== null ? [{ airline, locator }] : []
}

const segmentsOf = (ticket: TicketXmlElement) =>
  elements(ticket, 'SEGMENTS', 'SEGMENT').filter((segment) => !isVoidCoupon(segment))
const flightsOf = (ticket: TicketXmlElement): readonly TicketLeg[] =>
  segmentsOf(ticket)
    .map(legOf)
    .filter((leg) => 'flight' in leg)

export function sirenaLegsOf(sale: SirenaEntry, { warn }: SirenaNotes): readonly TicketLeg[] {
  const { ticket, number } = sale
  const [own] = sirenaLocatorOf(sale)
  for (const leg of segmentsOf(ticket).map(legOf))
    if ('unknown' in leg)
      warn('leg', `The flight "${leg.unknown}" of ${number} has no code of IATA and was left out. Enter it by hand.`)
  return flightsOf(ticket).map((leg) => (leg.airline === own?.airline ? { ...leg, airlineLocator: own.locator } : leg))
}
