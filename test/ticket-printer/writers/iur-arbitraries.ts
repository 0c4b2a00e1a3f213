import fc from 'fast-check'
import { numericCodeOf } from '../../../src/features/ticket-printer/airline-numbers.ts'
import {
  added,
  type IurEmd,
  type IurFlight,
  type IurPassenger,
  type IurScenario,
  type IurTicket,
  OF_EMDS,
} from './iur.ts'

const letters = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: min, maxLength: max })
const DECIMALS = { TRY: 2, EUR: 2, JPY: 0, KWD: 3 } as const
const CURRENCIES = Object.keys(DECIMALS) as (keyof typeof DECIMALS)[]
const amount = (decimals: number, most: number) =>
  fc.integer({ min: 1, max: most }).map((units) => {
    const digits = String(units).padStart(decimals + 1, '0')
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  })
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const clockTime = fc
  .integer({ min: 0, max: 1439 })
  .map((at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`)

const passengers = fc.array(
  fc.record<IurPassenger>({
    last: letters(2, 20),
    first: letters(3, 12).map((name) => `X${name}X`), // A name must not end like a title.
    title: fc.constantFrom('MR', 'MRS', 'MS', 'MSTR', 'MISS'),
    ptc: fc.constantFrom('ADT', 'C08', 'INF'),
    born: fc.option(fc.constantFrom('1990-02-28', '2019-12-31', '2024-02-29')),
    identity: fc.option(
      fc.record({
        gender: fc.constantFrom('F', 'M', 'X'),
        nationality: fc.constantFrom('TUR', 'UA'),
        passport: fc.option(
          fc.record({
            number: letters(2, 9),
            country: fc.constantFrom('TUR', 'UA'),
            expiresOn: fc.constantFrom('2026-01-31', '2035-12-31'),
          }),
        ),
      }),
    ),
    email: fc.option(letters(2, 8).map((name) => `${name}_A@EXAMPLE.COM`)),
    phone: fc.option(fc.constantFrom('905320000001', '+905320000002')),
    flyer: fc.option(fc.integer({ min: 10_000_000, max: 999_999_999 }).map((number) => `TK${number}`)),
    seats: fc.array(fc.option(fc.constantFrom('1A', '09C', '21K')), { maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 4 },
)
const flights = (issuedOn: string) =>
  fc.array(
    fc
      .record({
        days: fc.integer({ min: 0, max: 300 }),
        departs: clockTime,
        arrives: clockTime,
        later: fc.constantFrom(0, 1, 2, -1),
        airline: fc.constantFrom('TK', 'PC', 'LH', '7W'),
        flight: fc.integer({ min: 1, max: 9999 }).map(String),
        from: letters(3, 3),
        to: letters(3, 3),
        bookingClass: letters(1, 1),
        fareBasis: letters(2, 8),
        baggage: fc.constantFrom('1PC', '20K', 'NIL'),
        locator: letters(6, 6),
        operating: fc.constantFrom('', 'AJ'),
        before: fc.option(fc.integer({ min: 0, max: 300 })),
        after: fc.option(fc.integer({ min: 0, max: 300 })),
      })
      .map(({ days, departs, arrives, later, before, after, ...flight }): IurFlight => {
        const day = dayAfter(issuedOn, days)
        return {
          ...flight,
          stopover: 'O',
          departure: `${day}T${departs}`,
          arrival: `${dayAfter(day, later)}T${arrives}`,
          validBefore: before === null ? null : dayAfter(day, -before),
          validAfter: after === null ? null : dayAfter(day, after),
        }
      }),
    { minLength: 1, maxLength: 8 },
  )

const TAX_CODES = ['YQ', 'YR', 'TR', 'FR', 'QX', 'IZ', 'D5', 'XF', 'N4']
const tickets = (people: number, currency: keyof typeof DECIMALS, isExchange: boolean) => {
  const decimals = isExchange ? 0 : DECIMALS[currency]
  const tax = (most: number) => fc.record({ code: fc.constantFrom(...TAX_CODES), amount: amount(decimals, most) })
  const one = fc.record({
    serial: fc.bigInt({ min: 0n, max: 9_999_999_999n }).map((serial) => String(serial).padStart(10, '0')),
    airline: fc.constantFrom('TK', 'PC', 'LH'),
    further: fc.integer({ min: 0, max: 3 }),
    filed: fc.record({ currency: fc.constantFrom('USD', 'GBP'), amount: amount(2, 99_999) }),
    price: amount(decimals, 999_999),
    inSale: fc.boolean(),
    taxes: fc.array(tax(9_999), { maxLength: isExchange ? 0 : 6 }),
    paid: fc.array(tax(999), { maxLength: 6 }),
    more: fc.boolean(),
    tourCode: fc.constantFrom('', 'TOUR1'),
    mark: fc.constantFrom<IurTicket['mark']>('', 'B', 'I'),
    card: fc.boolean(),
  })
  return fc.array(one, { minLength: people, maxLength: people }).map((drawn) =>
    drawn.map((each, at): IurTicket => {
      const price = { currency, amount: each.price }
      const sum = added([each.price, ...each.taxes.map((tax) => tax.amount)])
      return {
        passenger: at,
        airline: each.airline,
        mark: each.mark,
        number: (numericCodeOf(each.airline) ?? '') + each.serial,
        further: each.further,
        base: each.inSale ? price : each.filed,
        equivalent: each.inSale ? null : price,
        taxes: each.taxes,
        exchange: isExchange
          ? { number: `2352400000${100 + at}`, coupons: '12', indicator: each.more ? 'A' : 'E', paid: each.paid }
          : null,
        total: isExchange ? (each.more ? `${each.price}A` : 'NO ADC') : sum,
        penalty: '',
        commission: { rate: '1', amount: '0' },
        payment: each.card
          ? { printed: '*VI4444333322221111#11/25', kind: 'card', text: '*VIXXXXXXXXXXXX1111#11/25' }
          : { printed: 'CASH CASH', kind: 'cash', text: 'CASH CASH' },
        endorsement: 'BSR25.13/NONREF',
        tourCode: each.tourCode,
      }
    }),
  )
}

const emds = (people: number, flown: number, currency: keyof typeof DECIMALS, issuedOn: string) => {
  const each = amount(DECIMALS[currency], 99_999)
  const coupon = fc.record({
    taxCode: fc.constantFrom('VAT', 'TR'),
    tax: each,
    rfisc: fc.constantFrom('0B5', '0CC'),
    text: fc.constantFrom('SEAT ASSIGNMENT', 'UPTO50LB 23KG BAGGAGE'),
    flight: fc.integer({ min: 0, max: flown - 1 }),
  })
  const one = fc.record({
    passenger: fc.integer({ min: 0, max: people - 1 }),
    filed: fc.record({ currency: fc.constantFrom('USD', 'GBP'), amount: amount(2, 99_999) }),
    price: each,
    inSale: fc.boolean(),
    isAssociated: fc.boolean(),
    rfic: fc.constantFrom('A', 'C', 'D'),
    calculation: fc.constantFrom('', 'IST TK LON10.00END'),
    endorsement: fc.constantFrom('', 'REFUNDABLE'),
    coupons: fc.array(coupon, { minLength: 1, maxLength: 4 }),
  })
  return fc.array(one, { minLength: 1, maxLength: 3 }).map((drawn) =>
    drawn.map(
      ({ filed, price, inSale, isAssociated, ...emd }, at): IurEmd => ({
        ...emd,
        airline: 'TK',
        number: `235182000000${at}`,
        associated: isAssociated ? '2352400000001' : '',
        issuedOn,
        base: inSale ? { currency, amount: price } : filed,
        equivalent: inSale ? null : { currency, amount: price },
        total: added([price, ...emd.coupons.map(({ tax }) => tax)]),
      }),
    ),
  )
}

/** Files of EMDs do not print all flights, which would change their indexes. */
const seatsOn = ({ seats }: IurPassenger, flown: readonly IurFlight[], type: string) =>
  OF_EMDS.includes(type) ? [] : seats.slice(0, flown.length)

const WITHOUT_TICKETS = ['3', 'A', 'G']
const WITH_EMDS = ['A', 'B', 'G']
/** Days around New Year and leap days, and all others. */
export const iurScenarios = fc
  .record({
    issuedOn: fc
      .tuple(fc.constantFrom('2025-12-30', '2026-01-01', '2026-06-15', '2028-02-29'), fc.integer({ min: -2, max: 2 }))
      .map(([day, days]) => dayAfter(day, days)),
    people: passengers,
    currency: fc.constantFrom(...CURRENCIES),
    isExchange: fc.boolean(),
    type: fc.constantFrom<IurScenario['type']>('1', '1', '3', 'A', 'B', 'F', 'G'),
  })
  .chain((drawn) => flights(drawn.issuedOn).map((flown) => ({ ...drawn, flown })))
  .chain(({ issuedOn, people, currency, isExchange, type, flown }) =>
    fc.record<IurScenario>({
      type: fc.constant(type),
      made: fc.constantFrom(issuedOn, dayAfter(issuedOn, -1)),
      time: clockTime,
      issuedOn: fc.constant(issuedOn),
      pnr: letters(6, 6),
      iata: fc.constant('99999992'),
      office: letters(4, 4),
      agent: letters(2, 2),
      customer: fc.constantFrom('', '0000001234', 'ACME'),
      passengers: fc.constant(people.map((person) => ({ ...person, seats: seatsOn(person, flown, type) }))),
      flights: fc.constant(flown),
      tickets: WITHOUT_TICKETS.includes(type) ? fc.constant([]) : tickets(people.length, currency, isExchange),
      emds: WITH_EMDS.includes(type) ? emds(people.length, flown.length, currency, issuedOn) : fc.constant([]),
      history: fc.constant([]),
      remarks: fc.subarray(['CALL BEFORE NOON', 'PAID WITH INVOICE 12', 'WINDOW SEAT']),
    }),
  )
  .filter(({ tickets }) => new Set(tickets.map(({ number }) => number.slice(3))).size === tickets.length)
