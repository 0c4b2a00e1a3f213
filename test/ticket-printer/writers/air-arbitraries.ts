import fc from 'fast-check'
import { BLANK_PASSENGER } from '../../../src/features/ticket-printer/formats/blank.ts'
import { sumOf } from '../../../src/features/ticket-printer/formats/sums.ts'
import type {
  Fare,
  Passenger,
  PrintedMoney,
  Tax,
  TicketService,
} from '../../../src/features/ticket-printer/ticket-file.ts'
import type { AirDocument, AirEmd, AirPassenger, AirScenario, AirSegment } from './air-scenarios.ts'
import { BASE, CARD, CASH, fareOf, holder, INVOICE, leg, MIXED, money, openLeg, ticket } from './air-scenarios.ts'

/** Currencies with the number of decimals of their amounts in files. */
const CURRENCIES = [
  ['TRY', 2],
  ['EUR', 2],
  ['KWD', 3],
  ['JPY', 0],
  ['UAH', 0],
] as const
const AIRPORTS = ['IST', 'SAW', 'LHR', 'JFK', 'FRA', 'AYT', 'DXB']

/** An amount with this number of decimals. */
const amount = (decimals: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max }).map((units) => decimal(units, decimals))
function decimal(units: number, decimals: number): string {
  const printed = String(units).padStart(decimals + 1, '0')
  return decimals === 0 ? printed : `${printed.slice(0, -decimals)}.${printed.slice(-decimals)}`
}

