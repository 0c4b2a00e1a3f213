import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMir } from '../../src/features/ticket-printer/formats/mir/read-mir.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import { writeMir } from './writers/mir.ts'
import { meaningOf } from './writers/mir-meaning.ts'
import { anyMir } from './writers/mir-scenarios.ts'

const FIXTURES = new URL('fixtures/mir/', import.meta.url)
type Expectation = { readonly today: string; readonly expected?: TicketFile; readonly unreadable?: string }

const cases = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.mir'))
  .map((name) => name.replace('.mir', ''))
const textOf = (name: string): string => readFileSync(new URL(`${name}.mir`, FIXTURES), 'latin1')
const expectationOf = (name: string): Expectation => JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8'))

/** Parses a fixture after a replacement of at least the same length, so that the file does not look truncated. */
function readChanged(name: string, from: string, to: string): TicketFile {
  const text = textOf(name)
  expect(text).toContain(from)
  expect(to.length).toBeGreaterThanOrEqual(from.length)
  const file = readMir(text.replace(from, to), expectationOf(name).today)
  if (file instanceof Unreadable) throw new Error(file.reason)
  return file
}
const codes = ({ warnings }: TicketFile) => warnings.map(({ code }) => code)

describe('MIR files', () => {
  it.each(cases)('%s', (name) => {
    const { today, expected, unreadable } = expectationOf(name)
    const file = readMir(textOf(name), today)
    expect(file instanceof Unreadable ? file.reason : file).toEqual(unreadable ?? expected)
  })

  it('a written file is parsed as written, with any line ends', () => {
    const anyEnds = fc.constantFrom('\r', '\n', '\r\n')
    const anyTail = fc.constantFrom('\f', '', '\r\n')
    fc.assert(
      fc.property(anyMir, anyEnds, anyTail, (scenario, ends, tail) => {
        expect(readMir(writeMir(scenario, ends, tail), scenario.day)).toEqual(meaningOf(scenario))
      }),
      { numRuns: 300 },
    )
  })

  it('a truncated file is never taken for a complete one', () => {
    const whole = writeMir(fc.sample(anyMir, { seed: 7, numRuns: 1 })[0] as Parameters<typeof writeMir>[0])
    for (let length = 0; length < whole.length - 20; length += 7) {
      expect(readMir(whole.slice(0, length), '2026-03-05')).toBeInstanceOf(Unreadable)
    }
  })
})

describe('amounts', () => {
  it('are null with a warning if they cannot be parsed', () => {
    const file = readChanged('issue-one-passenger-cr', 'TRY    12345.75', 'TRY   12345,75 ')
    expect(file.documents[0]?.fare.total).toBeNull()
    expect(codes(file)).toEqual(['unreadable_amount'])
  })
  it.each([
    ['issue-one-passenger-cr', 'TRY    12345.75', 'TRY     12345.75', 'TRY 12345.7…'],
    ['issue-one-passenger-cr', 'T1:  552.25TR', 'T1:   552.25TR', '552.25TR'],
    ['refund-partial-with-penalty', 'PF:  750.00', 'PF:   750.00', 'TRY 750.0…'],
    ['emd-issue-two-coupons', 'TRY     2606.86', 'TRY      2606.86', 'TRY 2606.8…'],
    ['exchange-with-residual-and-penalty', 'T5:          0', 'T5:          00', '…'],
  ])('are never a part of the printed text: %s', (name, from, to, printed) => {
    const file = readChanged(name, from, to)
    expect(JSON.stringify(file.documents)).not.toMatch(/"(?:12345\.7|552\.2|750\.0|2606\.8)"/)
    expect(file.warnings).toContainEqual({ code: 'unreadable_amount', message: expect.stringContaining(printed) })
  })
  it('of a shifted list of taxes are left out', () => {
    const file = readChanged('issue-one-passenger-cr', 'IT: 2800.00YR', 'IT:  2800.00YR')
    expect(file.documents[0]?.fare.taxes.map(({ code }) => code)).toEqual(['TR', 'M6', 'XT'])
    expect(codes(file)).toEqual(['unreadable_amount'])
  })
  it('are in the other currency of the line if their own is invalid', () => {
    const file = readChanged('issue-one-passenger-cr', 'TRY    12345.75', ' RY    12345.75')
    expect(file.documents[0]?.fare.total).toEqual({ currency: 'TRY', amount: '12345.75' })
    expect(codes(file)).toEqual(['unreadable_currency'])
  })
  it('of a refund are parsed wherever the columns begin', () => {
    const whole = readChanged('refund-partial-with-penalty', 'AU:', 'AU:')
    const moved = readChanged('refund-partial-with-penalty', 'RA: 4050.25', 'RA:  4050.25')
    expect(moved).toEqual(whole)
  })
  it('of a refund that do not add up to its total get a warning', () => {
    const file = readChanged('refund-partial-with-penalty', 'RA: 4050.25 4693.25', 'RA: 4000.25 4693.25')
    expect(file.documents[0]?.refund?.refundable?.amount).toBe('4100.25')
    expect(codes(file)).toEqual(['refund_total'])
  })
  it('of detailed taxes that do not add up leave XT unchanged', () => {
    const file = readChanged('issue-one-passenger-cr', '  363.00RA', '  364.00RA')
    expect(file.documents[0]?.fare.taxes.map(({ code }) => code)).toEqual(['TR', 'M6', 'XT'])
    expect(codes(file)).toEqual(['tax_detail'])
  })
  it('that differ from the fare of the party get a warning', () => {
    expect(codes(readChanged('issue-one-passenger-cr', '000000810050', '000000810150'))).toEqual(['party_fare'])
  })
})

