import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { airlineOfNumber, numericCodeOf } from '../../src/features/ticket-printer/airline-numbers.ts'
import { readIur } from '../../src/features/ticket-printer/formats/iur/read-iur.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import {
  added,
  type IurEmd,
  type IurFlight,
  type IurPassenger,
  type IurScenario,
  type IurTicket,
  writeIur,
} from './writers/iur.ts'
import { meaningOf } from './writers/iur-meaning.ts'

const FOLDER = join(import.meta.dirname, 'fixtures', 'iur')
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.fil'))
type Expected = { today: string; expected?: TicketFile; unreadable?: string }

const expectedOf = (name: string): Expected =>
  JSON.parse(readFileSync(join(FOLDER, name.replace(/fil$/, 'json')), 'utf8'))
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'latin1').trimStart()
const reasonOrFile = (text: string, today: string) => {
  const read = readIur(text, today)
  return read instanceof Unreadable ? { unreadable: read.reason } : { expected: read }
}

describe('the files of Sabre', () => {
  it.each(NAMES)('%s is read as what it means', (name) => {
    const { today, ...meaning } = expectedOf(name)
    expect(reasonOrFile(textOf(name), today)).toEqual(meaning)
  })
  it.each(NAMES)('%s is read alike with other line ends', (name) => {
    const { today } = expectedOf(name)
    const text = textOf(name)
    const read = reasonOrFile(text, today)
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      expect(reasonOrFile(text.replace(/\r\n|[\r\n]/g, lineEnd), today)).toEqual(read)
    }
  })
})

/** The first line of a file of a type, with no record counted. */
function writeHead(type: string): string {
  return `AA05MAR0214M0${type}17`.padEnd(186).padEnd(216, '0').padEnd(230)
}

const letters = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: min, maxLength: max })
const DECIMALS = { TRY: 2, EUR: 2, JPY: 0, KWD: 3 } as const
const CURRENCIES = Object.keys(DECIMALS) as (keyof typeof DECIMALS)[]
const amount = (decimals: number, most: number) =>
  fc.integer({ min: 1, max: most }).map((units) => {
    const digits = String(units).padStart(decimals + 1, '0')
    return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  })
const dayAfter = (day: string, days: number): string =>
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
      })
      .map(({ days, departs, arrives, later, ...flight }): IurFlight => {
        const day = dayAfter(issuedOn, days)
        return {
          ...flight,
          stopover: 'O',
          departure: `${day}T${departs}`,
          arrival: `${dayAfter(day, later)}T${arrives}`,
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
    card: fc.boolean(),
  })
  return fc.array(one, { minLength: people, maxLength: people }).map((drawn) =>
    drawn.map((each, at): IurTicket => {
      const price = { currency, amount: each.price }
      const sum = added([each.price, ...each.taxes.map((tax) => tax.amount)])
      return {
        passenger: at,
        airline: each.airline,
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
          ? { printed: 'CCVI4444333322221111', kind: 'card', text: 'CCVIXXXXXXXXXXXX1111' }
          : { printed: 'CA', kind: 'cash', text: 'CA' },
        endorsement: 'BSR25.13/NONREF',
        tourCode: each.tourCode,
      }
    }),
  )
}

