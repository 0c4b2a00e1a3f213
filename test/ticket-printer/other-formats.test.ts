import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sumOf } from '../../src/features/ticket-printer/formats/sums.ts'
import { element, elements, parseXml, textAt } from '../../src/features/ticket-printer/formats/xml/parse-xml.ts'
import { type TicketFile, Unreadable } from '../../src/features/ticket-printer/ticket-file.ts'
import { fixturesIn, readText } from './every-fixture.ts'
import { anyNdc, meaningOfNdc } from './writers/ndc.ts'
import { writeNdc17 } from './writers/ndc17.ts'
import { writeNdc21 } from './writers/ndc21.ts'
import { anyPegasus, meaningOfPegasus, writePegasus } from './writers/pegasus.ts'
import { anySirena, meaningOfSirena, writeSirena } from './writers/sirena.ts'
import { anyTkt, meaningOfTkt, writeTkt } from './writers/tkt.ts'

const FOLDERS = ['ndc17', 'ndc18', 'ndc19', 'ndc21', 'pegasus', 'sirena', 'tkt', 'tair', 'unreadable']

describe.each(FOLDERS)('fixtures of %s', (folder) => {
  it.each(fixturesIn(folder))('$name', ({ text, today, expected }) => {
    expect(readText(text, today)).toEqual(expected)
  })
})

// Too little is known about TAIR to write files for it, so it has only fixtures.
describe('a written file is parsed as written', () => {
  it('for NDC', () => {
    fc.assert(
      fc.property(anyNdc, (order) => {
        const text = order.version === '17.2' ? writeNdc17(order) : writeNdc21(order)
        expect(readText(text, order.day)).toEqual(meaningOfNdc(order))
      }),
      { numRuns: 150 },
    )
  })

  it('for Sirena', () => {
    fc.assert(
      fc.property(anySirena, (order) => {
        expect(readText(writeSirena(order), order.day)).toEqual(meaningOfSirena(order))
      }),
      { numRuns: 150 },
    )
  })

  it('for TKT', () => {
    fc.assert(
      fc.property(anyTkt, (order) => {
        expect(readText(writeTkt(order), order.day)).toEqual(meaningOfTkt(order))
      }),
      { numRuns: 100 },
    )
  })

  it('for Pegasus', () => {
    fc.assert(
      fc.property(anyPegasus, (order) => {
        expect(readText(writePegasus(order), order.day)).toEqual(meaningOfPegasus(order))
      }),
      { numRuns: 100 },
    )
  })
})

/** A fixture, parsed after a replacement. */
function changed(folder: string, name: string, from: string | RegExp, to: string): TicketFile {
  const fixture = fixturesIn(folder).find((each) => each.name === name)
  const text = fixture?.text.replace(from, to) ?? ''
  expect(text).not.toBe(fixture?.text)
  const read = readText(text, fixture?.today ?? '')
  if ('unreadable' in read) throw new Error(read.unreadable)
  return read
}
const codes = (file: TicketFile) => file.warnings.map(({ code }) => code)

