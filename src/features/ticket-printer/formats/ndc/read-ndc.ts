import { airlineOfNumber } from '../../airline-numbers.ts'
import {
  type FileWarning,
  type ReadTicketFile,
  type TicketDocument,
  type TicketFile,
  Unreadable,
} from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_FILE } from '../blank.ts'
import { madeAt, printedDay } from '../iso-times.ts'
import { followingNumbers } from '../printed.ts'
import { unreadableAmount } from '../warnings.ts'
import { descendants, element, elements, parseXml, type TicketXmlElement, textAt } from '../xml/parse-xml.ts'
import { assignedPrice } from './assigned-prices.ts'
import { readCancelled } from './cancelled.ts'
import { type ListedDocument, listedDocuments } from './documents.ts'
import { ndcLegs } from './legs.ts'
import { formOfPaymentOf } from './payment.ts'
import { pricesOf } from './prices.ts'
import { type Travellers, travellersOf } from './travellers.ts'

const ORDER = /^(?:IATA_)?Order(?:View|Retrieve)RS$/
const CANCELLED = /^(?:IATA_)?OrderCancelRS$/
const NAMESPACE_VERSION = /\/20(\d\d)\.(\d)\b/
/** Namespaces are declared in the first tags. */
const NAMESPACES = 4000

/** Reads what an airline answers to an order, versions 17.2 to 21.3, with or without a SOAP envelope around it. */
export const readNdc: ReadTicketFile = (text) => {
  const root = parseXml(text)
  if (root instanceof Unreadable) return root
  const message = messageIn(root)
  if (!message) return new Unreadable('The XML does not contain an OrderViewRS or OrderCancelRS.', 'unknown_format')
  const response = element(message, 'Response')
  if (!response)
    return new Unreadable(
      `The file contains an error message of the airline instead of an order. ${errorIn(message)}`.trim(),
      'unknown_kind',
    )
  const version = message.attributes.Version ?? versionOf(message, text)
  if (CANCELLED.test(message.name)) return readCancelled(response, version, timestampOf(message))
  return readOrder(response, version, timestampOf(message))
}

/** The message itself, or in the envelope's body. */
function messageIn(root: TicketXmlElement): TicketXmlElement | undefined {
  const places = [root, ...root.children, ...elements(root, 'Body').flatMap(({ children }) => children)]
  return places.find(({ name }) => ORDER.test(name) || CANCELLED.test(name))
}

function errorIn(message: TicketXmlElement): string {
  const error = descendants(message, 'Error')[0]
  const told = error && (error.text || error.attributes.ShortText || textAt(error, 'DescText'))
  return told ? `Message: ${told.slice(0, 200)}` : ''
}

const versionOf = (message: TicketXmlElement, text: string): string | null => {
  const [, year, month] = NAMESPACE_VERSION.exec(text.slice(0, NAMESPACES)) ?? []
  return payload(message, 'VersionNumber') ?? (year && month ? `${year}.${month}` : null)
}

const payload = (message: TicketXmlElement, name: string): string | null =>
  textAt(message, 'PayloadAttributes', name) ?? textAt(message, 'PayloadStandardAttributes', name)

const timestampOf = (message: TicketXmlElement): string | null =>
  payload(message, 'Timestamp') ?? message.attributes.TimeStamp ?? null

function readOrder(
  response: TicketXmlElement,
  version: string | null,
  timestamp: string | null,
): TicketFile | Unreadable {
  const listed = listedDocuments(response)
  if (listed.documents.length === 0 && listed.warnings.length > 0) {
    return new Unreadable(
      `None of the documents of the order can be captured. ${listed.warnings[0]?.message}`,
      'no_document',
    )
  }
  const travellers = travellersOf(response)
  const flights = ndcLegs(response)
  const owner = ownerOf(response) ?? airlineOfNumber(listed.documents[0]?.number ?? '')
  const made = documentsOf(response, listed.documents, travellers, printedDay(timestamp), owner)
  if (made.documents.length === 0 && listed.documents.length > 0) {
    return new Unreadable('The order does not name the passengers of its documents.', 'no_document')
  }
  return {
    ...BLANK_FILE,
    provider: 'ndc',
    format: 'ndc_orderview',
    action: made.documents.length > 0 ? 'issue' : 'itinerary',
    version,
    made: madeAt(timestamp),
    ...locatorsOf(response),
    issuedOn: made.documents[0]?.issuedOn ?? null,
    ticketingDeadline: made.documents.length > 0 ? null : deadlineOf(response),
    bsp: listed.documents.some(({ bsp }) => bsp),
    validatingAirline: validatingAirline(owner, made.documents),
    passengers: travellers.passengers,
    legs: flights.legs,
    documents: made.documents,
    warnings: [...listed.warnings, ...flights.warnings, ...made.warnings],
  }
}

