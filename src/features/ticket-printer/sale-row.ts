import { airlineOfNumber } from './airline-numbers.ts'
import { inSale, passengerPriceOf, refundPriceOf, saleCurrencyOf } from './sale-price.ts'
import type { FileWarning, TicketDocument, TicketFile, TicketLeg } from './ticket-file.ts'

type Cells = Record<string, unknown>
/** A sale as the import of tickets takes it, and what a human should look at. */
export type SaleRow = {
  readonly row: Cells & { readonly legs: readonly Cells[]; readonly passengers: readonly Cells[] }
  readonly warnings: readonly FileWarning[]
}

const AIRLINE = /^[A-Z0-9]{2,3}$/
const AIRPORT = /^[A-Z]{3}$/
/** What IATA writes for a name that nobody knows. */
const NO_FIRST_NAME = 'FNU'
const NO_LAST_NAME = 'LNU'
const MOST_STOPS = 20

/** Cells are cut to what a record can hold. */
const cut = (text: string | null | undefined, maximum: number): string | null =>
  text?.slice(0, maximum).toWellFormed() ?? null
const airlineOf = (code: string | null | undefined): string | null => (code && AIRLINE.test(code) ? code : null)

/** The entry of a document among the sale's passengers. */
function passengerOf(file: TicketFile, document: TicketDocument, currency: string, warnings: FileWarning[]): Cells {
  const amountOf = inSale(currency, document, warnings)
  const person = file.passengers[document.passenger]
  const { refund, exchange, formOfPayment, conjunctions } = document
  return {
    first_name: cut(person?.firstName || NO_FIRST_NAME, 100),
    last_name: cut(person?.lastName || NO_LAST_NAME, 100),
    title: cut(person?.title, 20),
    passenger_type: person?.type ?? 'adult',
    date_of_birth: person?.dateOfBirth ?? null,
    frequent_flyer_number: cut(person?.frequentFlyer, 40),
    ticket_number: document.number,
    conjunction_ticket_numbers: conjunctions.length > 0 ? conjunctions : null,
    document_type: document.kind,
    airline_code: airlineOf(document.airline ?? file.validatingAirline?.code ?? airlineOfNumber(document.number)),
    issued_on: document.issuedOn ?? file.issuedOn,
    form_of_payment: formOfPayment?.kind ?? null,
    tour_code: cut(document.tourCode, 30),
    endorsement: cut(document.endorsement, 300),
    exchanged_ticket_number: exchange?.originals[0]?.number ?? null,
    document_status: refund ? 'refunded' : 'open',
    service_fee: amountOf(document.serviceFee),
    ...(refund
      ? refundPriceOf(document, currency, amountOf)
      : passengerPriceOf(document, currency, amountOf, warnings)),
  }
}

const legOf = (leg: TicketLeg): Cells => ({
  airline_code: leg.airline,
  flight_number: cut(leg.flight, 8),
  operating_airline_code: airlineOf(leg.operatingAirline),
  departure_airport: leg.from,
  arrival_airport: leg.to,
  scheduled_departure: leg.departure,
  scheduled_arrival: leg.arrival,
  departure_terminal: cut(leg.departureTerminal, 10),
  arrival_terminal: cut(leg.arrivalTerminal, 10),
  booking_class: cut(leg.bookingClass, 2),
  fare_basis: cut(leg.fareBasis, 30),
  status: cut(leg.status, 10),
  baggage: cut(leg.baggage, 30),
  stops: leg.stops !== null && leg.stops <= MOST_STOPS ? leg.stops : null,
  equipment: cut(leg.equipment, 20),
  stopover: leg.stopover,
})
const isLeg = ({ airline, flight, from, to }: TicketLeg): boolean =>
  AIRLINE.test(airline) && flight !== '' && AIRPORT.test(from) && AIRPORT.test(to)

/** Of the sale that documents are added to, where there is one, and of the company. */
type Currencies = { readonly sale: string | null; readonly company: string }

/** The sale that these documents of a file make; in the company's currency where they name none. */
export function saleRow(
  file: TicketFile,
  documents: readonly TicketDocument[],
  { sale, company }: Currencies,
): SaleRow {
  const warnings: FileWarning[] = []
  const currency = sale ?? documents.map(saleCurrencyOf).find((code) => code !== null) ?? company
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
    return passengerOf(file, document, currency, warnings)
  })
  const { validatingAirline, airlineLocators } = file
  const own = airlineLocators.find(({ airline }) => airline === validatingAirline?.code) ?? airlineLocators[0]
  return {
    row: {
      pnr: cut(own?.locator ?? file.pnr, 20),
      gds_pnr: cut(file.pnr, 20),
      settlement_channel: file.bsp ? 'bsp' : 'direct',
      issuing_system: file.provider,
      currency,
      transaction_date: documents[0]?.issuedOn ?? file.issuedOn ?? file.made?.day ?? null,
      legs: legs.map(legOf),
      passengers,
    },
    warnings,
  }
}
