import fc from 'fast-check'
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
import type { Amount, Box, MirEmd, MirFare, MirLeg, MirPassenger, MirScenario } from './mir-scenario.ts'
import { nameOf } from './mir-scenario.ts'

const anyTaxes = (decimals: number, most = 8): fc.Arbitrary<Box[]> =>
  fc.array(fc.record({ code: fc.constantFrom(...TAX_CODES), amount: anyAmount(decimals) }), { maxLength: most })

const anyFare = ({ code, decimals }: (typeof CURRENCIES)[number]): fc.Arbitrary<MirFare> =>
  fc
    .record({
      filed: fc.option(anyAmount(2)),
      fare: anyAmount(decimals),
      taxes: anyTaxes(decimals),
      endorsements: fc.option(fc.constantFrom(['NONREF'], ['NONEND/TK ONLY', 'CHNG RESTR'])),
      carrierFee: fc.option(anyAmount(decimals)),
    })
    .map(({ filed, fare, taxes, endorsements, carrierFee }) => {
      const sold: Amount = { currency: code, amount: fare }
      return {
        ...(filed === null ? { base: sold } : { base: { currency: 'USD', amount: filed }, equivalent: sold }),
        total: { currency: code, amount: sumOf([fare, ...taxes.map(({ amount }) => amount)]) },
        taxes,
        ...(endorsements && { endorsements }),
        ...(carrierFee && { carrierFee: { currency: code, amount: carrierFee } }),
      }
    })

const anyLeg = (since: string): fc.Arbitrary<MirLeg> =>
  fc
    .record({
      airline: fc.constantFrom(...AIRLINES),
      from: fc.constantFrom(...PLACES),
      to: fc.constantFrom(...PLACES),
      flight: fc.integer({ min: 1, max: 9999 }).map(String),
      days: fc.integer({ min: 0, max: FURTHEST_DAYS }),
      times: fc.tuple(anyTime, anyTime),
      later: fc.constantFrom(-1, 0, 1, 2),
      halfDays: fc.boolean(),
      fullDay: fc.boolean(),
      stopover: fc.boolean(),
      isOpen: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    })
    .map(({ airline, days, times, later, isOpen, flight, ...leg }) => ({
      ...leg,
      airline: airline.code,
      numeric: airline.numeric,
      fareBasis: 'VLN2XPC',
      baggage: '1PC',
      flight: isOpen ? 'OPEN' : flight,
      ...(!isOpen && {
        departure: `${after(since, days)}T${times[0]}`,
        arrival: `${after(since, days + later)}T${times[1]}`,
      }),
    }))

const anyPassengers = (day: string): fc.Arbitrary<MirPassenger[]> =>
  fc
    .uniqueArray(fc.constantFrom(...LAST_NAMES), { minLength: 1, maxLength: 5 })
    .chain((names) =>
      fc.tuple(
        ...names.map((last) =>
          fc.record({
            last: fc.constant(last),
            first: fc.constantFrom(...FIRST_NAMES),
            title: fc.constantFrom('MR', 'MRS', 'MSTR', 'MISS'),
            isGlued: fc.boolean(),
            ptc: fc.constantFrom('ADT', 'C08', 'INF', ''),
            serial: anySerial,
            books: fc.integer({ min: 1, max: 4 }),
            age: fc.integer({ min: 1, max: 4_000 }),
            flyer: fc.boolean(),
          }),
        ),
      ),
    )
    .map((passengers) =>
      passengers.map(({ age, flyer, serial, ...passenger }, at) => ({
        ...passenger,
        // No two tickets are of one number, nor of one conjunction.
        serial: `${serial.slice(0, 8)}${at}${serial.slice(9)}`,
        ...(/C08|INF/.test(passenger.ptc) && { born: after(day, -age) }),
        ...(flyer && { flyer: { airline: 'TK', number: '0000065291' } }),
      })),
    )

