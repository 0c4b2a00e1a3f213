import fc from 'fast-check'
import {
  BLANK_DOCUMENT,
  BLANK_FILE,
  BLANK_LEG,
  BLANK_PASSENGER,
  BLANK_REFUND,
} from '../../../src/features/ticket-printer/formats/blank.ts'
import { NO_FARE, type TicketDocument, type TicketFile } from '../../../src/features/ticket-printer/ticket-file.ts'
import { after, anyAmount } from './any.ts'
import { anyOrder, type Order, type Sold, taxesOf, totalOf } from './order.ts'

const DAY_MS = 86_400_000
const SERIAL_MODULUS = 7n
const OPERATIONS = { issue: 'SALE', refund: 'REFUND', void: 'VOID' } as const
const PROVIDERS = { '1A': 'amadeus', '1G': 'galileo' } as const

export type TktOrder = Order & {
  readonly action: keyof typeof OPERATIONS
  readonly columns: 175 | 230
  readonly system: keyof typeof PROVIDERS
  readonly isSystemFirst: boolean
  readonly filed: string | null
  readonly rate: string | null
}

/** An order of a back office: only tickets of one number, without flight times. */
export const anyTkt: fc.Arbitrary<TktOrder> = fc
  .record({
    order: anyOrder,
    action: fc.constantFrom('issue', 'refund', 'void'),
    columns: fc.constantFrom(175, 230),
    system: fc.constantFrom('1A', '1G'),
    isSystemFirst: fc.boolean(),
    filed: fc.option(anyAmount(2)),
    rate: fc.option(fc.constantFrom('1.00', '9')),
  })
  .map(({ order, ...tkt }) => ({
    ...order,
    ...tkt,
    filed: tkt.columns === 230 ? tkt.filed : null,
    flights: order.flights.slice(0, 1),
    passengers: order.passengers.map((sold) => ({ ...sold, born: null, further: [], extra: null })),
  }))

const clarion = (day: string): string => String((Date.parse(day) - Date.parse('1800-12-28')) / DAY_MS)
const quoted = (fields: readonly string[]): string => fields.map((field) => `"${field}"`).join(',')
const isInAnother = ({ filed, currency }: TktOrder): boolean => filed !== null && currency !== 'USD'

function lineOf(order: TktOrder, sold: Sold): string {
  const { action, system, locator, isSystemFirst, flights } = order
  const [flight] = flights
  const isRefund = action === 'refund'
  const taxes = isRefund ? { amounts: 122, codes: 134 } : { amounts: 27, codes: 39 }
  const cells: Record<number, string> = {
    0: sold.ticket.slice(0, 3),
    1: sold.ticket.slice(3),
    2: String(BigInt(sold.ticket.slice(3)) % SERIAL_MODULUS),
    3: clarion(isRefund ? after(order.day, -3) : order.day),
    7: OPERATIONS[action],
    9: isRefund ? '' : '17',
    13: sold.fare,
    51: 'IT6TK',
    53: 'In',
    54: flight?.from ?? '',
    55: flight?.to ?? '',
    72: order.rate ?? '',
    73: `${sold.last}/${sold.first} MR${sold.type === 'adult' ? '' : `*${sold.type === 'child' ? 'CHD' : 'INF'}DOB1`}`,
    76: totalOf(sold),
    78: order.currency,
    166: flight?.airline ?? '',
    167: clarion(flight?.departure.slice(0, 10) ?? ''),
    168: 'OK',
    169: isSystemFirst ? `${system}/${locator}` : `${locator}/${system}`,
    170: ` ${flight?.flight ?? ''}`,
    171: flight?.bookingClass ?? '',
    174: flight?.fareBasis ?? '',
    ...(order.filed === null ? {} : { 188: order.filed, 189: 'USD' }),
    ...(isRefund ? { 92: clarion(order.day), 93: '17', 107: sold.fare, 146: order.currency } : {}),
    ...Object.fromEntries(
      sold.taxes.flatMap(({ code, amount }, at) => [
        [taxes.amounts + at, amount],
        [taxes.codes + at, code],
      ]),
    ),
  }
  return quoted(Array.from({ length: order.columns }, (_, column) => cells[column] ?? ''))
}

export const writeTkt = (order: TktOrder): string => order.passengers.map((sold) => lineOf(order, sold)).join('\r\n')

function documentMeaning(order: TktOrder, sold: Sold, passenger: number): TicketDocument {
  const { action, currency, day } = order
  const fare = { currency, amount: sold.fare }
  const total = { currency, amount: totalOf(sold) }
  const taxes = taxesOf(sold.taxes, currency)
  return {
    ...BLANK_DOCUMENT,
    number: sold.ticket,
    kind: 'ticket',
    passenger,
    airline: order.airline.code,
    issuedOn: day,
    fare:
      action === 'issue'
        ? {
            ...NO_FARE,
            base: isInAnother(order) ? { currency: 'USD', amount: order.filed ?? '' } : fare,
            equivalent: isInAnother(order) ? fare : null,
            taxes,
            total,
          }
        : NO_FARE,
    commission: action === 'issue' && order.rate ? { rate: order.rate, amount: null } : null,
    formOfPayment: { kind: 'invoice', text: 'In' },
    tourCode: 'IT6TK',
    refund:
      action === 'refund'
        ? { ...BLANK_REFUND, refundable: fare, taxes, total, originallyIssuedOn: after(day, -3) }
        : null,
  }
}

export function meaningOfTkt(order: TktOrder): TicketFile {
  const { action, day, airline, flights } = order
  const [flight] = flights
  const part = `${flight?.from}-${flight?.to}, first flight ${flight?.flight}, on ${flight?.departure.slice(0, 10)}`
  return {
    ...BLANK_FILE,
    provider: PROVIDERS[order.system],
    format: 'tkt',
    action,
    pnr: order.locator,
    ticketingAgent: '17',
    issuedOn: day,
    validatingAirline: { ...airline, name: null },
    passengers: order.passengers.map(({ last, first, type }) => ({
      ...BLANK_PASSENGER,
      lastName: last,
      firstName: first,
      title: 'MR',
      type,
      ptc: { child: 'CHD', infant: 'INF' }[type as string] ?? null,
    })),
    legs: flights.map(({ airline: carrier, flight: number, from, to, bookingClass, fareBasis }) => ({
      ...BLANK_LEG,
      airline: carrier,
      flight: number,
      from,
      to,
      bookingClass,
      fareBasis,
      status: 'OK',
    })),
    documents: order.passengers.map((sold, passenger) => documentMeaning(order, sold, passenger)),
    warnings: order.passengers.flatMap(({ ticket }) =>
      action === 'issue'
        ? [
            {
              code: 'leg',
              message: `The file has the flights of ${ticket} only in part (${part}). Enter airlines and times by hand.`,
            },
          ]
        : [],
    ),
  }
}
