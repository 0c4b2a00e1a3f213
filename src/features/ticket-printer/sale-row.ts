import { isCurrency } from '../../catalogue/currencies.ts'
import { type ReadContext, Refusal } from '../../catalogue/kind.ts'
import { phone } from '../../catalogue/kinds.ts'
import { fitTicketSale, type OmittedValue } from '../bookings/commands/fit-ticket-sale.ts'
import { airlineOfNumber } from './airline-numbers.ts'
import { type InSale, inSale, passengerPriceOf, refundPriceOf, saleCurrencyOf } from './sale-price.ts'
import type {
  FileWarning,
  Passenger,
  Tax,
  TicketDocument,
  TicketFile,
  TicketLeg,
  TicketService,
} from './ticket-file.ts'

type Cells = Record<string, unknown>
/** A sale as a row of a ticket import, with warnings for the user. */
export type SaleRow = {
  readonly row: Cells & { readonly legs: readonly Cells[] | null; readonly passengers: readonly Cells[] }
  readonly warnings: readonly FileWarning[]
}

/** IATA's placeholder for an unknown first name. */
const NO_FIRST_NAME = 'FNU'
const NO_LAST_NAME = 'LNU'
const MOST_STOPS = 20
const AIRLINE = /^[A-Z0-9]{2,3}$/
const AIRPORT = /^[A-Z]{3}$/
/** Airlines write phone numbers with the country code but without a plus. */
const WITH_COUNTRY_CODE = /^(?:00)?([1-9]\d{10,14})$/

const airlineOf = (code: string | null): string | null => (code && AIRLINE.test(code) ? code : null)
const orNull = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null)
const codesAndAmounts = (taxes: readonly Tax[], amountOf: InSale): Cells[] =>
  taxes.flatMap((tax) => {
    const amount = amountOf(tax)
    return amount === null ? [] : [{ code: tax.code, amount }]
  })

/** The cells that identify a traveller. */
function personOf(file: TicketFile, person: Passenger | undefined, read: ReadContext): Cells {
  const number = person?.phone?.replace(WITH_COUNTRY_CODE, '+$1') ?? null
  const canBeDialled = number !== null && !(phone.read(number, read) instanceof Refusal)
  return {
    first_name: person?.firstName || NO_FIRST_NAME,
    last_name: person?.lastName || NO_LAST_NAME,
    title: person?.title ?? null,
    passenger_type: person?.type ?? 'adult',
    passenger_type_code: person?.ptc ?? null,
    date_of_birth: person?.dateOfBirth ?? null,
    gender: person?.gender ?? null,
    nationality: person?.nationality ?? null,
    passport_number: person?.passport?.number ?? null,
    passport_country: person?.passport?.country ?? null,
    passport_expiry: person?.passport?.expiresOn ?? null,
    email: person?.email ?? null,
    phone: canBeDialled ? number : null,
    phone_text: canBeDialled ? null : (person?.phone ?? null),
    frequent_flyer_number: person?.frequentFlyer ?? null,
    seats: orNull((person?.seats ?? []).flatMap(({ leg, seat }) => seatOn(file.legs[leg], seat))),
  }
}
const seatOn = (leg: TicketLeg | undefined, seat: string): Cells[] =>
  leg
    ? [
        {
          airline_code: leg.airline,
          flight_number: leg.flight,
          departure_airport: leg.from,
          arrival_airport: leg.to,
          seat,
        },
      ]
    : []

/** The cells of a passenger's entry that come from a document. */
function documentCells(file: TicketFile, document: TicketDocument, currency: string, warnings: FileWarning[]): Cells {
  const amountOf = inSale(currency, document, warnings)
  const { refund, exchange, formOfPayment, fare } = document
  return {
    ticket_number: document.number,
    conjunction_ticket_numbers: orNull(document.conjunctions),
    document_type: document.kind,
    airline_code: airlineOf(document.airline ?? file.validatingAirline?.code ?? airlineOfNumber(document.number)),
    issued_on: document.issuedOn ?? file.issuedOn,
    coupons: orNull(document.coupons),
    form_of_payment: formOfPayment?.kind ?? null,
    form_of_payment_text: formOfPayment?.text || null,
    tour_code: document.tourCode,
    endorsement: document.endorsement,
    exchanged_ticket_number: exchange?.originals[0]?.number ?? null,
    associated_ticket_number: document.associatedWith,
    services: orNull(document.services.map(serviceOf)),
    document_status: refund ? 'refunded' : 'open',
    service_fee: amountOf(document.serviceFee),
    exchange_rate: fare.rate,
    paid_taxes: orNull(codesAndAmounts(fare.paidTaxes, amountOf)),
    airline_fees: orNull(codesAndAmounts(fare.fees, amountOf)),
    exempt_taxes: orNull(fare.exempt),
    fare_calculation: document.fareCalculation,
    fare_mark: document.fareMark,
    ...(refund
      ? refundPriceOf(document, currency, amountOf)
      : passengerPriceOf(document, currency, amountOf, warnings)),
  }
}

