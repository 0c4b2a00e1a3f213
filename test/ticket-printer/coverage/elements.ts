import { exchangeItem, refundItem } from '../../../src/features/ticket-printer/after-sale.ts'
import { factsOf } from '../../../src/features/ticket-printer/facts.ts'
import { saleRow } from '../../../src/features/ticket-printer/sale-row.ts'
import type {
  DocumentAction,
  Passenger,
  TicketDocument,
  TicketFile,
  TicketLeg,
} from '../../../src/features/ticket-printer/ticket-file.ts'

/** An element of a file: where the parsed ticket file has it, and where the sale keeps it. */
export type Element = {
  readonly name: string
  readonly isRead: (file: TicketFile) => boolean
  readonly isKept: (file: TicketFile) => boolean
}
type Cells = Readonly<Record<string, unknown>>

const READ = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' } as const
const isSomething = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
const rowOf = (file: TicketFile): Cells => saleRow(file, file.documents, { sale: null, read: READ }).row
/** Whether the sale of a file warns about values that it does not keep. */
export const isWarnedOf = (file: TicketFile): boolean =>
  saleRow(file, file.documents, { sale: null, read: READ }).warnings.length > 0
const itemsOf = (file: TicketFile, list: 'legs' | 'passengers'): readonly Cells[] =>
  (rowOf(file)[list] as readonly Cells[] | null) ?? []

/** A field of the file that a column of the sale keeps. */
const ofFile = (name: string, read: (file: TicketFile) => unknown, column: string): Element => ({
  name,
  isRead: (file) => isSomething(read(file)),
  isKept: (file) => isSomething(rowOf(file)[column]),
})
const ofPassengers = (
  name: string,
  read: (passenger: Passenger) => unknown,
  ...columns: readonly string[]
): Element => ({
  name,
  isRead: (file) => file.passengers.some((passenger) => isSomething(read(passenger))),
  isKept: (file) => itemsOf(file, 'passengers').some((cells) => columns.some((column) => isSomething(cells[column]))),
})
const ofDocuments = (name: string, read: (document: TicketDocument) => unknown, column: string): Element => ({
  name,
  isRead: (file) => file.documents.some((document) => isSomething(read(document))),
  isKept: (file) => itemsOf(file, 'passengers').some((cells) => isSomething(cells[column])),
})
const ofLegs = (name: string, read: (leg: TicketLeg) => unknown, column: string): Element => ({
  name,
  isRead: (file) => file.legs.some((leg) => isSomething(read(leg))),
  isKept: (file) => itemsOf(file, 'legs').some((cells) => isSomething(cells[column])),
})
/** A kind of document or file. */
const ofKind = (name: string, isKind: (file: TicketFile) => boolean): Element => ({
  name,
  isRead: isKind,
  isKept: (file) => isKind(file) && factsOf({ file }).length > 0,
})
const ofAction = (name: string, action: DocumentAction): Element => ({
  name,
  isRead: (file) => file.action === action,
  // An event of a document that changes its sale, or creates one.
  isKept: (file) => file.action === action && factsOf({ file }).length > 0,
})
/** A field of a refund or an exchange, kept in the sale's list of them. */
const ofChange = (
  name: string,
  read: (document: TicketDocument) => unknown,
  item: (document: TicketDocument) => Cells,
  column: string,
): Element => ({
  name,
  isRead: (file) => file.documents.some((document) => isSomething(read(document))),
  isKept: (file) =>
    file.documents.some((document) => isSomething(read(document)) && isSomething(item(document)[column])),
})
const refunded = (document: TicketDocument): Cells => refundItem(document, '2026-01-01')
const hasKind = (kind: TicketDocument['kind']) => (file: TicketFile) =>
  file.documents.some((document) => document.kind === kind)

