import { airlineOfNumber } from '../../airline-numbers.ts'
import {
  type FileWarning,
  type Passenger,
  type TicketDocument,
  type TicketFile,
  type TicketService,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE } from '../blank.ts'
import { madeAt, printedDay } from '../iso-times.ts'
import { followingNumbers } from '../printed.ts'
import { unknownCollection, unreadableAmount } from '../warnings.ts'
import { descendants, element, firstTextAt, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { sellerIn } from './agency.ts'
import { type Assigned, assignedPrice } from './assigned-prices.ts'
import { baggageBySegment } from './baggage.ts'
import { commissionIn } from './commission.ts'
import { servicesOfCoupons, statusesOf } from './coupons.ts'
import { type ListedDocument, listedDocuments } from './documents.ts'
import { exchangedFor } from './exchanged.ts'
import { ndcLegs } from './legs.ts'
import { orderLocators } from './locators.ts'
import type { Heading } from './messages.ts'
import { type Owned, ownedDocuments } from './passengers-of-documents.ts'
import { formOfPaymentOf } from './payment.ts'
import { airlineIn, type OrderPrice, pricesOf } from './prices.ts'
import { orderRemarks } from './remarks.ts'
import { orderedSeats } from './seats.ts'
import { definitionsOf } from './services.ts'
import { spentOrder } from './spent.ts'
import { travellersOf } from './travellers.ts'
import { orderTotal, paidAmount, unticketedServices } from './unticketed.ts'

/** Reads an order with its documents. One without any is a reservation. */
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
  const made = documentsOf(message, response, owned, pricesOf(response, definitions), heading, owner)
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
    remarks: orderRemarks(message),
    warnings: [...unlisted, ...owned.warnings, ...flights.warnings, ...made.warnings],
  }
}

function actionOf(documents: readonly TicketDocument[]): TicketFile['action'] {
  if (documents.length === 0) return 'itinerary'
  return documents.some(({ exchange }) => exchange) ? 'exchange' : 'issue'
}

function documentsOf(
  message: TicketXmlElement,
  response: TicketXmlElement,
  owned: Owned,
  prices: readonly OrderPrice[],
  { timestamp }: Heading,
  owner: string | null,
): { documents: TicketDocument[]; warnings: FileWarning[] } {
  const good = owned.documents.filter(({ spent }) => spent === null)
  const assigned = new Map(good.map((document) => [document, assignedPrice(document, good, prices)] as const))
  const shared = {
    formOfPayment: formOfPaymentOf(message),
    commission: commissionIn(response) ?? commissionIn(element(response, 'Order')),
  }
  const documents = [...assigned].map(([listed, price]): TicketDocument => {
    const airline = airlineIn(listed.issuer) ?? price.owner ?? owner ?? airlineOfNumber(listed.number)
    const { commission, formOfPayment } = shared
    return {
      ...BLANK_DOCUMENT,
      number: listed.number,
      kind: listed.kind,
      passenger: owned.ids.indexOf(listed.passenger ?? ''),
      conjunctions: followingNumbers(listed.number, listed.books - 1),
      coupons: statusesOf(listed.coupons),
      airline,
      issuedOn: listed.issuedOn ?? printedDay(timestamp),
      fare: price.fare,
      fareCalculation: listed.kind === 'ticket' ? price.fareCalculation : null,
      tourCode: price.tourCode,
      // An amount is of the whole order, a percent of every document.
      commission: listed.commission ?? (commission && good.length > 1 ? { ...commission, amount: null } : commission),
      formOfPayment,
      endorsement: listed.endorsement,
      services: servicesOf(listed, price),
      associatedWith: listed.associatedWith,
      exchange: exchangedFor(listed, owned.documents),
    }
  })
  const problems = [
    ...owned.documents.filter(({ spent }) => spent !== null).map(spentDocument),
    ...[...assigned].flatMap(([{ number }, price]) => priceWarnings(number, price)),
    ...(good.length > 0 ? servicesWithout(prices, [...assigned.values()], owned) : []),
  ]
  return {
    documents,
    warnings: [
      ...problems,
      ...(problems.some(({ code }) => code === 'price_unknown') ? paidAmount(message) : []),
      ...(problems.length === 0 ? orderTotal(response, documents) : []),
      ...documents.filter(({ exchange }) => exchange).map(({ number }) => unknownCollection(number)),
    ],
  }
}

const spentDocument = ({ number }: ListedDocument): FileWarning => ({
  code: 'spent_document',
  message: `The coupons of ${number} are void, refunded or exchanged. The document was left out.`,
})

const priceWarnings = (number: string, { problem, spoilt }: Assigned): readonly FileWarning[] => [
  ...(problem ? [{ code: 'price_unknown', message: `The price of ${number} is not known: ${problem}.` }] : []),
  ...(spoilt ? [unreadableAmount(number)] : []),
]

function servicesWithout(prices: readonly OrderPrice[], assigned: readonly Assigned[], { ids, passengers }: Owned) {
  const nameOf = (id: string): string => {
    const { firstName = '', lastName = '' } = passengers[ids.indexOf(id)] ?? {}
    return `${firstName} ${lastName}`.trim() || id
  }
  return unticketedServices(prices, new Set(assigned.flatMap((each) => each.prices)), nameOf)
}

/** The reasons of the coupons, with the names of the services that were sold; else the services alone. */
function servicesOf({ kind, coupons }: ListedDocument, { services }: Assigned): readonly TicketService[] {
  if (kind === 'ticket') return []
  const own = servicesOfCoupons(coupons)
  const sold = services.map(({ name, rfic, rfisc }, at) => ({
    coupon: at + 1,
    rfic,
    rfisc,
    text: name,
    from: null,
    to: null,
  }))
  if (own.length === 0) return sold
  return own.map((coupon, at) => ({ ...coupon, text: coupon.text ?? sold[at]?.text ?? null }))
}

/** The airline whose order it is; systems that sell for several have codes of their own, such as 1A. */
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
