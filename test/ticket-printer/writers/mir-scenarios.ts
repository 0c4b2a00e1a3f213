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
  lessOf,
  PLACES,
  sumOf,
  TAX_CODES,
} from './any.ts'
import type { Amount, Box, MirEmd, MirFare, MirLeg, MirPassenger, MirScenario } from './mir-scenario.ts'
import { nameOf } from './mir-scenario.ts'

const anyTaxes = (decimals: number, most = 8): fc.Arbitrary<Box[]> =>
  fc.array(fc.record({ code: fc.constantFrom(...TAX_CODES), amount: anyAmount(decimals) }), { maxLength: most })

/** Of one line or of several, one of which begins like a section. */
const anyCalculation = fc.constantFrom(
  'IST TK FRA 100.00NUC100.00END ROE1.0',
  `IST TK FRA 210.00TK IST 220.00NUC430.00END ROE0.921000 XT 400.A07DE163.00RA300.00YR12.00OY`,
  `IST TK X/FRA LH EWR M1250.00VLN2XPC LH X/FRA TK IST M1250.00VLN2XPC NUC2500.00END ROE0.921 XT 400.00DE163.00RA300.00YR`,
)

const anyFare = ({ code, decimals }: (typeof CURRENCIES)[number]): fc.Arbitrary<MirFare> =>
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
        // No two tickets are of one number, nor of one conjunction.
        serial: `${serial.slice(0, 8)}${at}${serial.slice(9)}`,
        ...(/C08|INF/.test(passenger.ptc) && { born: after(day, -age) }),
        ...(flyer && { flyer: { airline: 'TK', number: '0000065291' } }),
      })),
    )

const CARD = { company: 'VI', number: '4000000000000002', expires: '1228', approval: 'A12345' }

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
        isByCard: fc.boolean(),
        remarks: fc.constantFrom([], ['COST CENTRE 4711', 'SENT BY E-MAIL']),
        contact: fc.constantFrom(undefined, { email: 'office@example.com', phone: '90 532 000 00 99' }),
        otherLocator: fc.constantFrom(undefined, { airline: 'UA', locator: 'OTH123' }),
        agreement: fc.constantFrom(undefined, 'CAR0001'),
        isPending: fc.boolean(),
      })
      .map(({ passengers, legs, fares, rate, knowsTravel, apollo, surfaceAfter, isByCard, isPending, ...others }) => {
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
          passengers: passengers.map((passenger, at) => ({
            ...passenger,
            fare: at + 1,
            seats: legs.slice(0, 2).map((_, leg) => ({ leg, seat: `${12 + at}${'ACF'[leg]}`, isPending })),
          })),
          legs,
          surfaceAfter,
          fares: theirs,
          payments: [
            {
              type: isByCard ? 'CC' : 'S',
              amount: sumOf(theirs.map(({ total }) => total.amount)),
              ...(isByCard && { card: CARD }),
            },
          ],
          locators: [{ airline: airline.code, locator: 'TVSSVR' }],
          remarks: others.remarks,
          ...(others.contact && { contact: others.contact }),
          ...(others.otherLocator && { otherLocator: others.otherLocator }),
          ...(others.agreement && { agreement: others.agreement }),
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

/** Seats are those of flights. */
const withoutFlights = ({ passengers }: MirScenario): Pick<MirScenario, 'legs' | 'passengers'> => ({
  legs: [],
  passengers: passengers.map((passenger) => ({ ...passenger, seats: [] })),
})

const anyVoid: fc.Arbitrary<MirScenario> = fc
  .tuple(anyIssue, fc.constantFrom('V', 'S', 'U'))
  .map(([issue, command]) => ({
    ...issue,
    command,
    pnr: 'ZZZZZZ',
    bookingOffice: '',
    bookingAgent: '',
    ...withoutFlights(issue),
  }))

/** The fare of each is 900.00 and a penalty; a part of it may be used. */
const anyRefund: fc.Arbitrary<MirScenario> = fc
  .tuple(
    anyVoid,
    anyTaxes(2, 6),
    anyAmount(2),
    fc.record({
      command: fc.constantFrom('R', 'C'),
      penalty: fc.constantFrom('0.00', '77.00'),
      isBoxBlank: fc.boolean(),
      paidBack: fc.constantFrom(undefined, { type: 'VI', number: '4000000000000002' }, { type: 'S', number: '' }),
      authority: fc.constantFrom(undefined, '126HQF8VABA0I'),
      hasPayments: fc.boolean(),
    }),
  )
  .map(([gone, taxes, amount, { command, penalty, isBoxBlank, paidBack, authority, hasPayments }]) => ({
    ...gone,
    command,
    payments: hasPayments ? (gone.payments ?? []) : [],
    refunds: gone.passengers.map((passenger) => {
      const number = `${gone.airline.numeric}${passenger.serial}`
      const base = sumOf(['900.00', penalty])
      return {
        number,
        checkDigit: String(BigInt(number) % 7n),
        name: nameOf(passenger),
        issuedOn: after(gone.day, -400),
        coupons: '34',
        currency: 'EUR',
        base,
        taxes,
        commission: { rate: '0.00', amount },
        penalty,
        used: amount,
        total: sumOf([lessOf('900.00', amount), ...taxes.map((tax) => tax.amount)]),
        isBoxBlank,
        ...(paidBack && { paidBack }),
        ...(authority && { authority }),
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

/** The flights of the reservation may be in the file: without a fare basis and a calculation they are not ticketed. */
const anyMco: fc.Arbitrary<MirScenario> = anyIssue.map((issue) => ({
  ...issue,
  legs: (issue.legs ?? []).map(({ fareBasis: _, ...leg }) => leg),
  fares: (issue.fares ?? []).map(({ calculation: _, ...fare }) => fare),
  mco: { to: 'TURKISH AIRLINES', reason: 'PENALTY FOR REFUND', endorsement: 'NONREF', ticket: '2352400000009' },
}))

export const anyMir: fc.Arbitrary<MirScenario> = fc.oneof(anyIssue, anyExchange, anyVoid, anyRefund, anyEmd, anyMco)