/** By group, in the order of the page. */
export const ELEMENTS: Readonly<Record<string, readonly Element[]>> = {
  Files: [
    ofAction('issue', 'issue'),
    ofAction('exchange', 'exchange'),
    ofAction('refund', 'refund'),
    ofAction('void', 'void'),
    ofAction('void taken back', 'restore'),
    ofAction('refund taken back', 'refund_cancel'),
    ofAction('reservation without tickets', 'itinerary'),
    ofKind('several parts', ({ part }) => part !== null),
  ],
  Documents: [
    ofKind('ticket', hasKind('ticket')),
    ofKind('EMD', hasKind('emd')),
    ofKind('MCO', hasKind('mco')),
    ofDocuments('conjunction tickets', ({ conjunctions }) => conjunctions, 'conjunction_ticket_numbers'),
    ofDocuments('coupon status', ({ coupons }) => coupons, 'coupons'),
    ofDocuments('reason of an EMD or MCO', ({ services }) => services, 'services'),
    ofDocuments('ticket that an EMD belongs to', ({ associatedWith }) => associatedWith, 'associated_ticket_number'),
    ofDocuments('endorsement', ({ endorsement }) => endorsement, 'endorsement'),
    ofDocuments('tour code', ({ tourCode }) => tourCode, 'tour_code'),
    ofDocuments('form of payment', ({ formOfPayment }) => formOfPayment, 'form_of_payment_text'),
  ],
  Money: [
    ofDocuments('fare', ({ fare }) => fare.base, 'base_fare'),
    ofDocuments('fare in the currency of the sale', ({ fare }) => fare.equivalent, 'equivalent_fare'),
    ofDocuments('rate of exchange', ({ fare }) => fare.rate, 'exchange_rate'),
    ofDocuments('taxes', ({ fare }) => fare.taxes, 'taxes'),
    ofDocuments('taxes already paid', ({ fare }) => fare.paidTaxes, 'paid_taxes'),
    ofDocuments('exempt taxes', ({ fare }) => fare.exempt, 'exempt_taxes'),
    ofDocuments('airline fees (OB)', ({ fare }) => fare.fees, 'airline_fees'),
    ofDocuments('total', ({ fare }) => fare.total, 'total'),
    ofDocuments('fare calculation', ({ fareCalculation }) => fareCalculation, 'fare_calculation'),
    ofDocuments('bulk or inclusive tour fare', ({ fareMark }) => fareMark, 'fare_mark'),
    ofDocuments('net fare, as commission', ({ netFare }) => netFare, 'commission_amount'),
    ofDocuments('commission rate', ({ commission }) => commission?.rate, 'commission_rate'),
    ofDocuments('commission amount', ({ commission }) => commission?.amount, 'commission_amount'),
    ofDocuments('service fee of the agency', ({ serviceFee }) => serviceFee, 'service_fee'),
  ],
  'Refunds and exchanges': [
    ofChange('refunded amount', ({ refund }) => refund?.total, refunded, 'total'),
    ofChange('refund penalty', ({ refund }) => refund?.penalty, refunded, 'penalty'),
    ofChange('fare used', ({ refund }) => refund?.used, refunded, 'used'),
    ofChange('refunded taxes', ({ refund }) => refund?.taxes, refunded, 'taxes'),
    ofChange('refunded coupons', ({ refund }) => refund?.coupons, refunded, 'coupons'),
    ofChange('exchanged tickets', ({ exchange }) => exchange?.originals, exchangeItem, 'exchanged_ticket_numbers'),
    ofChange(
      'additional collection',
      ({ exchange }) => exchange?.additionalCollection,
      exchangeItem,
      'additional_collection',
    ),
    ofChange('exchange penalty', ({ exchange }) => exchange?.penalty, exchangeItem, 'penalty'),
    ofChange('residual value', ({ exchange }) => exchange?.residual, exchangeItem, 'residual'),
  ],
  Passengers: [
    ofPassengers('name', ({ lastName, firstName }) => lastName !== '' && firstName !== '', 'last_name'),
    ofPassengers('title', ({ title }) => title, 'title'),
    ofPassengers('passenger type', ({ ptc }) => ptc, 'passenger_type_code'),
    ofPassengers('date of birth', ({ dateOfBirth }) => dateOfBirth, 'date_of_birth'),
    ofPassengers('gender', ({ gender }) => gender, 'gender'),
    ofPassengers('nationality', ({ nationality }) => nationality, 'nationality'),
    ofPassengers('passport', ({ passport }) => passport, 'passport_number'),
    ofPassengers('e-mail', ({ email }) => email, 'email'),
    ofPassengers('phone', ({ phone }) => phone, 'phone', 'phone_text'),
    ofPassengers('frequent flyer number', ({ frequentFlyer }) => frequentFlyer, 'frequent_flyer_number'),
    ofPassengers('seats', ({ seats }) => seats, 'seats'),
  ],
  Flights: [
    ofLegs('flights', ({ flight }) => flight, 'flight_number'),
    ofLegs('departure time', ({ departure }) => departure, 'scheduled_departure'),
    ofLegs('arrival time', ({ arrival }) => arrival, 'scheduled_arrival'),
    ofLegs('class of service', ({ bookingClass }) => bookingClass, 'booking_class'),
    ofLegs('cabin', ({ cabin }) => cabin, 'cabin'),
    ofLegs('fare basis', ({ fareBasis }) => fareBasis, 'fare_basis'),
    ofLegs('status', ({ status }) => status, 'status'),
    ofLegs('baggage', ({ baggage }) => baggage, 'baggage'),
    ofLegs(
      'terminals',
      ({ departureTerminal, arrivalTerminal }) => departureTerminal ?? arrivalTerminal,
      'departure_terminal',
    ),
    ofLegs('operating airline', ({ operatingAirline }) => operatingAirline, 'operating_airline_code'),
    ofLegs('stopover or connection', ({ stopover }) => stopover !== null, 'stopover'),
    ofLegs(
      'not valid before or after',
      ({ notValidBefore, notValidAfter }) => notValidBefore ?? notValidAfter,
      'not_valid_after',
    ),
    ofLegs('locator of the airline', ({ airlineLocator }) => airlineLocator, 'airline_locator'),
  ],
  Reservation: [
    ofFile('record locator', ({ pnr }) => pnr, 'gds_pnr'),
    ofFile('locators of airlines', ({ airlineLocators }) => airlineLocators, 'pnr'),
    ofFile('booking office', ({ bookingOffice }) => bookingOffice, 'booking_office'),
    ofFile('ticketing office', ({ ticketingOffice }) => ticketingOffice, 'ticketing_office'),
    ofFile('booking agent', ({ bookingAgent }) => bookingAgent, 'booking_agent'),
    ofFile('ticketing agent', ({ ticketingAgent }) => ticketingAgent, 'ticketing_agent'),
    ofFile('IATA number', ({ iataNumber }) => iataNumber, 'iata_number'),
    ofFile('ticketing deadline', ({ ticketingDeadline }) => ticketingDeadline, 'ticketing_deadline'),
    ofFile('remarks', ({ remarks }) => remarks, 'remarks'),
  ],
}
