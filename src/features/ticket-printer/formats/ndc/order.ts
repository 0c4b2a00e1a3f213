import { airlineOfNumber } from '../../airline-numbers.ts'
import { type Passenger, type TicketDocument, type TicketFile, Unreadable } from '../../ticket-file.ts'
import { BLANK_FILE } from '../blank.ts'
import { madeAt, printedDay } from '../iso-times.ts'
import { descendants, element, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { sellerIn } from './agency.ts'
import { baggageBySegment } from './baggage.ts'
import { listedDocuments } from './documents.ts'
import { ndcLegs } from './legs.ts'
import { orderLocators } from './locators.ts'
import type { Heading } from './messages.ts'
import { ownedDocuments } from './passengers-of-documents.ts'
import { pricedDocuments } from './priced-documents.ts'
import { airlineIn, pricesOf } from './prices.ts'
import { orderRemarks } from './remarks.ts'
import { orderedSeats } from './seats.ts'
import { definitionsOf } from './services.ts'
import { spentOrder } from './spent.ts'
import { travellersOf } from './travellers.ts'

/** Parses an order with its documents. An order without documents is a reservation. */
export function readOrder(
  message: TicketXmlElement,
  response: TicketXmlElement,
  heading: Heading,
): TicketFile | Unreadable {
  const { documents: listed, warnings: unlisted } = listedDocuments(response)
  if (listed.length === 0 && unlisted.length > 0) {
    return new Unreadable(`None of the documents of the order can be captured. ${unlisted[0]?.message}`, 'no_document')
  }
  const spent = spentOrder(listed, response, heading)
  if (spent) return spent
  if (listed.length > 0 && listed.every((document) => document.spent !== null)) {
    const numbers = listed.map(({ number }) => number).join(', ')
    return new Unreadable(
      `The coupons of all documents of the order are void, refunded or exchanged (${numbers}). Change their sales by hand.`,
      'unknown_kind',
    )
  }
  const owner = ownerOf(response) ?? airlineOfNumber(listed[0]?.number ?? '')
  const definitions = definitionsOf(response)
  const locators = orderLocators(response, owner)
  const baggage = baggageBySegment(
    response,
    definitions,
    listed.flatMap(({ coupons }) => coupons),
  )
  const flights = ndcLegs(response, listed, { baggage, locators: locators.airlineLocators })
  const owned = ownedDocuments(listed, travellersOf(response))
  const made = pricedDocuments(message, response, owned, pricesOf(response, definitions), heading, owner)
  return {
    ...BLANK_FILE,
    provider: 'ndc',
    format: 'ndc_orderview',
    action: actionOf(made.documents),
    version: heading.version,
    made: madeAt(heading.timestamp),
    ...locators,
    ...sellerIn(message),
    issuedOn: made.documents[0]?.issuedOn ?? null,
    ticketingDeadline: deadlineOf(response),
    bsp: listed.some(({ bsp }) => bsp),
    validatingAirline: validatingAirline(made.documents[0]?.airline ?? owner, made.documents),
    passengers: owned.passengers.map(
      (passenger, at): Passenger => ({
        ...passenger,
        seats: orderedSeats(response, owned.ids[at] ?? '', flights.segments),
      }),
    ),
    legs: flights.legs,
    documents: made.documents,
    ...(made.paid && { paid: made.paid }),
    remarks: orderRemarks(message),
    warnings: [...unlisted, ...owned.warnings, ...flights.warnings, ...made.warnings],
  }
}

function actionOf(documents: readonly TicketDocument[]): TicketFile['action'] {
  if (documents.length === 0) return 'itinerary'
  return documents.some(({ exchange }) => exchange) ? 'exchange' : 'issue'
}

/** The airline of the order. Systems that sell for several airlines have codes of their own, such as 1A. */
function ownerOf(response: TicketXmlElement): string | null {
  const order = element(response, 'Order')
  const id = order && element(order, 'OrderID')
  return airlineIn(order?.attributes.Owner ?? textAt(order, 'OwnerCode') ?? id?.attributes.Owner)
}

function validatingAirline(code: string | null, documents: readonly TicketDocument[]): TicketFile['validatingAirline'] {
  const numerics = new Set(documents.map(({ number }) => number.slice(0, 3)))
  const numeric = numerics.size === 1 ? ([...numerics][0] ?? null) : null
  return code === null && numeric === null ? null : { code, numeric, name: null }
}

function deadlineOf(response: TicketXmlElement): string | null {
  const limit = descendants(response, 'PaymentTimeLimit')[0]
  const later = descendants(response, 'PaymentTimeLimitDateTime')[0]
  return printedDay(later?.text ?? limit?.attributes.DateTime ?? firstTextAt(limit, 'DateTime') ?? limit?.text ?? null)
}
