import {
  BLANK_DOCUMENT,
  BLANK_FILE,
  BLANK_LEG,
  BLANK_PASSENGER,
  BLANK_REFUND,
} from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  type DocumentAction,
  type Fare,
  type FileWarning,
  NO_FARE,
  type Passenger,
  type TicketDocument,
  type TicketFile,
  type TicketLeg,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import { sumOf } from './any.ts'
import { FILED_IN, PTCS } from './ndc.ts'
import { taxesOf, totalOf } from './order.ts'
import { isRecord, PROVIDERS, type Traveller, type UniversalOrder } from './universal-order.ts'
import { AGENT, calculationOf, ENDORSEMENT, IATA, OFFICE } from './universal-record.ts'

const isOfServices = ({ message }: UniversalOrder): boolean => message === 'EMDRetrieveRsp'
const money = ({ currency }: UniversalOrder, amount: string) => ({ currency, amount })

function fareOf(order: UniversalOrder, sold: Traveller): Fare {
  const { filed, currency, mark, hasTaxList } = order
  // A void ticket of a reservation has the price of the sale.
  if (isRecord(order) && order.status === 'V') return NO_FARE
  const sum = sold.taxes.length > 0 ? sumOf(sold.taxes.map(({ amount }) => amount)) : '0'
  const uncoded = Number(sum) > 0 ? [{ ...money(order, sum), code: 'XX', nature: null }] : []
  const isFiled = filed !== null && currency !== FILED_IN
  const fare = money(order, sold.fare)
  return {
    ...NO_FARE,
    base: mark ? null : isFiled ? { currency: FILED_IN, amount: filed } : fare,
    equivalent: isFiled && !mark ? fare : null,
    taxes: hasTaxList && sold.taxes.length > 0 ? taxesOf(sold.taxes, currency) : uncoded,
    total: mark ? null : money(order, totalOf(sold)),
  }
}

function ticketOf(order: UniversalOrder, sold: Traveller, passenger: number): TicketDocument {
  const { status, mark } = order
  const isPriced = !isRecord(order) || status !== 'V'
  const fare = fareOf(order, sold)
  return {
    ...BLANK_DOCUMENT,
    number: sold.ticket,
    kind: 'ticket',
    passenger,
    conjunctions: sold.further,
    coupons: isRecord(order)
      ? []
      : order.flights.map((_, at) => ({ number: at + 1, status: status === 'N' ? 'O' : status })),
    airline: order.airline.code,
    issuedOn: status === 'R' ? null : order.day,
    fare,
    fareCalculation: isPriced ? calculationOf(order) : null,
    fareMark: isPriced && mark ? (mark === 'BT' ? 'bulk' : 'inclusive_tour') : null,
    commission: order.commission === null ? null : { rate: order.commission, amount: null },
    formOfPayment: { kind: 'cash', text: 'Cash' },
    tourCode: order.tourCode,
    endorsement: ENDORSEMENT,
    exchange: sold.given
      ? {
          originals: [{ number: sold.given, coupons: null }],
          additionalCollection: null,
          fareDifference: null,
          residual: null,
          penalty: null,
        }
      : null,
    refund:
      status === 'R' ? { ...BLANK_REFUND, gross: fare.equivalent ?? fare.base, originallyIssuedOn: order.day } : null,
  }
}

function emdOf(order: UniversalOrder, sold: Traveller, passenger: number): TicketDocument[] {
  const { extra } = sold
  if (!extra) return []
  const amount = money(order, extra.amount)
  return [
    {
      ...BLANK_DOCUMENT,
      number: extra.number,
      kind: 'emd',
      passenger,
      coupons: [{ number: 1, status: 'Open' }],
      airline: order.airline.code,
      issuedOn: order.status === 'R' ? null : order.day,
      fare: { ...NO_FARE, base: amount, total: amount },
      formOfPayment: { kind: 'cash', text: 'Cash' },
      services: [{ coupon: 1, rfic: 'G', rfisc: '018', text: extra.name, from: 'IST', to: 'FRA' }],
      associatedWith: sold.ticket,
      refund: order.status === 'R' ? { ...BLANK_REFUND, gross: amount, originallyIssuedOn: order.day } : null,
    },
  ]
}

