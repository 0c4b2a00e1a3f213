import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { airlineOfNumber, numericCodeOf } from '../../src/features/ticket-printer/airline-numbers.ts'
import { readIur } from '../../src/features/ticket-printer/formats/iur/read-iur.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import { writeIur } from './writers/iur.ts'
import { dayAfter, iurScenarios as scenarios } from './writers/iur-arbitraries.ts'
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

describe('Sabre files', () => {
  it.each(NAMES)('%s is parsed as expected', (name) => {
    const { today, ...meaning } = expectedOf(name)
    expect(reasonOrFile(textOf(name), today)).toEqual(meaning)
  })
  it.each(NAMES)('%s is parsed the same with other line ends', (name) => {
    const { today } = expectedOf(name)
    const text = textOf(name)
    const read = reasonOrFile(text, today)
    for (const lineEnd of ['\n', '\r', '\r\n']) {
      expect(reasonOrFile(text.replace(/\r\n|[\r\n]/g, lineEnd), today)).toEqual(read)
    }
  })
})

/** The first line of a file of this type, without records. */
function writeHead(type: string): string {
  return `AA05MAR0214M0${type}17`.padEnd(186).padEnd(216, '0').padEnd(230)
}

describe('a written IUR', () => {
  it('is parsed as written, whatever the year, the currency, the taxes and the conjunctions', () => {
    fc.assert(
      fc.property(scenarios, fc.integer({ min: 0, max: 40 }), (scenario, later) => {
        expect(readIur(writeIur(scenario), dayAfter(scenario.issuedOn, later))).toEqual(meaningOf(scenario))
      }),
      { numRuns: 80 },
    )
  })
  it('is parsed completely or refused when it is truncated, if its header counts the records', () => {
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

/** A fixture with a replacement in one of its records. */
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
  it('the airline of a number is that of its service message, otherwise that of the code', () => {
    const { documents } = changed('issue-taxes-in-detail', '/2352400000001C1', '/9992400000001C1')
    expect(documents.map(({ number, airline }) => [number, airline])).toEqual([['9992400000001', 'TK']])
  })
  it("an infant's service message provides its number too", () => {
    const { documents } = changed('issue-taxes-in-detail', '/2352400000001C1', '/INF9992400000001C1')
    expect(documents[0]?.number).toBe('9992400000001')
  })
  it('the conjunctions are those that the ticket counts, if no accounting line does', () => {
    const name = 'issue-conjunction-across-the-end-of-numbers'
    const { documents } = changed(name, 'LH#9999999999/', 'LH#9999999998/')
    expect(documents[0]?.conjunctions).toEqual(['2200000000000'])
  })
  it('a card number is masked however it is grouped', () => {
    const { documents } = changed('issue-taxes-in-detail', /^CA$/m, 'CCAX3782 822463-10005/0128')
    expect(documents[0]?.formOfPayment).toEqual({ kind: 'card', text: 'CCAXXXXXXXXXXXX0005/0128' })
  })
  it('an invoice and a cheque are distinguished from unknown forms of payment', () => {
    const kinds = ['INVAGT', 'CHECK', 'MILES', 'PTA'].map(
      (payment) => changed('issue-taxes-in-detail', /^CA$/m, payment).documents[0]?.formOfPayment?.kind,
    )
    expect(kinds).toEqual(['invoice', 'cash', 'miles', null])
  })
  it.each([
    ['905320000001-M', '905320000001'],
    ['905320000001-M-1.1', '905320000001'],
    ['0[532]0000001-H', '05320000001'],
    ['905320000001-M-2.1', null],
    ['02120000000-A', null],
    ['02120000000', null],
  ])('the phone %s of the reservation belongs to a passenger: %s', (printed, phone) => {
    expect(changed('issue-taxes-in-detail', '0000000000-A', printed).passengers[0]?.phone).toBe(phone)
  })
  it.each([
    ['INF', 'INFT TK KK1 ISTCDG1827N20MAY/YILMAZ/AYSE MRS/20DEC25', '2025-12-20'],
    ['INF', 'INFT TK KK1 ISTCDG1827N20MAY/YILMAZ/CAN MR/20DEC25', null],
    ['C10', 'CHLD TK HK1/28MAY15', '2015-05-28'],
    ['ADT', 'CHLD TK HK1/28MAY15', null],
  ])('a passenger of the type %s was born on the day in the message %s', (ptc, message, born) => {
    const text = textOf('issue-taxes-in-detail.fil')
      .replace('M201ADT', `M201${ptc}`)
      .replace(/^(M901.*)$/m, `$1\r\nM903PT-SSR ${message}`)
    const read = readIur(text, '2026-03-05')
    expect(read instanceof Unreadable ? read : read.passengers[0]?.dateOfBirth).toBe(born)
  })
  it('one tax without a code is kept if it completes the total', () => {
    const boxes = ' 2112.00YR  521.50TR  909.00XT'
    const taxes = (amount: string) => {
      const { documents, warnings } = changed('issue-taxes-in-detail', boxes, amount.padStart(8).padEnd(boxes.length))
      return [documents[0]?.fare.taxes.map((tax) => tax.code + tax.amount), warnings.map(({ code }) => code)]
    }
    expect([taxes('3542.50'), taxes('3542.51')]).toEqual([
      [['XX3542.50'], []],
      [[], ['unreadable_amount', 'total_differs']],
    ])
  })
  it('a refund without a currency takes the only one of the file', () => {
    const { documents, warnings } = changed('refund-full', /\/11950\.00(.*)P1\/TRY/s, '/TRY11950.00$1P1/')
    expect([documents[0]?.refund?.total, documents[0]?.refund?.gross, warnings]).toEqual([
      { currency: 'TRY', amount: '15492.50' },
      { currency: 'TRY', amount: '11950.00' },
      [],
    ])
  })
  it('the approval of a card is masked to its last two characters', () => {
    const { documents } = changed('issue-taxes-in-detail', /^CA$/m, '*CA5555444433332222#11/25*Z123456')
    expect(documents[0]?.formOfPayment).toEqual({ kind: 'card', text: '*CAXXXXXXXXXXXX2222#11/25*ZXXXX56' })
  })
  it('a percentage with a G before it is a Korean one', () => {
    const { documents } = changed('issue-taxes-in-detail', '       1   119.50', '      G7   119.50')
    expect(documents[0]?.commission).toEqual({ rate: '7', amount: '119.50' })
  })
  it('taxes in the penalty field are not a penalty', () => {
    const name = 'exchange-additional-collection-penalty'
    const { documents, warnings } = changed(name, '       2500', '  QX114IZ  ')
    expect(documents[0]?.exchange?.penalty).toBeNull()
    expect(warnings).toEqual([])
  })
  it('taxes stay summed up if the fare calculation adds up to another amount', () => {
    const { documents } = changed('issue-taxes-in-detail', '114.00QX', '114.01QX')
    expect(documents[0]?.fare.taxes.map(({ code, amount }) => code + amount)).toEqual([
      'YR2112.00',
      'TR521.50',
      'XT909.00',
    ])
  })
  it('the airports of a passenger facility charge are not read as taxes', () => {
    const { documents } = changed('issue-taxes-in-detail', '114.00QX61.75IZ', '114.00QX 61.75XFJFK4.5ORD4.5')
    expect(documents[0]?.fare.taxes.map(({ code }) => code)).toEqual(['YR', 'TR', 'FR', 'QX', 'XF'])
  })
  it('a repeated document is one document', () => {
    const { documents, warnings } = changed('void-enhanced', /^(M201.*?)(?=^M301)/ms, '$1$1')
    expect([documents.length, warnings.map(({ code }) => code)]).toEqual([1, ['repeated_document']])
  })
  it('tickets that are not settled through the BSP get a warning', () => {
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

describe('airline codes', () => {
  it('convert between the two characters and the three digits', () => {
    expect(['TK', 'PC', 'AA', '7W'].map(numericCodeOf)).toEqual(['235', '624', '001', '461'])
    expect(airlineOfNumber('2352400000001')).toBe('TK')
    expect([numericCodeOf('ZZ'), airlineOfNumber('999')]).toEqual([null, 'CA'])
  })
})