describe('documents', () => {
  it('of a conjunction can be refunded in the second one only', () => {
    const file = readChanged('refund-of-a-conjunction-lf', 'TI:1234/12/////', 'TI:    /12/////')
    expect(file.documents[0]?.refund?.coupons).toBe('/12')
  })
  it('count on past the last possible number', () => {
    const file = readChanged(
      'refund-of-a-conjunction-lf',
      'A2323524000000012-23524000000023',
      'A232359999999999 -2350000000000 ',
    )
    expect(file.documents[0]?.conjunctions).toEqual(['2350000000000'])
  })
  it('ignore a number of books beyond the maximum', () => {
    const file = readChanged('issue-one-passenger-cr', '240000000101', '240000000199')
    expect([file.documents[0]?.conjunctions, codes(file)]).toEqual([[], ['conjunction']])
  })
  it('are tickets if they have a basis and a calculation, even beside an MCO', () => {
    const file = readChanged('issue-one-passenger-cr', '\rA24', '\rA19MCOAIRLINE\rRI:DEPOSIT\r\rA24')
    expect([file.documents[0]?.kind, codes(file)]).toEqual(['ticket', ['mco_left_out']])
  })
  it('of several fares ignore a net fare that is not linked to one', () => {
    const file = readChanged('issue-net-fare', 'A0701USD', 'A0702\nA0701USD')
    expect([file.documents[0]?.netFare, codes(file)]).toEqual([null, ['net_fare']])
  })
  it('have the earliest deadline of the passengers', () => {
    const more = 'A02YILMAZ/AYSE MRS'
    const file = readChanged(
      'itinerary-unticketed',
      `${more} `,
      `A02LI/CAN MR\nSI:GEN:LI/CAN MR    TL:25MAR26\n${more} `,
    )
    expect([file.action, file.ticketingDeadline]).toEqual(['itinerary', '2026-03-25'])
  })
  it('are parsed without sections that are counted but not sent', () => {
    const file = readChanged(
      'issue-one-passenger-cr',
      '000000001000002000000001000001001',
      '000000001000002000000001000001009',
    )
    expect(codes(file)).toEqual([])
  })
  it('with an invalid number are left out', () => {
    const file = readChanged('issue-two-passengers-commission-amount-lf', '2400000002', '24000X0002')
    expect(file.documents.map(({ number }) => number)).toEqual(['2352400000001'])
    expect(codes(file)).toContain('unreadable_number')
  })
  it('of an unknown command are left out', () => {
    const file = readChanged('issue-one-passenger-cr', 'NNNYN5NNYAYH', 'NNNYN5NNYAY?')
    expect([file.action, file.documents, codes(file)]).toEqual(['itinerary', [], ['unknown_command']])
  })
  it('of an exchange without the documents given in are still exchanged', () => {
    const file = readChanged('exchange-even', 'TI:2352400000001', 'TI:235240000000X')
    expect([file.action, codes(file)]).toEqual(['exchange', ['exchange_details']])
  })
  it('are for adults if the passenger type is unknown, without a warning', () => {
    const file = readChanged('issue-one-passenger-cr', 'ADT   01', 'RP12  01')
    expect([file.passengers[0]?.type, file.passengers[0]?.ptc]).toEqual(['adult', 'RP12'])
    expect(codes(file)).toEqual([])
  })
})

it('accept a date of birth with a four-digit year', () => {
  const name = 'issue-adult-child-infant-two-forms-of-payment-crlf'
  expect(readChanged(name, 'NR:P-11FEB18', 'NR:P-11FEB2018').passengers[1]?.dateOfBirth).toBe('2018-02-11')
})

describe('cards', () => {
  it('are masked in columns and in free text', () => {
    const name = 'issue-adult-child-infant-two-forms-of-payment-crlf'
    const file = readChanged(name, 'P:02F:INVOICE 0001', 'F:4000000000000002')
    expect(JSON.stringify(file)).not.toMatch(/\d{12}0002/)
    expect(file.documents[0]?.formOfPayment?.text).toBe('CC VI XXXXXXXXXXXX0002 1228 XXXX56 + IN XXXXXXXXXXXX0002')
  })
})