function passengerOf(order: UniversalOrder, person: Traveller): Passenger {
  const { last, first, type, born, title, passport, email, seat } = person
  const named = { ...BLANK_PASSENGER, lastName: last, firstName: first, type, ptc: PTCS[type] ?? null }
  if (isOfServices(order)) return named
  return {
    ...named,
    title,
    dateOfBirth: born ?? (passport ? '1980-01-01' : null),
    gender: passport ? 'F' : null,
    nationality: passport ? 'TR' : null,
    passport,
    email,
    seats: isRecord(order) && seat ? [{ leg: 0, seat }] : [],
  }
}

function legsOf(order: UniversalOrder): TicketLeg[] {
  return order.flights.map((flight) => {
    const { arrival, operatingAirline, ...coupon } = flight
    const airlineLocator = flight.airline === order.airline.code ? 'LOC777' : null
    const leg = { ...BLANK_LEG, ...coupon, cabin: 'economy', baggage: '1PC', airlineLocator } as const
    if (!isRecord(order)) return { ...leg, stopover: true, notValidAfter: order.day }
    return {
      ...leg,
      arrival,
      operatingAirline: operatingAirline === flight.airline ? null : operatingAirline,
      departureTerminal: '1',
      status: 'HK',
      stops: 0,
      equipment: '32N',
    }
  })
}

const ACTIONS: Readonly<Record<UniversalOrder['status'], DocumentAction>> = { N: 'issue', V: 'void', R: 'refund' }

function warningsOf(order: UniversalOrder, documents: readonly TicketDocument[]): FileWarning[] {
  const exchanged = documents.filter(({ exchange }) => exchange)
  return [
    ...exchanged.map(({ number }) => ({
      code: 'additional_collection',
      message: `The file does not contain the additional collection for the exchange into ${number}. The price is the full value of the new document. Check it.`,
    })),
    ...(order.status === 'R'
      ? documents.map(({ number }) => ({
          code: 'refund_amounts',
          message: `The file does not contain the refunded amounts of ${number}. Enter them by hand.`,
        }))
      : []),
  ]
}

/** The expected result of parsing an answer. */
export function meaningOfUniversalRecord(order: UniversalOrder): TicketFile {
  const sold = isOfServices(order) ? order.passengers.filter(({ extra }) => extra) : order.passengers
  const documents = sold.flatMap((each, at) =>
    isOfServices(order) ? emdOf(order, each, at) : [ticketOf(order, each, at)],
  )
  const isExchange = documents.some(({ exchange }) => exchange)
  const [schema, minor] = order.schema.split('_')
  const agency = isRecord(order)
    ? { bookingOffice: OFFICE, ticketingOffice: OFFICE, bookingAgent: AGENT, ticketingAgent: AGENT }
    : isOfServices(order)
      ? {}
      : { ticketingOffice: OFFICE, bookingAgent: AGENT, ticketingAgent: AGENT, iataNumber: IATA, bsp: true }
  return {
    ...BLANK_FILE,
    provider: PROVIDERS[order.provider],
    format: 'xml',
    action: isExchange ? 'exchange' : ACTIONS[order.status],
    version: `${schema}.${minor}`,
    pnr: order.locator,
    airlineLocators: isOfServices(order) ? [] : [{ airline: order.airline.code, locator: 'LOC777' }],
    ...agency,
    issuedOn: order.status === 'R' ? null : order.day,
    validatingAirline: { code: order.airline.code, numeric: order.airline.numeric, name: null },
    passengers: sold.map((person) => passengerOf(order, person)),
    legs: isOfServices(order) ? [] : legsOf(order),
    documents,
    remarks: isRecord(order) && order.remark ? [order.remark] : [],
    warnings: warningsOf(order, documents),
  }
}
