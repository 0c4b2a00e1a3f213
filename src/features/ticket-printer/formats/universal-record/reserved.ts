import type { TicketDocument } from '../../ticket-file.ts'
import { printedDay } from '../iso-times.ts'
import { descendants, element, elements, type TicketXmlElement } from '../xml/parse-xml.ts'
import { exchangeInto, paidTaxesOf } from './exchanges.ts'
import { exchangedIn, numbersIn, type StatedDocument, startDocument, statusOf, type UniversalAnswer } from './listed.ts'
import { formOfPaymentFor, onlyPayment, paymentsFor } from './payment.ts'
import { printedCommission, universalPrice } from './prices.ts'
import { endorsementOf, tourCodeOf } from './restrictions.ts'

/** The tickets listed in reservations (`TicketInfo`), without coupons; their fares are in the pricings. */
export const reservedDocuments = (
  reservations: readonly TicketXmlElement[],
  answer: UniversalAnswer,
): readonly StatedDocument[] =>
  reservations.flatMap((reservation) => {
    const tickets = elements(reservation, 'DocumentInfo', 'TicketInfo')
    return tickets.flatMap((ticket) => reserved(ticket, reservation, tickets, answer) ?? [])
  })

function reserved(
  ticket: TicketXmlElement,
  reservation: TicketXmlElement,
  tickets: readonly TicketXmlElement[],
  answer: UniversalAnswer,
): StatedDocument | null {
  const { attributes } = ticket
  const traveller = attributes.BookingTravelerRef
  const started = startDocument(answer, {
    number: attributes.Number,
    kind: 'ticket',
    traveller,
    name: element(ticket, 'Name'),
  })
  if (!started) return null
  const status = statusOf(attributes.Status)
  const pricing = pricingOf(reservation, attributes.AirPricingInfoRef, traveller)
  const payments = paymentsFor(answer.message, pricing)
  const paid = tickets.length === 1 ? onlyPayment(payments) : null
  const modifiers = modifiersOf(reservation, pricing)
  const isPriced = status === 'issued' || status === 'refunded'
  const priced = isPriced ? universalPrice(started.number, { pricing, paid }, answer.warn) : null
  const document: TicketDocument = {
    ...started,
    conjunctions: numbersIn(elements(ticket, 'ConjunctedTicketInfo'), 'Number'),
    airline: modifiers?.attributes.PlatingCarrier ?? pricing?.attributes.PlatingCarrier ?? started.airline,
    issuedOn: ticketedOn(answer.message),
    ...(priced && { ...priced, fare: { ...priced.fare, paidTaxes: paidTaxesOf(answer.message) } }),
    commission: printedCommission(
      (modifiers && element(modifiers, 'Commission')) ?? (pricing && descendants(pricing, 'Commission')[0]),
      priced?.fare.total?.currency,
    ),
    formOfPayment: formOfPaymentFor(answer.message, payments),
    tourCode: tourCodeOf(modifiers, modifiers, pricing),
    endorsement: endorsementOf(undefined, pricing),
    exchange: status === 'issued' ? exchangeInto(exchangedIn(ticket), answer, started.number) : null,
  }
  return { status, document }
}

/** The pricings of tickets that are still valid. */
export const pricingsOfTickets = (reservations: readonly TicketXmlElement[]): readonly TicketXmlElement[] => [
  ...new Set(
    reservations.flatMap((reservation) =>
      elements(reservation, 'DocumentInfo', 'TicketInfo').flatMap(
        ({ attributes: { Status, AirPricingInfoRef, BookingTravelerRef } }) =>
          statusOf(Status) === 'exchanged' ? [] : (pricingOf(reservation, AirPricingInfoRef, BookingTravelerRef) ?? []),
      ),
    ),
  ),
]

/** The pricing that a ticket names, otherwise the pricing of its traveller, otherwise the only one. */
function pricingOf(
  reservation: TicketXmlElement,
  key: string | undefined,
  traveller: string | undefined,
): TicketXmlElement | undefined {
  const all = elements(reservation, 'AirPricingInfo')
  const named = all.find(({ attributes }) => key !== undefined && attributes.Key === key)
  const theirs = all.filter((pricing) =>
    elements(pricing, 'BookingTravelerRef').some(({ attributes }) => attributes.Key === traveller),
  )
  return named ?? (theirs.length === 1 ? theirs[0] : all.length === 1 ? all[0] : undefined)
}

function modifiersOf(
  reservation: TicketXmlElement,
  pricing: TicketXmlElement | undefined,
): TicketXmlElement | undefined {
  const all = elements(reservation, 'TicketingModifiers')
  const keys = new Set(
    (pricing ? elements(pricing, 'TicketingModifiersRef') : []).map(({ attributes }) => attributes.Key),
  )
  return all.find(({ attributes }) => keys.has(attributes.Key)) ?? (all.length === 1 ? all[0] : undefined)
}

/** The last action of an agent on the reservation of this type: `Created`, `Ticketed`. */
export const lastAction = (message: TicketXmlElement, type: string): TicketXmlElement | undefined =>
  descendants(message, 'AgentAction').findLast(({ attributes }) => attributes.ActionType === type)

const ticketedOn = (message: TicketXmlElement): string | null =>
  printedDay(lastAction(message, 'Ticketed')?.attributes.EventTime ?? null)
