import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stripped } from '#client/ticket-file/signatures.ts'
import { readAir } from '../../src/features/ticket-printer/formats/air/read-air.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import { writeAir } from './writers/air.ts'
import { airChanges, airEmds, airIssues, airRefunds } from './writers/air-arbitraries.ts'
import { meaningOf } from './writers/air-meaning.ts'
import { adult, BASE, fareOf, holder, leg, money, tax, ticket } from './writers/air-scenarios.ts'

const FIXTURES = new URL('fixtures/air/', import.meta.url)
const TODAY = '2026-03-05'
const LINE_ENDS = ['\r', '\n', '\r\n'] as const

/** Reads a file as a capture does. */
const read = (text: string, today = TODAY): TicketFile | Unreadable => readAir(stripped(text), today)
function file(text: string, today?: string): TicketFile {
  const found = read(text, today)
  if (found instanceof Unreadable) throw new Error(found.reason)
  return found
}
const textOf = (name: string): string => readFileSync(new URL(name, FIXTURES), 'utf8')
const fixtures = readdirSync(FIXTURES).filter((name) => name.endsWith('.air'))

describe('fixtures', () => {
  it.each(fixtures)('%s', (name) => {
    const { today, expected } = JSON.parse(textOf(name.replace(/air$/, 'json')))
    const found = read(textOf(name), today)
    expect(found instanceof Unreadable ? { unreadable: found.reason } : found).toEqual(expected)
  })
})

describe('a written file is parsed as', () => {
  it.each([
    ['an issue', airIssues],
    ['EMDs', airEmds],
    ['a refund', airRefunds],
    ['a void, or what takes one back', airChanges],
  ])('%s', (_what, scenarios) => {
    fc.assert(
      fc.property(scenarios, fc.constantFrom(...LINE_ENDS), (scenario, lineEnd) => {
        const today = scenario.days?.made ?? scenario.change?.day
        expect(read(writeAir(scenario, lineEnd), today)).toEqual(meaningOf(scenario))
      }),
      { numRuns: 60 },
    )
  })
})

