import fc from 'fast-check'
import {
  BLANK_DOCUMENT,
  BLANK_FILE,
  BLANK_LEG,
  BLANK_PASSENGER,
} from '../../../src/features/ticket-printer/formats/blank.ts'
import {
  type Fare,
  NO_FARE,
  type TicketDocument,
  type TicketFile,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import { anyAmount } from './any.ts'
import { anyOrder, type Order, type Sold, taxesOf, totalOf } from './order.ts'

export const PTCS: Readonly<Record<string, string>> = { adult: 'ADT', child: 'CHD', infant: 'INF' }
/** The currency in which the fare was filed. */
export const FILED_IN = 'USD'
export const RATE = '36.82'
const MINUTE_MS = 60_000

/** An order, with the differences between the dialects of airlines and gateways. */
export type NdcOrder = Order & {
  readonly version: '17.2' | '21.3'
  /** Minutes by which the clock of the answer is ahead of UTC; null if not printed. */
  readonly offset: number | null
  readonly hasEnvelope: boolean
  /** The locator of the selling system. */
  readonly soldAs: string | null
  /** All passengers pay the same, and it is printed once. */
  readonly isShared: boolean
  /** The fare as filed; only in version 17.2. */
  readonly filed: string | null
  readonly hasEndlessZeros: boolean
  /** Whether the fare has components, which contain its basis; not every airline prints them. */
  readonly hasComponents: boolean
  /** In version 21.3, flights are in separate lists. */
  readonly hasDatedSegments: boolean
  readonly reporting: 'BSP' | 'AIRLINE'
  /** Whether the answer has optional data besides names, flights and prices. */
  readonly isDetailed: boolean
  /** Whether each item has a price, for the passenger of its services (version 21.3). */
  readonly isPricedByItem: boolean
}

/** The data of every passenger, flight and document in a detailed order. */
export const DETAILS = {
  title: 'MR',
  passport: { number: 'U12345678', country: 'TR', expiresOn: '2035-01-31' },
  nationality: 'TR',
  email: 'AYSE@EXAMPLE.COM',
  phone: '905550000000',
  account: '123456789',
  row: '18',
  column: 'A',
  pieces: '1',
  validity: { notValidBefore: '2026-01-01', notValidAfter: '2027-12-31' },
  rfic: 'C',
  rfisc: '0C3',
  commission: '1.5',
  endorsement: 'NONREF',
  fareCalculation: 'IST TK FRA100.00NUC100.00END',
  remark: 'WINDOW SEAT PREFERRED',
  card: '4000000000000002',
  iata: '88990011',
  agent: 'AYILMAZ',
} as const

export const anyNdc: fc.Arbitrary<NdcOrder> = fc
  .tuple(
    anyOrder,
    fc.record({
      version: fc.constantFrom('17.2', '21.3'),
      offset: fc.constantFrom(null, 0, 180, -330),
      hasEnvelope: fc.boolean(),
      soldAs: fc.constantFrom(null, 'ORCH77'),
      isShared: fc.boolean(),
      filed: fc.option(anyAmount(2)),
      hasEndlessZeros: fc.boolean(),
      hasComponents: fc.boolean(),
      hasDatedSegments: fc.boolean(),
      reporting: fc.constantFrom('BSP', 'AIRLINE'),
      style: fc.constantFrom('plain', 'detailed', 'by item'),
    }),
  )
  .map(([order, { style, ...dialect }]) => {
    const [first] = order.passengers
    const isPricedByItem = style === 'by item' && dialect.version === '21.3'
    const isDetailed = style === 'detailed'
    const isShared = dialect.isShared && !isPricedByItem && order.passengers.length > 1
    const passengers = order.passengers.map((sold) =>
      isShared && first ? { ...sold, fare: first.fare, taxes: first.taxes } : sold,
    )
    return {
      ...order,
      ...dialect,
      isShared,
      isDetailed,
      isPricedByItem,
      hasComponents: isDetailed || (dialect.hasComponents && !isPricedByItem),
      passengers,
      filed: dialect.version === '17.2' ? dialect.filed : null,
    }
  })

/** When the answer was made, on its own clock. */
export function timestampOf({ day, time, offset }: NdcOrder): string {
  const ahead = new Date(Math.abs(offset ?? 0) * MINUTE_MS).toISOString().slice(11, 16)
  const zone = offset === null ? '' : offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${ahead}`
  return `${day}T${time}:00${zone}`
}

export function printedAmount({ hasEndlessZeros }: NdcOrder, amount: string): string {
  const [whole, decimals = ''] = amount.split('.')
  return hasEndlessZeros ? `${whole}.${decimals.padEnd(20, '0')}` : amount
}

export const idOf = (passenger: number): string => `PAX${passenger + 1}`

/** The prices of the flights, each with its passengers: one for each passenger, or one for all. */
export function flightPrices({ passengers, isShared }: NdcOrder): { sold: Sold; payers: string[] }[] {
  const prices = passengers.map((sold, at) => ({ sold, payers: [idOf(at)] }))
  return isShared
    ? prices.slice(0, 1).map(({ sold }) => ({ sold, payers: passengers.map((_, at) => idOf(at)) }))
    : prices
}

export const extrasOf = ({ passengers }: NdcOrder) =>
  passengers.flatMap(({ extra }, passenger) => (extra ? [{ ...extra, passenger }] : []))

function madeAt({ day, time, offset }: NdcOrder): TicketFile['made'] {
  if (offset === null) return { day, time, zone: null }
  const utc = new Date(Date.parse(`${day}T${time}Z`) - offset * MINUTE_MS).toISOString()
  return { day: utc.slice(0, 10), time: utc.slice(11, 16), zone: 'UTC' }
}

function documentsOf(order: NdcOrder): TicketDocument[] {
  const { currency, filed, isDetailed, version } = order
  const money = (amount: string) => ({ currency, amount })
  const issued: Omit<TicketDocument, 'number' | 'kind' | 'passenger'> = {
    ...BLANK_DOCUMENT,
    airline: order.airline.code,
    issuedOn: order.day,
    coupons: version === '21.3' || isDetailed ? [{ number: 1, status: 'I' }] : [],
    commission: isDetailed ? { rate: DETAILS.commission, amount: null } : null,
    formOfPayment: isDetailed ? { kind: 'card', text: 'CC VI XXXXXXXXXXXX0002' } : null,
    endorsement: isDetailed ? DETAILS.endorsement : null,
  }
  const fareOf = (sold: Sold): Fare => ({
    ...NO_FARE,
    ...(filed !== null && currency !== FILED_IN
      ? { base: { currency: FILED_IN, amount: filed }, equivalent: money(sold.fare), rate: RATE }
      : { base: money(sold.fare) }),
    taxes: taxesOf(sold.taxes, currency),
    total: money(totalOf(sold)),
  })
  return order.passengers.flatMap((sold, passenger): TicketDocument[] => {
    const { ticket, further, extra } = sold
    const flown: TicketDocument = {
      ...issued,
      number: ticket,
      kind: 'ticket',
      passenger,
      conjunctions: further,
      fare: fareOf(sold),
      fareCalculation: isDetailed && version === '21.3' ? DETAILS.fareCalculation : null,
    }
    if (!extra) return [flown]
    const { rfic, rfisc } = isDetailed ? DETAILS : { rfic: null, rfisc: null }
    const service = { coupon: 1, rfic, rfisc, text: extra.name, from: null, to: null }
    const fare = { ...NO_FARE, base: money(extra.amount), total: money(extra.amount) }
    const bought = {
      number: extra.number,
      kind: 'emd',
      passenger,
      services: [service],
      associatedWith: ticket,
    } as const
    return [flown, { ...issued, ...bought, fare }]
  })
}

/** The expected result of parsing an order, in whichever version it is written. */
export const meaningOfNdc = (order: NdcOrder): TicketFile => ({
  ...BLANK_FILE,
  provider: 'ndc',
  format: 'ndc_orderview',
  action: 'issue',
  version: order.version,
  made: madeAt(order),
  pnr: order.soldAs ?? order.locator,
  airlineLocators: [{ airline: order.airline.code, locator: order.locator }],
  issuedOn: order.day,
  bsp: order.reporting === 'BSP',
  validatingAirline: { code: order.airline.code, numeric: order.airline.numeric, name: null },
  iataNumber: order.isDetailed ? DETAILS.iata : null,
  ticketingAgent: order.isDetailed ? DETAILS.agent : null,
  passengers: order.passengers.map(({ last, first, type, born }) => ({
    ...BLANK_PASSENGER,
    lastName: last,
    firstName: first,
    type,
    ptc: PTCS[type] ?? null,
    dateOfBirth: born,
    ...(order.isDetailed && {
      title: DETAILS.title,
      gender: 'F',
      nationality: DETAILS.nationality,
      passport: DETAILS.passport,
      email: DETAILS.email,
      phone: DETAILS.phone,
      frequentFlyer: order.airline.code + DETAILS.account,
      seats: [{ leg: 0, seat: DETAILS.row + DETAILS.column }],
    }),
  })),
  legs: order.flights.map((flight, at) => ({
    ...BLANK_LEG,
    ...flight,
    operatingAirline: flight.operatingAirline === flight.airline ? null : flight.operatingAirline,
    bookingClass: order.hasComponents || order.version === '17.2' ? flight.bookingClass : null,
    fareBasis: order.hasComponents ? flight.fareBasis : null,
    cabin: order.isDetailed ? 'economy' : null,
    baggage: order.isDetailed && at === 0 ? `${DETAILS.pieces}PC` : null,
    airlineLocator: flight.airline === order.airline.code ? order.locator : null,
    ...(order.isDetailed && order.version === '17.2' && at === 0 && DETAILS.validity),
  })),
  remarks: order.isDetailed ? [DETAILS.remark] : [],
  documents: documentsOf(order),
})