const serviceOf = ({ coupon, rfic, rfisc, text, from, to }: TicketService): Cells => ({
  coupon,
  rfic,
  rfisc,
  description: text,
  departure_airport: from,
  arrival_airport: to,
})

/** The airline's record locator, which is printed with the flight or with the reservation. */
const locatorOf = ({ airlineLocators }: TicketFile, { airlineLocator, airline }: TicketLeg): string | null =>
  airlineLocator ?? airlineLocators.find((each) => each.airline === airline)?.locator ?? null

const legOf = (file: TicketFile, leg: TicketLeg): Cells => ({
  airline_code: leg.airline,
  flight_number: leg.flight,
  operating_airline_code: airlineOf(leg.operatingAirline),
  operating_airline_name: airlineOf(leg.operatingAirline) ? null : leg.operatingAirline,
  departure_airport: leg.from,
  arrival_airport: leg.to,
  scheduled_departure: leg.departure,
  scheduled_arrival: leg.arrival,
  departure_terminal: leg.departureTerminal,
  arrival_terminal: leg.arrivalTerminal,
  booking_class: leg.bookingClass,
  cabin: leg.cabin,
  fare_basis: leg.fareBasis,
  status: leg.status,
  baggage: leg.baggage,
  stops: leg.stops !== null && leg.stops <= MOST_STOPS ? leg.stops : null,
  equipment: leg.equipment,
  stopover: leg.stopover,
  airline_locator: locatorOf(file, leg),
  not_valid_before: leg.notValidBefore,
  not_valid_after: leg.notValidAfter,
})

const isLeg = ({ airline, flight, from, to }: TicketLeg): boolean =>
  AIRLINE.test(airline) && flight !== '' && AIRPORT.test(from) && AIRPORT.test(to)

/** What the sale depends on besides the file. */
type Place = {
  /** The currency of the existing sale to which documents are added. */
  readonly sale: string | null
  /** How cells are parsed; its currency is the company's. */
  readonly read: ReadContext
}

/**
 * The sale of these documents of a file, in the company's currency if they have none. What a record cannot hold is left
 * out, with a warning.
 */
export function saleRow(file: TicketFile, documents: readonly TicketDocument[], { sale, read }: Place): SaleRow {
  const warnings: FileWarning[] = []
  const printed = documents.map(saleCurrencyOf).find((code) => code !== null) ?? null
  const paid = file.paid && isCurrency(file.paid.currency) ? file.paid.currency : null
  const currency = sale ?? printed ?? paid ?? read.currency
  if (documents.length > 0 && printed === null)
    warnings.push({
      code: 'no_prices',
      message: `The file has no prices, so the sale, in ${currency}, has a total of zero. Enter the prices.`,
    })
  const legs = file.legs.filter(isLeg)
  if (legs.length < file.legs.length)
    warnings.push({ code: 'leg_unread', message: 'A flight without an airline or airports was left out.' })
  const passengers = documents.map((document) => {
    const { firstName, lastName } = file.passengers[document.passenger] ?? {}
    if (!firstName || !lastName)
      warnings.push({
        code: 'name_missing',
        message: `Document ${document.number} does not have the full name of its passenger. Check the name.`,
      })
    const person = personOf(file, file.passengers[document.passenger], read)
    return { ...person, ...documentCells(file, document, currency, warnings) }
  })
  const { row, leftOut } = fitTicketSale(
    {
      ...reservationOf(file),
      currency,
      transaction_date: documents[0]?.issuedOn ?? file.issuedOn ?? file.made?.day ?? null,
      legs: legs.map((leg) => legOf(file, leg)),
      passengers,
    },
    read,
  )
  return { row, warnings: onceEach([...warnings, ...leftOut.map(valueLeftOut)]) }
}

function reservationOf(file: TicketFile): Cells {
  const { validatingAirline, airlineLocators } = file
  const own = airlineLocators.find(({ airline }) => airline === validatingAirline?.code) ?? airlineLocators[0]
  return {
    pnr: own?.locator ?? file.pnr,
    gds_pnr: file.pnr,
    settlement_channel: file.bsp ? 'bsp' : 'direct',
    issuing_system: file.provider,
    booking_office: file.bookingOffice,
    ticketing_office: file.ticketingOffice,
    iata_number: file.iataNumber,
    booking_agent: file.bookingAgent,
    ticketing_agent: file.ticketingAgent,
    ticketing_deadline: file.ticketingDeadline,
    remarks: file.remarks.join('\n') || null,
  }
}

const valueLeftOut = ({ at, message }: OmittedValue): FileWarning => ({
  code: 'value_left_out',
  message: `${at} was left out, because the file has an invalid value. ${message} Enter it by hand.`,
})
const onceEach = (warnings: readonly FileWarning[]): FileWarning[] => [
  ...new Map(warnings.map((warning) => [warning.message, warning])).values(),
]