describe('NDC', () => {
  it('takes the version from the namespace if nothing else has it', () => {
    expect(changed('ndc17', 'issue-conjunction-dinar', ' Version="17.2"', '').version).toBe('17.2')
  })

  it('leaves out an invalid amount, and never guesses', () => {
    const file = changed('ndc17', 'issue-conjunction-dinar', '>312.450<', '>312,450<')
    expect(file.documents[0]?.fare.total).toBeNull()
    expect(file.documents[0]?.fare.base).toEqual({ currency: 'KWD', amount: '280.000' })
    expect(codes(file)).toEqual(['amount_unreadable'])
  })

  it('keeps significant decimals', () => {
    const { documents } = changed('ndc17', 'issue-conjunction-dinar', '>312.450<', '>312.45000001<')
    expect(documents[0]?.fare.total).toBeNull()
  })

  it('adds up what a passenger pays for the flights of one ticket', () => {
    const again =
      '$&<FareDetail><PassengerRefs>PAX1</PassengerRefs><Price><TotalAmount><SimpleCurrencyPrice Code="KWD">1.5</SimpleCurrencyPrice></TotalAmount><BaseAmount Code="KWD">1.500</BaseAmount></Price><FareComponent/></FareDetail>'
    const { documents } = changed('ndc17', 'issue-conjunction-dinar', '</FareDetail>', again)
    expect(documents[0]?.fare).toMatchObject({ base: { amount: '281.500' }, total: { amount: '313.950' } })
  })

  it('merges a repeated document, and conjunctions listed as documents', () => {
    const again = (number: string) =>
      `</TicketDocInfo><TicketDocInfo><TicketDocument><TicketDocNbr>${number}</TicketDocNbr><Type>T</Type></TicketDocument><PassengerReference>PAX1</PassengerReference></TicketDocInfo></TicketDocInfos>`
    const { documents } = changed('ndc17', 'issue-conjunction-dinar', ' Version="17.2"', '')
    const [ticket] = documents
    for (const number of [ticket?.number ?? '', ticket?.conjunctions[0] ?? '']) {
      const file = changed('ndc17', 'issue-conjunction-dinar', '</TicketDocInfo></TicketDocInfos>', again(number))
      expect(file.documents).toEqual(documents)
    }
  })

  it('ignores an amount with separated thousands in a remark', () => {
    for (const amount of ['11.910', '11.910,29', '11 910,29']) {
      const file = changed('ndc17', 'refund-amount-in-a-remark', '11910,29', amount)
      expect([file.documents[0]?.refund?.total, codes(file)]).toEqual([null, ['refund_amounts']])
    }
  })

  it('never adds up two currencies', () => {
    const again =
      '$&<FareDetail><PassengerRefs>PAX1</PassengerRefs><Price><BaseAmount Code="EUR">1.50</BaseAmount></Price><FareComponent/></FareDetail>'
    const file = changed('ndc17', 'issue-conjunction-dinar', '</FareDetail>', again)
    expect(file.documents[0]?.fare.base).toBeNull()
    expect(codes(file)).toEqual(['price_unknown'])
  })

  it('masks a card number anywhere in the payment', () => {
    const payment = '<Payments><Payment><Type>CC VI4000000000000002</Type></Payment></Payments></Order>'
    const { documents } = changed('ndc17', 'issue-conjunction-dinar', '</Order>', payment)
    expect(documents[0]?.formOfPayment).toEqual({ kind: null, text: 'CC VIXXXXXXXXXXXX0002' })
  })

  it('returns mixed for several ways of payment', () => {
    const payment = '<Payment><Type>CC</Type></Payment><Payment><Method><Cash/></Method></Payment></Order>'
    const { documents } = changed('ndc17', 'issue-conjunction-dinar', '</Order>', payment)
    expect(documents[0]?.formOfPayment).toEqual({ kind: 'mixed', text: 'CC + Cash' })
  })

  it('does not take an order without a valid document for a reservation', () => {
    const { text = '', today = '' } = fixturesIn('ndc19').find(({ name }) => name === 'void-by-coupons') ?? {}
    const exchanged = text.replaceAll('<CouponStatusCode>V<', '<CouponStatusCode>E<')
    expect(readText(exchanged, today)).toMatchObject({
      unreadable: expect.stringContaining('void, refunded or exchanged (0572400000195)'),
    })
  })

  it('distinguishes a void from a refund only by the word', () => {
    const { text = '', today = '' } = fixturesIn('ndc17').find(({ name }) => name === 'void-two-tickets') ?? {}
    expect(readText(text.replace('Voided', 'Changed'), today)).toEqual({
      unreadable: 'The file does not state whether the documents were voided or refunded.',
    })
  })
})

it.each([
  ['pegasus', 'issue-one-passenger', '<TAX>4<', '<TAX>-4<'],
  ['pegasus', 'issue-one-passenger', '>EUR<', '><'],
  ['sirena', 'refund', '<AMOUNT>600.00<', '<AMOUNT>6OO.00<'],
  ['sirena', 'refund', '<FARE>4500.00<', '<FARE>4,500.00<'],
  ['tkt', 'sale', '"210.1"', '"210,1"'],
  ['tair', 'exchange', 'YQ  600.00', 'YQ  6OO.00'],
  ['tair', 'exchange', 'GTRY3000.00', 'GTRY3000.OO'],
  ['tair', 'exchange', 'TF-TRY1100.00', 'TF-TRY11OO.00'],
  ['tair', 'refund', 'RF-2000.00', 'RF-2OOO.00'],
  ['tair', 'issue-with-emd-new-year', 'TL-USD000000060.00', 'TL-USD0000000GO.00'],
])('%s: an invalid amount of %s is left out with a warning', (folder, name, from, to) => {
  expect(codes(changed(folder, name, from, to))).toContain('amount_unreadable')
})

it.each([
  ['leg', '>PC1167<', '>PCX<'],
  ['pnr_status', '<PNR_STATUS>OK<', '<PNR_STATUS>XX<'],
  ['locators', '<PNR>ABC124<', '<PNR>ABC999<'],
])('unknown codes of Pegasus get a warning: %s', (code, from, to) => {
  expect(codes(changed('pegasus', 'issue-two-passengers', from, to))).toEqual([code])
})

it('a Pegasus ticket that is left out does not set the date and the office', () => {
  const first = /23:58:00(<\/TICKET_DATE>\s*<TICKET_STATUS>)OK(.*?<ORIGIN>)SAW/s
  const file = changed('pegasus', 'issue-two-passengers', first, '00:01:00$1EXC$2IST')
  expect([file.documents.length, file.made?.time, file.legs.map(({ from }) => from)]).toEqual([1, '23:58', ['SAW']])
})

