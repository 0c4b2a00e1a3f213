import fc from 'fast-check'
import {
  AIRLINES,
  after,
  anyAmount,
  anySerial,
  anyTime,
  type CURRENCIES,
  FIRST_NAMES,
  FURTHEST_DAYS,
  LAST_NAMES,
  PLACES,
  sumOf,
  TAX_CODES,
} from './any.ts'
import type { Amount, Box, MirFare, MirLeg, MirPassenger } from './mir-scenario.ts'

export const anyTaxes = (decimals: number, most = 8): fc.Arbitrary<Box[]> =>
  fc.array(fc.record({ code: fc.constantFrom(...TAX_CODES), amount: anyAmount(decimals) }), { maxLength: most })

/** With one line or several, one of which begins like a section. */
const anyCalculation = fc.constantFrom(
  'IST TK FRA 100.00NUC100.00END ROE1.0',
  `IST TK FRA 210.00TK IST 220.00NUC430.00END ROE0.921000 XT 400.A07DE163.00RA300.00YR12.00OY`,
  `IST TK X/FRA LH EWR M1250.00VLN2XPC LH X/FRA TK IST M1250.00VLN2XPC NUC2500.00END ROE0.921 XT 400.00DE163.00RA300.00YR`,
)

export const anyFare = ({ code, decimals }: (typeof CURRENCIES)[number]): fc.Arbitrary<MirFare> =>
  fc
    .record({
      filed: fc.option(anyAmount(2)),
      fare: anyAmount(decimals),
      taxes: anyTaxes(decimals),
      endorsements: fc.option(fc.constantFrom(['NONREF'], ['NONEND/TK ONLY', 'CHNG RESTR'])),
      carrierFee: fc.option(anyAmount(decimals)),
      calculation: fc.option(anyCalculation),
      mark: fc.constantFrom(undefined, undefined, 'IT', 'BT'),
      selling: fc.option(anyAmount(decimals)),
    })
    .map(({ filed, fare, taxes, endorsements, carrierFee, calculation, mark, selling }) => {
      const sold: Amount = { currency: code, amount: fare }
      const withTaxes = (amount: string) => sumOf([amount, ...taxes.map((tax) => tax.amount)])
      return {
        ...(calculation && { calculation }),
        ...(mark && filed !== null && { mark }),
        ...(selling && {
          selling: { base: { currency: code, amount: selling }, total: { currency: code, amount: withTaxes(selling) } },
        }),
        ...(filed === null ? { base: sold } : { base: { currency: 'USD', amount: filed }, equivalent: sold }),
        total: { currency: code, amount: withTaxes(fare) },
        taxes,
        ...(endorsements && { endorsements }),
        ...(carrierFee && { carrierFee: { currency: code, amount: carrierFee } }),
      }
    })

export const anyLeg = (since: string): fc.Arbitrary<MirLeg> =>
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
      operator: fc.constantFrom(undefined, undefined, 'SUNEXPRESS', 'ANADOLUJET AIRLINES'),
      validity: fc.option(fc.tuple(fc.integer({ min: -30, max: 30 }), fc.integer({ min: 1, max: 365 }))),
      isOpen: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    })
    .map(({ airline, days, times, later, isOpen, flight, operator, validity, ...leg }) => ({
      ...leg,
      ...(operator && { operator }),
      ...(validity && { notValidBefore: after(since, validity[0]), notValidAfter: after(since, validity[1]) }),
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

const documentOf = (born: string, expires: string, ptc: string): NonNullable<MirPassenger['document']> => ({
  country: 'TUR',
  number: 'U00000000',
  nationality: 'TUR',
  born,
  sex: ptc === 'INF' ? 'F' : 'M',
  expires,
})

export const anyPassengers = (day: string): fc.Arbitrary<MirPassenger[]> =>
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
            ptc: fc.constantFrom('ADT', 'C08', 'INF', 'RP12', ''),
            serial: anySerial,
            books: fc.integer({ min: 1, max: 4 }),
            age: fc.integer({ min: 1, max: 4_000 }),
            flyer: fc.boolean(),
            hasDocument: fc.boolean(),
            hasContact: fc.boolean(),
            requestsIn: fc.constantFrom('A14' as const, 'A15' as const, 'A20' as const),
          }),
        ),
      ),
    )
    .map((passengers) =>
      passengers.map(({ age, flyer, serial, hasDocument, hasContact, ...passenger }, at) => ({
        ...passenger,
        ...(hasDocument && { document: documentOf(after(day, -age), after(day, age), passenger.ptc) }),
        ...(hasContact && { email: `traveller${at}@example.com`, phone: `90532000000${at}` }),
        // No two tickets share a number or a conjunction.
        serial: `${serial.slice(0, 8)}${at}${serial.slice(9)}`,
        ...(/C08|INF/.test(passenger.ptc) && { born: after(day, -age) }),
        ...(flyer && { flyer: { airline: 'TK', number: '0000065291' } }),
      })),
    )
