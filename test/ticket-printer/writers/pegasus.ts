import type fc from 'fast-check'
import {
  BLANK_DOCUMENT,
  BLANK_FILE,
  BLANK_LEG,
  BLANK_PASSENGER,
} from '../../../src/features/ticket-printer/formats/blank.ts'
import { NO_FARE, type TicketFile } from '../../../src/features/ticket-printer/ticket-file.ts'
import { anyOrder, escaped, type Flight, type Order, type Sold, tag, taxesOf, totalOf } from './order.ts'

const TYPES: Readonly<Record<string, string>> = { adult: 'ADULT', child: 'CHILD', infant: 'INFANT' }
/** The elements of a total besides the fare, by their tax codes. */
const CHARGES = {
  TAX: 'TAX',
  SURCHARGE: 'SURCHARGE',
  SERVICE: 'SERVICE_FEE',
  FF: 'FF_AMOUNT',
  OTHER: 'OTHER_AMOUNT',
} as const
/** Statuses of coupons: none is interpreted, each is kept as printed. */
const STATUSES = ['O', 'F', 'USED'] as const
const CODES = Object.keys(CHARGES) as (keyof typeof CHARGES)[]

/** An order at Pegasus: up to five different charges, and only tickets of one number. */
export const anyPegasus: fc.Arbitrary<Order> = anyOrder.map((order) => ({
  ...order,
  airline: { code: 'PC', numeric: '624' },
  flights: order.flights.map((flight) => ({ ...flight, operatingAirline: flight.airline })),
  passengers: order.passengers.map((sold) => ({
    ...sold,
    born: null,
    ticket: `624${sold.ticket.slice(3)}`,
    further: [],
    extra: null,
    taxes: sold.taxes.map(({ amount }, at) => ({ code: CODES[at] ?? 'TAX', amount })),
  })),
}))

const couponOf = (flight: Flight, at: number): string =>
  tag(
    'COUPON',
    tag('ORIGIN', flight.from),
    tag('DESTINATION', flight.to),
    tag('FLIGHT_NO', flight.airline + flight.flight),
    tag('DEP_DATE', `${flight.departure.replace('T', ' ')}:00`),
    tag('ARR_DATE', `${flight.arrival.replace('T', ' ')}:00`),
    tag('REZ_CLASS', flight.bookingClass),
    tag('FAREBASIS', flight.fareBasis),
    tag('COUPON_STATUS', STATUSES[at % STATUSES.length] ?? ''),
    tag('FLIGHT_TYPE', 'INT'),
  )

const ticketOf = (order: Order, sold: Sold): string =>
  tag(
    'TICKET',
    tag('PNR', order.locator),
    tag('PNR_STATUS', 'OK'),
    tag('AIRLINE_CODE', '624'),
    tag('TICKET_NO', sold.ticket),
    tag('TICKET_DATE', `${order.day} ${order.time}:00`),
    tag('TICKET_STATUS', 'OK'),
    tag('TICKET_TYPE', 'FLIGHT'),
    tag('EXCHANGE_FOR', ''),
    tag('SR_CODE', 'IST900'),
    tag('SR_NAME', 'ORNEK TURIZM'),
    tag('USER_CODE', 'AYILMAZ'),
    tag('USER_NAME', 'AYSE YILMAZ'),
    tag('PAX_NAME', escaped(sold.first)),
    tag('PAX_SURNAME', escaped(sold.last)),
    tag('PAX_TYPE', TYPES[sold.type] ?? ''),
    tag('TOTAL_AMOUNT', totalOf(sold)),
    tag('FARE', sold.fare),
    ...CODES.map((code) => tag(CHARGES[code], sold.taxes.find((tax) => tax.code === code)?.amount ?? '0')),
    tag('CURRENCY', order.currency),
    tag('PAYMENT_TYPES', tag('PAYMENT_TYPE', 'INV')),
    tag('COUPONS', ...order.flights.map(couponOf)),
  )

/** A single ticket is a file of its own; several are in a list. */
export function writePegasus(order: Order): string {
  const tickets = order.passengers.map((sold) => ticketOf(order, sold))
  const root = tickets.length === 1 ? (tickets[0] ?? '') : tag('TICKETS', ...tickets)
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`
}

export const meaningOfPegasus = (order: Order): TicketFile => ({
  ...BLANK_FILE,
  provider: 'pegasus',
  format: 'xml',
  action: 'issue',
  made: { day: order.day, time: order.time, zone: null },
  pnr: order.locator,
  ticketingOffice: 'IST900',
  ticketingAgent: 'AYILMAZ',
  issuedOn: order.day,
  validatingAirline: { ...order.airline, name: null },
  passengers: order.passengers.map(({ last, first, type }) => ({
    ...BLANK_PASSENGER,
    lastName: last,
    firstName: first,
    type,
    ptc: TYPES[type] ?? null,
  })),
  legs: order.flights.map(({ operatingAirline: _, ...flight }) => ({ ...BLANK_LEG, ...flight })),
  documents: order.passengers.map((sold, passenger) => ({
    ...BLANK_DOCUMENT,
    number: sold.ticket,
    kind: 'ticket',
    passenger,
    coupons: order.flights.map((_, at) => ({ number: at + 1, status: STATUSES[at % STATUSES.length] ?? '' })),
    airline: order.airline.code,
    issuedOn: order.day,
    fare: {
      ...NO_FARE,
      base: { currency: order.currency, amount: sold.fare },
      taxes: taxesOf(sold.taxes, order.currency),
      total: { currency: order.currency, amount: totalOf(sold) },
    },
    formOfPayment: { kind: 'invoice', text: 'INV' },
  })),
})