describe('TAIR', () => {
  it('takes the day of a document without a year as the last one before its capture', () => {
    const file = changed('tair', 'issue-with-emd-new-year', '\\2400000003\\\\', '\\2400000003\\30DEC\\')
    expect(file.documents[0]?.issuedOn).toBe('2026-12-30')
  })

  it('reports a wrong check digit', () => {
    expect(codes(changed('tair', 'issue-with-emd-new-year', '23518000000014', '23518000000015'))).toEqual([
      'check_digit',
    ])
  })

  it('finds the passenger and the payment of an EMD anywhere in the file', () => {
    const emd =
      'E\\NONREF\r-E\\TS-BAG\\NN-01\\RFI-C\\EMD-01 23518000000014\\VC-TK/235\\TL-TRY000000060.00\\FP1-CCVI4000-0000-0000-0002'
    const { documents } = changed('tair', 'issue-two-passengers', 'E\\NONREF', emd)
    expect(documents[2]).toMatchObject({
      kind: 'emd',
      passenger: 0,
      formOfPayment: { kind: 'card', text: 'CCVIXXXXXXXXXXXX0002' },
    })
  })

  it('assigns the operating airline to the preceding flight', () => {
    const { legs } = changed('tair', 'issue-two-passengers', /\*1\\/, '06\\OPERATED BY LUFTHANSA-LH5123\r$&')
    expect(legs.map(({ operatingAirline }) => operatingAirline)).toEqual(['LH', null])
  })

  it('parses lines that lost their backslash', () => {
    const file = changed('tair', 'issue-two-passengers', /(2|E)\\(ACME01|NONREF)/g, '$1 $2')
    expect([file.clientAccount, file.documents[1]?.endorsement]).toEqual(['ACME01', 'NONREF'])
  })

  it('reports a missing fare', () => {
    expect(codes(changed('tair', 'issue-two-passengers', /GTRY.*\r/, ''))).toEqual(['price_unknown'])
  })

  it('returns an itinerary for a file without a document', () => {
    const file = changed('tair', 'exchange', '23524000000123', '')
    expect(file).toMatchObject({ action: 'itinerary', documents: [], passengers: [{ lastName: 'SCHMIDT' }] })
  })
})

describe('the XML reader', () => {
  const read = (xml: string) => {
    const root = parseXml(xml)
    if (root instanceof Unreadable) throw new Error(root.reason)
    return root
  }

  it('matches names without their prefix, and decodes entities', () => {
    const root = read(
      '<?xml version="1.0"?><!-- x --><n:a xmlns:n="u" b="1 &amp; 2"> t&#252;x<c><![CDATA[<&lt;>]]></c></n:a>',
    )
    expect(root).toMatchObject({ name: 'a', attributes: { b: '1 & 2' }, text: 'tüx' })
    expect(textAt(root, 'c')).toBe('<&lt;>')
    expect(element(root, 'c', 'd')).toBeUndefined()
    expect(elements(root, 'c')).toHaveLength(1)
  })

  it('decodes an entity once, and leaves invalid ones unchanged', () => {
    expect(read('<a>&amp;lt; &lol; &#0; &#xD800; &#x110000;</a>').text).toBe('&lt; &lol; &#0; &#xD800; &#x110000;')
  })

  it.each([
    ['', /damaged/],
    ['<a><b></a>', /damaged/],
    ['<a/><b/>', /one root element/],
    ['<!doctype a><a/>', /document type/],
    ['<a><__proto__/></a>', /damaged/],
    [`<a>${'<b/>'.repeat(7000)}</a>`, /tags/],
    [`<a ${Array.from({ length: 5000 }, (_, at) => `b${at}="1"`).join(' ')}/>`, /attributes/],
    [`<a>${' '.repeat(300_000)}</a>`, /too long/],
    [`${'<a>'.repeat(50)}${'</a>'.repeat(50)}`, /nested/],
  ])('refuses %#', (xml, reason) => {
    expect(parseXml(xml)).toMatchObject({ reason: expect.stringMatching(reason) })
  })
})

describe('sums', () => {
  const lira = (amount: string) => ({ currency: 'TRY', amount })

  it('keep the printed decimals', () => {
    expect(sumOf([lira('1'), lira('2')])).toEqual(lira('3'))
    expect(sumOf([lira('0.05'), lira('0.5')])).toEqual(lira('0.55'))
    expect(sumOf([lira('999.999'), lira('0.001')])).toEqual(lira('1000.000'))
  })

  it('are null for an empty list and for different currencies', () => {
    expect(sumOf([])).toBeNull()
    expect(sumOf([lira('1'), null])).toBeNull()
    expect(sumOf([lira('1'), { currency: 'EUR', amount: '1' }])).toBeNull()
  })
})
