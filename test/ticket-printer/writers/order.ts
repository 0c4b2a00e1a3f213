import fc from 'fast-check'
import type { Passenger, Tax } from '../../../src/features/ticket-printer/ticket-file.ts'
import {
  AIRLINES,
  after,
  anyAmount,
  anyDay,
  anySerial,
  anyTime,
  CURRENCIES,
  FIRST_NAMES,
  FURTHEST_DAYS,
  LAST_NAMES,
  PLACES,
  sumOf,
  TAX_CODES,
} from './any.ts'

export type Charge = { readonly code: string; readonly amount: string }
/** What an airline sold to one passenger. */
export type Sold = {
  readonly last: string
  readonly first: string
  readonly type: Passenger['type']
  readonly born: string | null
  readonly ticket: string
  /** The conjunctions of the ticket. */
  readonly further: readonly string[]
  readonly fare: string
  readonly taxes: readonly Charge[]
  readonly extra: { readonly number: string; readonly name: string; readonly amount: string } | null
}
export type Flight = {
  readonly airline: string
  readonly operatingAirline: string
  readonly flight: string
  readonly from: string
  readonly to: string
  readonly departure: string
  readonly arrival: string
  readonly bookingClass: string
  readonly fareBasis: string
}
/** An order at an airline, for the XML formats. */
export type Order = {
  readonly day: string
  readonly time: string
  readonly airline: { readonly code: string; readonly numeric: string }
  readonly locator: string
  readonly currency: string
  readonly passengers: readonly Sold[]
  readonly flights: readonly Flight[]
}

export const totalOf = ({ fare, taxes }: Pick<Sold, 'fare' | 'taxes'>): string =>
  sumOf([fare, ...taxes.map(({ amount }) => amount)])
export const taxesOf = (taxes: readonly Charge[], currency: string): Tax[] =>
  taxes.map(({ code, amount }) => ({ currency, amount, code, nature: null }))

/** An element, opened by its name and attributes; several parts of its content are on lines of their own. */
export const tag = (opening: string, ...content: readonly string[]): string =>
  `<${opening}>${content.filter((part) => part !== '').join('\n')}</${opening.split(' ', 1)[0]}>`
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;')

const anyFlight = (since: string): fc.Arbitrary<Flight> =>
  fc
    .record({
      airline: fc.constantFrom(...AIRLINES),
      operator: fc.constantFrom(...AIRLINES),
      flight: fc.integer({ min: 1, max: 9999 }).map(String),
      from: fc.constantFrom(...PLACES),
      to: fc.constantFrom(...PLACES),
      days: fc.integer({ min: 0, max: FURTHEST_DAYS }),
      later: fc.constantFrom(-1, 0, 1),
      times: fc.tuple(anyTime, anyTime),
      bookingClass: fc.constantFrom('Y', 'N', 'Q'),
      fareBasis: fc.constantFrom('YRT', 'NVOR', 'QVOR/CH25'),
    })
    .map(({ airline, operator, days, later, times, ...flight }) => ({
      ...flight,
      airline: airline.code,
      operatingAirline: operator.code,
      departure: `${after(since, days)}T${times[0]}`,
      arrival: `${after(since, days + later)}T${times[1]}`,
    }))

const anySold = (day: string, numeric: string, decimals: number): fc.Arbitrary<Omit<Sold, 'last'>> =>
  fc
    .record({
      first: fc.constantFrom(...FIRST_NAMES, 'İSMAİL ŞÜKRÜ', "D'ARCY & CO"),
      type: fc.constantFrom('adult', 'child', 'infant'),
      age: fc.option(fc.integer({ min: 1, max: 20_000 })),
      serial: anySerial,
      books: fc.integer({ min: 1, max: 4 }),
      fare: anyAmount(decimals),
      taxes: fc.array(fc.record({ code: fc.constantFrom(...TAX_CODES), amount: anyAmount(decimals) }), {
        maxLength: 4,
      }),
      extra: fc.option(
        fc.record({ serial: anySerial, name: fc.constantFrom('Bag & seat', 'MEAL'), amount: anyAmount(decimals) }),
      ),
    })
    .map(({ age, serial, books, extra, ...sold }) => ({
      ...sold,
      born: age === null ? null : after(day, -age),
      ticket: numeric + serial,
      further: Array.from({ length: books - 1 }, (_, at) => {
        const next = (BigInt(serial) + BigInt(at + 1)) % 10_000_000_000n
        return numeric + String(next).padStart(10, '0')
      }),
      extra: extra && { number: numeric + extra.serial, name: extra.name, amount: extra.amount },
    }))

const numbersIn = ({ passengers }: Order): string[] =>
  passengers.flatMap(({ ticket, further, extra }) => [ticket, ...further, ...(extra ? [extra.number] : [])])

export const anyOrder: fc.Arbitrary<Order> = fc
  .record({ day: anyDay, sold: fc.constantFrom(...CURRENCIES), airline: fc.constantFrom(...AIRLINES) })
  .chain(({ day, sold, airline }) =>
    fc.record({
      day: fc.constant(day),
      time: anyTime,
      airline: fc.constant(airline),
      locator: fc.constantFrom('ABC123', 'XYZ789'),
      currency: fc.constant(sold.code),
      passengers: fc
        .uniqueArray(fc.constantFrom(...LAST_NAMES, 'ÖZTÜRK'), { minLength: 1, maxLength: 5 })
        .chain((names) =>
          fc.tuple(
            ...names.map((last) =>
              anySold(day, airline.numeric, sold.decimals).map((passenger) => ({ ...passenger, last })),
            ),
          ),
        ),
      flights: fc.uniqueArray(anyFlight(day), { selector: ({ departure }) => departure, minLength: 1, maxLength: 5 }),
    }),
  )
  .filter((order) => new Set(numbersIn(order)).size === numbersIn(order).length)