describe('damaged files', () => {
  it('that end too early are refused', () => {
    const whole = fixtures.map(textOf).filter((text) => !(read(text) instanceof Unreadable))
    fc.assert(
      fc.property(
        fc.constantFrom(...whole),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (text, at) => {
          const end = /[\r\nm]END/.exec(text)?.index ?? 0
          expect(read(text.slice(0, Math.floor(at * end)))).toBeInstanceOf(Unreadable)
        },
      ),
      { numRuns: 100 },
    )
  })

  it('never cause exceptions, and give only valid documents', () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      gone: fc.nat(30),
      put: fc.string({ unit: fc.constantFrom(...';-/()*+.,0129AKZ \n\0'), maxLength: 20 }),
    })
    fc.assert(
      fc.property(fc.constantFrom(...fixtures), fc.array(damage, { minLength: 1, maxLength: 6 }), (name, damages) => {
        const text = damages.reduce((whole, { at, gone, put }) => {
          const from = Math.floor(at * whole.length)
          return whole.slice(0, from) + put + whole.slice(from + gone)
        }, textOf(name))
        const found = read(text)
        if (found instanceof Unreadable) return
        for (const { number, passenger, fare, formOfPayment } of found.documents) {
          expect(number).toMatch(/^\d{13}$/)
          expect(found.passengers[passenger]).toBeDefined()
          expect(fare.total?.amount ?? '0').toMatch(/^\d+(?:\.\d+)?$/)
          expect(formOfPayment?.text ?? '').not.toMatch(/\d{12}/)
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['lines', '\n', 'The file has too many lines for an AIR.'],
    ['passengers', 'I-001;01A/B\n', 'The file has too many passengers for an AIR.'],
  ])('with too many %s are refused', (_what, line, reason) => {
    expect(read(`AIR-BLK207;7A;\n${line.repeat(line === '\n' ? 20_000 : 200)}ENDX\n`)).toEqual(
      new Unreadable(reason, 'too_large'),
    )
  })
})

/** A ticket with another element instead of its cash payment. */
function withElement(line: string, instead = /^FPCASH$/m): TicketFile {
  const scenario = {
    ...BASE,
    segments: [{ kind: 'flight' as const, leg: leg('IST', 'LHR', '2026-03-20T08:15', '2026-03-20T10:30') }],
    fares: {
      K: fareOf({
        base: money('EUR', '100.00'),
        taxes: [tax('EUR', '20.00', 'YQ', 'AC')],
        total: money('EUR', '120.00'),
      }),
    },
    passengers: [holder(1, adult('YILMAZ', 'AYSE', 'MRS'), [ticket('2352400000001')])],
  }
  return file(writeAir(scenario, '\n').replace(instead, line))
}

describe('commissions', () => {
  it.each([
    ['9', { rate: '9', amount: null }],
    ['*M*5.00', { rate: '5.00', amount: null }],
    ['*C*1A', { rate: null, amount: '1' }],
    ['*G*679.75A;S2-3;P1', { rate: null, amount: '679.75' }],
    ['1.00N', { rate: '1.00', amount: null }],
    ['5.00P', { rate: '5.00', amount: null }],
    ['1.00P/28.28A', { rate: '1.00', amount: '28.28' }],
    ['*F*0.00', null],
    ['', null],
  ])('%s', (printed, commission) => {
    const { documents, warnings } = withElement(`FM${printed}`)
    expect([documents[0]?.commission, warnings]).toEqual([commission, []])
  })

  it('in another syntax are left out with a warning', () => {
    const { documents, warnings } = withElement('FM*M*NINE')
    expect([documents[0]?.commission, warnings.map(({ code }) => code)]).toEqual([null, ['commission']])
  })
})

describe('forms of payment', () => {
  it.each([
    ['CASH', 'cash', 'CASH'],
    ['CHECK', 'cash', 'CHECK'],
    ['INVAGENCY', 'invoice', 'INVAGENCY'],
    ['NONREF/CASH', 'cash', 'NONREF/CASH'],
    ['NONREFAGT', null, 'NONREFAGT'],
    ['CCVI4444333322221111/1229/A1;S2;P1', 'card', 'CCVIXXXXXXXXXXXX1111/1229/A1'],
    ['CCVIXXXXXXXXXXXX1111/1229/A1', 'card', 'CCVIXXXXXXXXXXXX1111/1229/A1'],
    [
      'CCVI4444333322221111/1229+CCAX000000000000000/1229',
      'card',
      'CCVIXXXXXXXXXXXX1111/1229+CCAXXXXXXXXXXXX0000/1229',
    ],
    ['CASH/EUR20.00+INV/EUR100.00', 'mixed', 'CASH/EUR20.00+INV/EUR100.00'],
    ['MSMILES', 'miles', 'MSMILES'],
  ])('%s', (printed, kind, text) => {
    expect(withElement(`FP${printed}`).documents[0]?.formOfPayment).toEqual({ kind, text })
  })

  it('that are only an old one are ignored', () => {
    const { action, documents } = withElement('FPO/CCVI4444333322221111')
    expect([action, documents[0]?.formOfPayment]).toEqual(['exchange', { kind: null, text: 'O/CCVIXXXXXXXXXXXX1111' }])
  })
})

describe('refunds without a total of their own', () => {
  it.each([
    ['CASH/TRY100.00', '100.00'],
    ['CASH/TRY100.00\nFPCASH/TRY100.00', '100.00'],
    ['CASH/TRY100.00+CCVI4444333322221111/1229/TRY20.50/A1', '120.50'],
    ['CASH/TRY100.00+CCVI4444333322221111/1229', undefined],
    ['INV100', undefined],
  ])('take it from the form of payment %s', (printed, total) => {
    const text = textOf('refund-without-data.air').replace(/^FP.*$/m, `FP${printed}`)
    expect(file(text).documents[0]?.refund?.total?.amount).toBe(total)
  })
})

describe('requests to airlines', () => {
  it.each([
    ['(CHD)', 'SSR CHLD TK  HK1/28MAY15;P1', { dateOfBirth: '2015-05-28' }],
    ['(INF)', 'SSR INFT TK  HK1/YILMAZ/CAN 10APR25;P1', { dateOfBirth: '2025-04-10' }],
    ['', 'SSR INFT TK  HK1/YILMAZ/CAN 10APR25;P1', { dateOfBirth: null }],
    ['', 'SSR DOCS TK  HK1/I/TUR/A000000/TUR/01JAN80/F/01JAN30/X/Y;P1', { nationality: 'TUR', passport: null }],
    ['', 'SSR CTCE TK  HK1/A..B./C//EXAMPLE.COM;P1', { email: 'A_B-C@EXAMPLE.COM' }],
    ['', 'OSI TK  CTCM905320000001;P1', { phone: '905320000001' }],
    ['', 'OSI TK  CTCP902120000001\nSSR CTCM TK  HK1/905320000001', { phone: '905320000001' }],
    ['', 'SSR CTCM TK  HK1/905320000001;P2', { phone: null }],
  ])('of a passenger %s: %s', (type, line, expected) => {
    const text = textOf('issue-eur-card.air').replace(/^(I-001;01[^;(]*)[^\r\n]*/m, `$1${type};;;;\n${line}`)
    expect(file(text).passengers[0]).toMatchObject(expected)
  })
})

describe('contacts of a reservation', () => {
  it.each([
    ['APIST 90 212 000 0000 - TEST AGENCY - A', { email: null, phone: null }],
    ['APIST 90 212 000 0000 - TEST AGENCY - A//M+905320000001', { email: null, phone: '+905320000001' }],
    ['AP902120000001//905320000001-M//E-A.B@EXAMPLE.COM', { email: 'A.B@EXAMPLE.COM', phone: '905320000001' }],
    ['AP902120000001 FAX//E A_B@EXAMPLE.COM', { email: 'A_B@EXAMPLE.COM', phone: null }],
    ['APN+905320000001//E-A.B@EXAMPLE.COM/TR', { email: 'A.B@EXAMPLE.COM', phone: '+905320000001' }],
    ['APCALL 12', { email: null, phone: null }],
  ])('%s', (printed, expected) => {
    const text = textOf('issue-eur-card.air').replace(/^(I-001;[^;]*;[^;]*;)[^;]*/m, `$1${printed}`)
    expect(file(text).passengers[0]).toMatchObject(expected)
  })
})

describe('document numbers', () => {
  it.each(['E', 'K', 'A', 'T', 'U', 'P', ' ', ''])('of the type "%s" are of tickets', (type) => {
    const { documents } = withElement(`T-${type}235-2400000001-02`, /^T-.*$/m)
    expect(documents.map(({ number, conjunctions }) => [number, ...conjunctions])).toEqual([
      ['2352400000001', '2352400000002'],
    ])
  })

  it.each(['H', 'C', 'V', 'O'])('of the type %s are of vouchers', (type) => {
    expect(withElement(`T-${type}235-2400000001`, /^T-.*$/m).documents).toEqual([])
  })

  it.each([
    ['T-K235-240000001', 'ticket_number', 0],
    ['T-K235-2400000001-60', 'conjunction', 1],
  ])('%s gets a warning', (line, code, count) => {
    const { documents, warnings } = withElement(line, /^T-.*$/m)
    expect([documents.length, warnings[0]?.code]).toEqual([count, code])
    expect(documents.flatMap(({ conjunctions }) => conjunctions)).toEqual([])
  })

  it('share the fare of one passenger, which counts once', () => {
    const { documents, warnings } = withElement('T-K235-2400000001\nT-K235-2400000002', /^T-.*$/m)
    expect(documents.map(({ fare }) => fare.total?.amount)).toEqual(['120.00', undefined])
    expect(warnings.map(({ code }) => code)).toEqual(['several_tickets'])
  })
})

describe('parts', () => {
  it.each([
    ['2/3', { number: 2, of: 3, sequence: '0500000001' }],
    ['1/1', null],
    ['0/3', null],
    ['5/3', null],
  ])('%s', (printed, part) => {
    expect(withElement(`AMD 0500000001;${printed};              `, /^AMD.*$/m).part).toEqual(part)
  })
})

describe('terminals of arrival', () => {
  const flight =
    'H-001;002OIST;ISTANBUL;LHR;LONDON;TK    1979 Y Y 20MAR0815 1030 20MAR;OK01;HK01;M ;0;77W;;;1PC;I ;;ET;0400 ;N;1567'
  it.each([
    [';TR;GB;2 ', '2'],
    [';TR;GB;', null],
    [';TR;GB', null],
    [';2 ', '2'],
    [';2 ;', '2'],
    ['', null],
  ])('%s', (printed, terminal) => {
    expect(withElement(flight + printed, /^H-.*$/m).legs[0]?.arrivalTerminal).toBe(terminal)
  })
})

it.each(['VOID', 'COACH-RESERVED'])('a sector that is %s is no flight', (printed) => {
  const { legs, warnings } = withElement(`H-000;000OIST;ISTANBUL;LHR;LONDON;${printed}`, /^H-.*$/m)
  expect([legs, warnings]).toEqual([[], []])
})

it('a flight in other columns is left out', () => {
  const { legs, warnings } = withElement(
    'H-001;002OIST;ISTANBUL;LHR;LONDON;TK 1979 Y Y 20MAR0815 1030 20MAR;OK01',
    /^H-.*$/m,
  )
  expect([legs, warnings.map(({ code }) => code)]).toEqual([[], ['segment']])
})

describe('deadlines', () => {
  it.each([
    ['TKTL12MAR/1200/ISTTK0000', '2026-03-12'],
    ['TKXL08JAN/1200/ISTTK0000', '2027-01-08'],
    ['TKTL20FEB/ISTTK0000', '2026-02-20'],
    ['TKOK05MAR/ISTTK0000//ETTK', null],
  ])('%s', (line, deadline) => {
    expect(withElement(line, /^TK.*$/m).ticketingDeadline).toBe(deadline)
  })
})

describe('years', () => {
  it.each([
    ['VOID31DEC', '2026-01-02', '2025-12-31'],
    ['VOID02JAN', '2026-01-02', '2026-01-02'],
    ['VOID29FEB', '2026-03-05', '2024-02-29'],
    ['VOID31FEB', '2026-03-05', null],
  ])('of %s on %s are of %s', (action, today, made) => {
    const void_ = `AIR-BLK207;MA;;190;0;1A;001001\nAMD 0500000001;1/1;${action};AASU\n1A\nI-001;01A/B\nT-K235-2400000001\nENDX`
    expect(file(void_, today).issuedOn).toBe(made)
  })
  it.each([
    ['TRFX02DEC', '01DEC24', '2024-12-02'],
    ['TRFX02JAN', '30DEC24', '2025-01-02'],
    ['VOID30DEC', '02JAN25', '2024-12-30'],
    ['TRFX02DEC', '', '2025-12-02'],
  ])('of %s in a file with a refund on "%s" are nearest to it', (action, refunded, made) => {
    const cancelled = `AIR-BLK207;MA;;190;0;1A;001001\nAMD 0500000001;1/1;${action};AASU\n1A\nI-001;01A/B\nT-K235-2400000001\nR-235-2400000001;${refunded}\nENDX`
    expect(file(cancelled, '2026-03-05').issuedOn).toBe(made)
  })
})