function documentsOf(
  response: TicketXmlElement,
  listed: readonly ListedDocument[],
  travellers: Travellers,
  day: string | null,
  airline: string | null,
): { documents: TicketDocument[]; warnings: FileWarning[] } {
  const prices = pricesOf(response)
  const owned = listed.map((each) => ({ ...each, passenger: passengerIdOf(each, travellers) }))
  const formOfPayment = formOfPaymentOf(response)
  const documents: TicketDocument[] = []
  const warnings: FileWarning[] = []
  for (const each of owned) {
    const passenger = travellers.ids.indexOf(each.passenger ?? '')
    if (passenger < 0) {
      const message = `The order does not name the passenger of document ${each.number}. The document was left out.`
      warnings.push({ code: 'unknown_passenger', message })
      continue
    }
    const { fare, service, problem, spoilt } = assignedPrice(each, owned, prices)
    if (problem)
      warnings.push({ code: 'price_unknown', message: `The price of ${each.number} is not known: ${problem}.` })
    if (spoilt) warnings.push(unreadableAmount(each.number))
    documents.push({
      ...BLANK_DOCUMENT,
      number: each.number,
      kind: each.kind,
      passenger,
      conjunctions: followingNumbers(each.number, each.books - 1),
      airline,
      issuedOn: each.issuedOn ?? day,
      fare,
      formOfPayment,
      services: service ? [{ coupon: 1, rfic: null, rfisc: null, text: service, from: null, to: null }] : [],
      associatedWith: each.associatedWith,
    })
  }
  return { documents, warnings }
}

/** A document that names nobody belongs to the only passenger there is. */
const passengerIdOf = (document: ListedDocument, { ids }: Travellers): string | null =>
  document.passenger ?? (ids.length === 1 ? (ids[0] ?? null) : null)

function ownerOf(response: TicketXmlElement): string | null {
  const order = element(response, 'Order')
  const owner = order?.attributes.Owner ?? textAt(order, 'OwnerCode')
  return owner && /^[A-Z0-9]{2}$/.test(owner) ? owner : null
}

function validatingAirline(code: string | null, documents: readonly TicketDocument[]): TicketFile['validatingAirline'] {
  const numerics = new Set(documents.map(({ number }) => number.slice(0, 3)))
  const numeric = numerics.size === 1 ? ([...numerics][0] ?? null) : null
  return code === null && numeric === null ? null : { code, numeric, name: null }
}

/** Every airline's locator, and one of somebody else, which is then the system's that sold it. */
function locatorsOf(response: TicketXmlElement): Pick<TicketFile, 'pnr' | 'airlineLocators'> {
  const printed = [...descendants(response, 'BookingReference'), ...descendants(response, 'BookingRef')].flatMap(
    (each) => {
      const locator = textAt(each, 'ID') ?? textAt(each, 'BookingID')
      const airline = textAt(each, 'AirlineID') ?? textAt(each, 'BookingEntity', 'Carrier', 'AirlineDesigCode')
      return locator === null ? [] : [{ airline, locator }]
    },
  )
  const airlineLocators = [
    ...new Map(
      printed.flatMap(({ airline, locator }) =>
        airline === null ? [] : [[`${airline} ${locator}`, { airline, locator }] as const],
      ),
    ).values(),
  ]
  const own = printed.find(({ airline }) => airline === null) ?? printed[0]
  return { pnr: own?.locator ?? orderIdOf(response), airlineLocators }
}

function orderIdOf(response: TicketXmlElement): string | null {
  const order = element(response, 'Order')
  return order?.attributes.OrderID ?? textAt(order, 'OrderID')
}

function deadlineOf(response: TicketXmlElement): string | null {
  const limit = descendants(response, 'PaymentTimeLimit')[0]
  const later = descendants(response, 'PaymentTimeLimitDateTime')[0]
  return printedDay(later?.text ?? limit?.attributes.DateTime ?? textAt(limit, 'DateTime') ?? limit?.text ?? null)
}