/** Files of tickets: one fare for each passenger, paid for all together. */
const anyIssue: fc.Arbitrary<MirScenario> = fc
  .record({ day: anyDay, time: anyTime, sold: fc.constantFrom(...CURRENCIES), airline: fc.constantFrom(...AIRLINES) })
  .chain(({ day, time, sold, airline }) =>
    fc
      .record({
        passengers: anyPassengers(day),
        legs: fc.array(anyLeg(day), { maxLength: 6 }),
        fares: fc.array(anyFare(sold), { minLength: 5, maxLength: 5 }),
        rate: fc.constantFrom('', '0500', '0125', '0001'),
        knowsTravel: fc.boolean(),
        apollo: fc.boolean(),
        surfaceAfter: fc.integer({ min: 0, max: 3 }),
      })
      .map(({ passengers, legs, fares, rate, knowsTravel, apollo, surfaceAfter }) => {
        const theirs = fares.slice(0, passengers.length)
        const days = legs.flatMap(({ departure }) => departure?.slice(0, 10) ?? []).sort()
        return {
          command: 'H',
          apollo,
          day,
          time,
          airline,
          ...(knowsTravel && days[0] && { firstTravel: days[0] }),
          bookingOffice: '30FT',
          ticketingOffice: '7Y5X',
          iataNumber: '99999992',
          pnr: 'ABC123',
          bookingAgent: '30FTAY',
          ticketingAgent: 'AY',
          currency: sold.code,
          decimals: sold.decimals,
          partyFare: sumOf(theirs.map(({ equivalent, base }) => (equivalent ?? base)?.amount ?? '')).replace('.', ''),
          commissionRate: rate,
          passengers: passengers.map((passenger, at) => ({ ...passenger, fare: at + 1 })),
          legs,
          surfaceAfter,
          fares: theirs,
          payments: [{ type: 'S', amount: sumOf(theirs.map(({ total }) => total.amount)) }],
          locators: [{ airline: airline.code, locator: 'TVSSVR' }],
        }
      }),
  )

const anyExchange: fc.Arbitrary<MirScenario> = anyIssue.chain((issue) =>
  fc
    .record({ original: anySerial, taxes: anyTaxes(issue.decimals, 6), collected: anyAmount(issue.decimals) })
    .map(({ original, taxes, collected }) => {
      const number = issue.airline.numeric + original
      const [passenger] = issue.passengers
      return {
        ...issue,
        apollo: false,
        passengers: passenger ? [{ ...passenger, exchange: 1 }] : [],
        fares: issue.fares?.slice(0, 1) ?? [],
        partyFare: '',
        exchanges: [
          {
            original: number,
            checkDigit: String(BigInt(number) % 7n),
            coupons: '1234',
            day: after(issue.day, -30),
            type: 'A' as const,
            currency: issue.currency,
            base: '100000',
            total: '100000',
            difference: '0',
            taxes,
          },
        ],
        payments: [{ type: 'S', amount: collected, passengers: [3] }],
      }
    }),
)

const anyVoid: fc.Arbitrary<MirScenario> = fc
  .tuple(anyIssue, fc.constantFrom('V', 'S', 'U'))
  .map(([issue, command]) => ({ ...issue, command, pnr: 'ZZZZZZ', bookingOffice: '', bookingAgent: '', legs: [] }))

const anyRefund: fc.Arbitrary<MirScenario> = fc
  .tuple(anyVoid, anyTaxes(2, 6), anyAmount(2), fc.constantFrom('R', 'C'))
  .map(([gone, taxes, amount, command]) => ({
    ...gone,
    command,
    refunds: gone.passengers.map((passenger) => {
      const number = `${gone.airline.numeric}${passenger.serial}`
      return {
        number,
        checkDigit: String(BigInt(number) % 7n),
        name: nameOf(passenger),
        issuedOn: after(gone.day, -400),
        coupons: '34',
        currency: 'EUR',
        base: '900.00',
        taxes,
        commission: { rate: '0.00', amount },
        penalty: '0.00',
        used: amount,
        refundable: '0.50',
        total: amount,
      }
    }),
  }))

const anyEmd: fc.Arbitrary<MirScenario> = fc
  .tuple(anyIssue, fc.constantFrom('F', 'Z'), fc.array(anySerial, { minLength: 5, maxLength: 5 }), anyAmount(2))
  .map(([issue, command, serials, amount]) => {
    const total = { currency: 'EUR', amount }
    const emds = issue.passengers.map((passenger, at): MirEmd => {
      const coupon = { segment: 1, rfisc: '0GO', text: 'PREPAID BAGGAGE', from: 'IST', total }
      return {
        number: `${issue.airline.numeric}${serials[at]}`,
        name: nameOf(passenger),
        passenger: at + 1,
        segment: 1,
        service: 'BAGA',
        rfic: 'C',
        airline: issue.airline.code,
        base: total,
        total,
        payment: 'IN',
        coupons: at % 2 === 0 ? [coupon] : [coupon, { ...coupon, segment: 2 }],
      }
    })
    const areApart = new Set(emds.map(({ number }) => number)).size === emds.length
    return { ...issue, command, surfaceAfter: 0, fares: [], payments: [], emds: areApart ? emds : emds.slice(0, 1) }
  })

export const anyMir: fc.Arbitrary<MirScenario> = fc.oneof(anyIssue, anyExchange, anyVoid, anyRefund, anyEmd)