const letters = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIKLNOPQRTUVWYZ'), minLength: min, maxLength: max })
const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length })
const day = (from: string, days: number) => fc.integer({ min: 0, max: days }).map((after) => movedBy(from, after))
const movedBy = (from: string, days: number): string =>
  new Date(Date.parse(`${from}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const taxesOf = (currency: string, decimals: number): fc.Arbitrary<Tax[]> =>
  fc.array(
    fc.record({
      code: fc.constantFrom('YQ', 'YR', 'TR', 'M6', 'GB', 'UB', 'US', 'ZR3'),
      nature: fc.constantFrom(null, 'AC', 'VB', 'AE'),
      currency: fc.constant(currency),
      amount: amount(decimals, 999_999),
    }),
    { maxLength: 12 },
  )

const fares: fc.Arbitrary<Fare> = fc.constantFrom(...CURRENCIES).chain(([currency, decimals]) =>
  fc
    .record({
      base: amount(2, 9_999_999).map((base) => money('USD', base)),
      equivalent: amount(decimals, 99_999_999).map((equivalent) => money(currency, equivalent)),
      rate: fc.constantFrom(null, '0.32512198', '38.105000'),
      taxes: taxesOf(currency, decimals),
      paidTaxes: fc.constant([]),
      exempt: fc.subarray(['YK', 'TR']),
      fees: fc.constant([]),
    })
    .map((fare) => ({ ...fare, total: sumOf([fare.equivalent, ...fare.taxes]) })),
)

const passengers: fc.Arbitrary<Passenger> = fc
  .record({
    lastName: letters(2, 20),
    // With two letters, so that the next text cannot be taken for a title.
    firstName: letters(3, 12).map((name) => `${name}KAYA`),
    title: fc.constantFrom(null, 'MR', 'MRS', 'MS', 'MSTR', 'MISS', 'DR'),
    ptc: fc.constantFrom(null, 'CHD', 'INF', 'YTH', 'C07', 'ITX'),
    identity: fc.option(
      fc.record({
        dateOfBirth: day('1950-01-01', 26_000),
        gender: fc.constantFrom('F', 'M', 'X'),
        nationality: fc.constantFrom('TUR', 'DEU'),
        passport: fc.option(
          fc.record({
            number: digits(8).map((number) => `U${number}`),
            country: fc.constantFrom('TUR', 'DEU'),
            expiresOn: day('2026-01-01', 3_600),
          }),
        ),
      }),
    ),
    email: fc.option(letters(2, 8).map((name) => `${name}_A-B@EXAMPLE.COM`)),
    phone: fc.option(fc.tuple(fc.constantFrom('', '+'), digits(10)).map(([plus, number]) => `${plus}90${number}`)),
    frequentFlyer: fc.option(digits(9).map((number) => `TK${number}`)),
  })
  .map(({ identity, ...named }) => ({
    ...BLANK_PASSENGER,
    ...named,
    ...identity,
    type: TYPES[named.ptc ?? ''] ?? 'adult',
  }))
const TYPES: Readonly<Record<string, Passenger['type']>> = { CHD: 'child', C07: 'child', INF: 'infant', YTH: 'youth' }

/** Flights of up to a year after the issue, in sequence. */
const segments = (issued: string): fc.Arbitrary<AirSegment[]> =>
  fc
    .array(
      fc.record({
        kind: fc.constantFrom('flight' as const, 'flight' as const, 'open' as const, 'surface' as const),
        to: fc.constantFrom(...AIRPORTS),
        from: fc.constantFrom(...AIRPORTS),
        departs: day(issued, 360),
        hours: fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })),
        lasts: fc.integer({ min: 0, max: 1 }),
        longDays: fc.boolean(),
        halfDays: fc.boolean(),
        operatingAirline: fc.constantFrom(null, 'AJ', 'VF'),
        stopover: fc.boolean(),
        validBefore: fc.option(fc.integer({ min: 0, max: 300 })),
        validAfter: fc.option(fc.integer({ min: 0, max: 300 })),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((drawn) => drawn.map(segmentOf))

type Drawn = {
  kind: AirSegment['kind']
  from: string
  to: string
  departs: string
  hours: [number, number]
  lasts: number
  longDays: boolean
  halfDays: boolean
  operatingAirline: string | null
  stopover: boolean
  validBefore: number | null
  validAfter: number | null
}
function segmentOf({
  kind,
  from,
  to,
  departs,
  hours,
  lasts,
  longDays,
  halfDays,
  operatingAirline,
  stopover,
  validBefore,
  validAfter,
}: Drawn): AirSegment {
  if (kind === 'surface') return { kind, from, to }
  if (kind === 'open') return { kind, leg: { ...openLeg(from, to), stopover } }
  const time = hours.map((each) => String(each).padStart(2, '0')).join(':')
  const flown = leg(from, to, `${departs}T${time}`, `${movedBy(departs, lasts)}T${time}`, {
    operatingAirline,
    stopover,
    notValidBefore: validBefore === null ? null : movedBy(departs, -validBefore),
    notValidAfter: validAfter === null ? null : movedBy(departs, validAfter),
  })
  return { kind, leg: flown, longDays, halfDays }
}

/** The numbers of a document in order; they follow each other, also across 99. */
const documents = (serial: number, count: number): AirDocument => {
  const number = (at: number) => `235${String(serial + at).padStart(10, '0')}`
  return ticket(
    number(0),
    Array.from({ length: count - 1 }, (_, at) => number(at + 1)),
  )
}

const holders: fc.Arbitrary<AirPassenger[]> = fc
  .array(
    fc.record({
      passenger: passengers,
      booklets: fc.integer({ min: 1, max: 4 }),
      commission: fc.constantFrom(null, { rate: '9', amount: null }, { rate: null, amount: '12.50' }),
      payment: fc.constantFrom(CASH, CARD, INVOICE, MIXED),
      tourCode: fc.constantFrom(null, 'TR3016'),
      endorsement: fc.constantFrom(null, 'NON END/REF RESTR'),
      serviceFee: fc.constantFrom(null, money('EUR', '25.00')),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .chain((drawn) =>
    fc.integer({ min: 2_400_000_000, max: 2_400_999_999 }).map((serial) =>
      drawn.map(({ passenger, booklets, ...fields }, at) => ({
        ...holder(at + 1, passenger, [documents(serial + at * 10, booklets)]),
        ...fields,
      })),
    ),
  )

/** Issues of tickets on any day; half of them around New Year. */
export const airIssues: fc.Arbitrary<AirScenario> = fc
  .record({
    version: fc.constantFrom('206' as const, '207' as const),
    made: fc.oneof(day('2025-12-20', 20), day('2024-01-01', 800)),
    before: fc.integer({ min: 0, max: 40 }),
    part: fc.constantFrom(null, { number: 1, of: 2 }, { number: 2, of: 2 }, { number: 1, of: 3 }),
    sequence: digits(10),
    account: fc.constantFrom(null, 'MERIDYEN'),
    training: fc.boolean(),
    passengers: holders,
    nett: fc.constantFrom('K', 'KN', 'KS', 'all'),
    published: fares,
    net: fares,
    selling: fares,
    waits: fc.option(fc.integer({ min: 0, max: 60 })),
    seated: fc.array(fc.boolean(), { maxLength: 6 }),
    fareCalculation: fc.constantFrom(null, 'IST TK LON100.00NUC100.00END ROE1.00'),
    mark: fc.constantFrom(null, 'B' as const, 'I' as const),
    remarks: fc.subarray(['CALL BEFORE NOON', 'PAID; SEE INVOICE 12', 'VIP/WINDOW SEAT']),
  })
  .chain((fields) => segments(fields.made).map((flown) => ({ ...fields, flown })))
  .map(({ made, before, nett, published, net, selling, waits, flown, seated, ...fields }) => ({
    ...BASE,
    ...fields,
    passengers: fields.passengers.map((each) => withSeats(each, flown, seated)),
    days: { created: movedBy(made, -before), changed: made, made },
    segments: flown,
    fares: {
      ...(nett === 'K' || nett === 'all' ? { K: fareOf(published) } : {}),
      ...(nett === 'KN' || nett === 'KS' || nett === 'all' ? { KN: fareOf(net, 'B') } : {}),
      ...(nett === 'KS' || nett === 'all' ? { KS: fareOf(selling, 'I') } : {}),
    },
    deadline: waits === null ? null : movedBy(made, waits),
  }))

function withSeats(each: AirPassenger, flown: readonly AirSegment[], seated: readonly boolean[]): AirPassenger {
  const legs = flown.filter(({ kind }) => kind !== 'surface')
  const seats = legs.flatMap((_, at) =>
    seated[at] ? [{ leg: at, seat: `${at + 10}${'ABCDE'[each.number - 1]}` }] : [],
  )
  return { ...each, passenger: { ...each.passenger, seats } }
}

/** EMDs of up to four coupons, each for its own passenger. */
export const airEmds: fc.Arbitrary<AirScenario> = fc
  .array(
    fc.record({
      passenger: passengers,
      fare: fares,
      codes: fc.array(fc.constantFrom('0B5', '0CC', '992'), { minLength: 1, maxLength: 4 }),
      isAssociated: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((drawn) => {
    const emds = drawn.map(({ fare, codes, isAssociated }, at): AirEmd => {
      const services = codes.map(
        (rfisc, coupon): TicketService => ({
          coupon: coupon + 1,
          rfic: 'A',
          rfisc,
          text: 'SEAT OR BAG',
          from: 'IST',
          to: 'LHR',
        }),
      )
      const taxes = fare.taxes.map((each) => ({ ...each, nature: null }))
      const reference = `D${at + 1}`
      const ticketed = isAssociated ? `235240000000${at}` : null
      return {
        reference,
        carrier: 'TK',
        numeric: '235',
        services,
        fare: { ...fare, taxes, exempt: [] },
        fareCalculation: ticketed && 'IST TK LON10.00END',
        ticket: ticketed,
      }
    })
    const holders = drawn.map(({ passenger }, at) =>
      holder(at + 1, passenger, [
        { kind: 'emd', number: `235180000000${at}`, conjunctions: [], reference: `D${at + 1}` },
      ]),
    )
    const unticketed = ['08:15', '12:00', '18:30', '23:10', '23:55'].map((time) =>
      leg('IST', 'LHR', `2026-04-01T${time}`, '2026-04-02T00:10', { baggage: null, fareBasis: null }),
    )
    return { ...BASE, option: '7D', airline: null, emds, unticketed, passengers: holders }
  })

/** Refunds on any day, of a document of the preceding months. */
export const airRefunds: fc.Arbitrary<AirScenario> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES),
    made: day('2025-12-20', 40),
    age: fc.integer({ min: 1, max: 700 }),
    amounts: fc.array(fc.integer({ min: 1, max: 999_999 }), { minLength: 6, maxLength: 6 }),
    coupons: fc.constantFrom(null, '12', '34', '2', '1234'),
    commission: fc.constantFrom(null, { rate: '1.00', amount: null }, { rate: '5', amount: '28.28' }),
    tourCode: fc.constantFrom(null, 'TR3016'),
    endorsement: fc.constantFrom(null, 'NON END/REF RESTR'),
    booklets: fc.integer({ min: 1, max: 3 }),
    passenger: passengers,
  })
  .chain((fields) => taxesOf(fields.currency[0], fields.currency[1]).map((taxes) => ({ ...fields, taxes })))
  .map(({ currency: [currency, decimals], made, age, amounts, taxes, booklets, passenger, ...fields }) => {
    const at = (index: number): PrintedMoney => money(currency, decimal(amounts[index] ?? 1, decimals))
    const total = at(5)
    const text = `CASH/${currency}${total.amount}`
    return {
      ...BASE,
      option: 'RF',
      pnr: null,
      airline: null,
      locators: [],
      change: { action: '', day: made, sign: 'BBSU' },
      days: { created: movedBy(made, -age), changed: made, made },
      refund: {
        gross: at(0),
        used: at(1),
        refundable: at(2),
        penalty: at(3),
        otherFees: null,
        taxes: taxes.map((each) => ({ ...each, nature: null })),
        taxTotal: at(4),
        total,
        originallyIssuedOn: movedBy(made, -age),
      },
      passengers: [
        {
          ...holder(1, passenger, [documents(2_400_000_098, booklets)]),
          ...fields,
          payment: { printed: text, read: { kind: 'cash', text } },
        },
      ],
    }
  })

/** Voids, and the reversals of voids and refunds. */
export const airChanges: fc.Arbitrary<AirScenario> = fc
  .record({
    action: fc.constantFrom('VOID', 'RSTD', 'TRFX'),
    day: day('2025-12-20', 40),
    booklets: fc.integer({ min: 1, max: 4 }),
    passenger: passengers,
  })
  .map(({ action, day: acted, booklets, passenger }) => ({
    ...BASE,
    option: 'MA',
    airline: null,
    agents: null,
    days: null,
    change: { action, day: acted, sign: 'BBSU' },
    passengers: [{ ...holder(1, passenger, [documents(2_400_000_098, booklets)]), payment: null }],
  }))