const emds = (people: number, currency: keyof typeof DECIMALS, issuedOn: string) => {
  const each = amount(DECIMALS[currency], 99_999)
  const coupon = fc.record({
    taxCode: fc.constantFrom('VAT', 'TR'),
    tax: each,
    rfisc: fc.constantFrom('0B5', '0CC'),
    text: fc.constantFrom('SEAT ASSIGNMENT', 'UPTO50LB 23KG BAGGAGE'),
    from: letters(3, 3),
    to: letters(3, 3),
  })
  const one = fc.record({
    passenger: fc.integer({ min: 0, max: people - 1 }),
    filed: fc.record({ currency: fc.constantFrom('USD', 'GBP'), amount: amount(2, 99_999) }),
    price: each,
    inSale: fc.boolean(),
    isAssociated: fc.boolean(),
    rfic: fc.constantFrom('A', 'C', 'D'),
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

const WITHOUT_TICKETS = ['3', 'A', 'G']
const WITH_EMDS = ['A', 'B', 'G']
/** Days around New Year and leap days, and all others. */
const scenarios = fc
  .record({
    issuedOn: fc
      .tuple(fc.constantFrom('2025-12-30', '2026-01-01', '2026-06-15', '2028-02-29'), fc.integer({ min: -2, max: 2 }))
      .map(([day, days]) => dayAfter(day, days)),
    people: passengers,
    currency: fc.constantFrom(...CURRENCIES),
    isExchange: fc.boolean(),
    type: fc.constantFrom<IurScenario['type']>('1', '1', '3', 'A', 'B', 'F', 'G'),
  })
  .chain(({ issuedOn, people, currency, isExchange, type }) =>
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
      passengers: fc.constant(people),
      flights: flights(issuedOn),
      tickets: WITHOUT_TICKETS.includes(type) ? fc.constant([]) : tickets(people.length, currency, isExchange),
      emds: WITH_EMDS.includes(type) ? emds(people.length, currency, issuedOn) : fc.constant([]),
      history: fc.constant([]),
    }),
  )
  .filter(({ tickets }) => new Set(tickets.map(({ number }) => number.slice(3))).size === tickets.length)

describe('an IUR that is written', () => {
  it('is read as what was written, whatever the year, the currency, the taxes and the conjunctions', () => {
    fc.assert(
      fc.property(scenarios, fc.integer({ min: 0, max: 40 }), (scenario, later) => {
        expect(readIur(writeIur(scenario), dayAfter(scenario.issuedOn, later))).toEqual(meaningOf(scenario))
      }),
      { numRuns: 80 },
    )
  })
  it('is read whole or not at all when it is cut off, where its header counts the records', () => {
    const counted = scenarios.filter(({ type }) => ['1', '3', 'A'].includes(type))
    fc.assert(
      fc.property(counted, fc.double({ min: 0, max: 1, noNaN: true }), (scenario, part) => {
        const text = writeIur(scenario)
        const read = readIur(text.slice(0, Math.floor(text.length * part)), dayAfter(scenario.issuedOn, 1))
        if (!(read instanceof Unreadable)) expect(read).toEqual(meaningOf(scenario))
      }),
      { numRuns: 80 },
    )
  })
})

/** A fixture with something else written into one of its records. */
function changed(name: string, from: string | RegExp, to: string): TicketFile {
  const text = textOf(`${name}.fil`)
  const other = text.replace(from, to)
  expect(other).not.toBe(text)
  const read = readIur(other, '2026-03-05')
  if (read instanceof Unreadable) throw new Error(read.reason)
  return read
}
const refusal = (text: string): string => {
  const read = readIur(text, '2026-03-05')
  return read instanceof Unreadable ? read.reason : 'read'
}

describe('in a Sabre file', () => {
  it('the airline of a number is that of its service message before that of the code', () => {
    const { documents } = changed('issue-taxes-in-detail', '/2352400000001C1', '/9992400000001C1')
    expect(documents.map(({ number, airline }) => [number, airline])).toEqual([['9992400000001', 'TK']])
  })
  it("an infant's service message has its number as well", () => {
    const { documents } = changed('issue-taxes-in-detail', '/2352400000001C1', '/INF9992400000001C1')
    expect(documents[0]?.number).toBe('9992400000001')
  })
  it('the further numbers are those that the ticket counts, where no accounting line does', () => {
    const name = 'issue-conjunction-across-the-end-of-numbers'
    const { documents } = changed(name, 'LH#9999999999/', 'LH#9999999998/')
    expect(documents[0]?.conjunctions).toEqual(['2200000000000'])
  })
  it('a card number is masked however it is grouped', () => {
    const { documents } = changed('issue-taxes-in-detail', /^CA$/m, 'CCAX3782 822463-10005/0128')
    expect(documents[0]?.formOfPayment).toEqual({ kind: 'card', text: 'CCAXXXXXXXXXXXX0005/0128' })
  })
  it('an invoice and a cheque are told apart from what is not known', () => {
    const kinds = ['INVAGT', 'CHECK', 'MILES', 'PTA'].map(
      (payment) => changed('issue-taxes-in-detail', /^CA$/m, payment).documents[0]?.formOfPayment?.kind,
    )
    expect(kinds).toEqual(['invoice', 'cash', 'miles', null])
  })
  it('a percentage with a G before it is one of Korea', () => {
    const { documents } = changed('issue-taxes-in-detail', '       1   119.50', '      G7   119.50')
    expect(documents[0]?.commission).toEqual({ rate: '7', amount: '119.50' })
  })
  it('what the taxes had no room for is no penalty', () => {
    const name = 'exchange-additional-collection-penalty'
    const { documents, warnings } = changed(name, '       2500', '  QX114IZ  ')
    expect(documents[0]?.exchange?.penalty).toBeNull()
    expect(warnings).toEqual([
      {
        code: 'unreadable_amount',
        message: 'The penalty of document 2352400000009 is printed as "QX114IZ". Enter it by hand.',
      },
    ])
  })
  it('taxes stay together where the fare calculation adds up to something else', () => {
    const { documents } = changed('issue-taxes-in-detail', '114.00QX', '114.01QX')
    expect(documents[0]?.fare.taxes.map(({ code, amount }) => code + amount)).toEqual([
      'YR2112.00',
      'TR521.50',
      'XT909.00',
    ])
  })
  it('the airports of a passenger facility charge are no taxes', () => {
    const { documents } = changed('issue-taxes-in-detail', '114.00QX61.75IZ', '114.00QX 61.75XFJFK4.5ORD4.5')
    expect(documents[0]?.fare.taxes.map(({ code }) => code)).toEqual(['YR', 'TR', 'FR', 'QX', 'XF'])
  })
  it('a document that stands there twice is one', () => {
    const { documents, warnings } = changed('void-enhanced', /^(M201.*?)(?=^M301)/ms, '$1$1')
    expect([documents.length, warnings.map(({ code }) => code)]).toEqual([1, ['repeated_document']])
  })
  it('tickets that are not settled through the BSP are told', () => {
    expect(changed('issue-taxes-in-detail', 'X 2', 'X 3').bsp).toBe(false)
    expect(changed('issue-taxes-in-detail', '99 99999 2', '          ')).toMatchObject({ bsp: false, iataNumber: null })
  })
  it.each([
    ['A line that no transaction has.', `${writeHead('F')}${'\n'.repeat(30_000)}`, /too many records/],
    ['A type that nobody knows.', writeHead('Z'), /unknown type: "Z"/],
    ['A void without a number.', writeHead('5'), /13-digit number cannot be read/],
    ['A void of nothing.', writeHead('F'), /contains no documents/],
    ['An empty file.', '', /unknown type: ""/],
  ])('%s is refused', (_, text, reason) => {
    expect(refusal(text)).toMatch(reason)
  })
})

describe('the codes of airlines', () => {
  it('lead from the two characters to the three digits and back', () => {
    expect(['TK', 'PC', 'AA', '7W'].map(numericCodeOf)).toEqual(['235', '624', '001', '461'])
    expect(airlineOfNumber('2352400000001')).toBe('TK')
    expect([numericCodeOf('ZZ'), airlineOfNumber('999')]).toEqual([null, 'CA'])
  })
})
