import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Billing, BillingRefused } from '../../src/features/bsp/billing.ts'
import { readBilling } from '../../src/features/bsp/read-billing.ts'
import { print } from '../../src/platform/money.ts'
import { type HotFile, hotRecords, remittanceOf, totalOf, writeHot } from './writers/hot.ts'

const CSV = { map: new Map(), currency: null, periodOn: null }
const readBytes = (bytes: Uint8Array): Billing => readBilling(bytes, CSV)
const read = (text: string): Billing => readBytes(Buffer.from(text, 'latin1'))
/** Why a file is refused; any other error, or none, fails the test. */
function refusal(text: string): string {
  try {
    return `read: ${read(text).lines.length} documents`
  } catch (error) {
    expect(error).toBeInstanceOf(BillingRefused)
    return (error as Error).message
  }
}

const number = fc.integer({ min: 1, max: 9_999_999 }).map((serial) => `235240${String(serial).padStart(7, '0')}`)
const day = fc.constantFrom('2026-03-01', '2026-03-15', '2026-03-31')
const size = fc.integer({ min: 0, max: 999_999_999 })
const signed = fc.integer({ min: -999_999, max: 999_999 })
const sale = fc.record({
  number,
  code: fc.constantFrom('TKTT', 'EMDA', 'EMDS', 'ADMA', 'XYZ1'),
  issuedOn: day,
  fare: size,
  taxes: fc.array(size, { maxLength: 7 }),
  commission: signed,
  exchanged: fc.constantFrom(0, 0, 5_000),
  conjunctions: fc.array(number, { maxLength: 2 }),
})
const refund = fc.record({
  number,
  code: fc.constantFrom('RFND', 'ACMA'),
  issuedOn: day,
  fare: size.map((amount) => -amount - 1),
  taxes: fc.array(
    size.map((amount) => -amount),
    { maxLength: 4 },
  ),
  commission: signed,
  related: fc.option(number, { nil: undefined }),
})
const voided = fc.record({
  number,
  code: fc.constant('CANX'),
  issuedOn: day,
  fare: fc.constant(0),
  taxes: fc.constant([]),
  commission: fc.constant(0),
})
const office = fc.record({
  agent: fc.constantFrom('88123456', '00123453'),
  periodOn: day,
  unit: fc.constantFrom('EUR2', 'TRY2', 'KWD3', 'JPY0', 'HKD0'),
  documents: fc.array(fc.oneof(sale, refund, voided), { maxLength: 4 }),
})
const file = fc
  .record({ offices: fc.array(office, { minLength: 1, maxLength: 3 }), revision: fc.constantFrom('203', '220', '230') })
  .filter(({ offices }) => offices.some(({ documents }) => documents.length > 0))

/** Whole units from the smallest ones. */
const decimal = (amount: number, unit: string): string => print(BigInt(amount) * 10n ** BigInt(4 - Number(unit.at(-1))))
const isRefund = (code: string) => ['RFND', 'ACMA'].includes(code)
/** The content of a file. */
const meaning = ({ offices }: HotFile) =>
  offices.flatMap(({ agent, periodOn, unit, documents }) =>
    documents.map((document) => ({
      number: (isRefund(document.code) && document.related) || document.number,
      code: document.code,
      transaction: isRefund(document.code) ? 'refund' : 'sale',
      void: document.code === 'CANX',
      agent,
      issuedOn: document.issuedOn,
      periodOn,
      currency: unit.slice(0, 3),
      fare: decimal(document.fare, unit),
      total: decimal(totalOf(document), unit),
      exchanged: decimal(document.exchanged ?? 0, unit),
      commission: decimal(document.commission, unit),
      remittance: decimal(remittanceOf(document), unit),
    })),
  )
const understood = ({ lines }: Billing) =>
  lines.map(({ line: _, taxes: __, ...rest }) =>
    Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, typeof value === 'bigint' ? print(value) : value]),
    ),
  )

/** What transports make of a file: other line ends, no trailing blanks, no line ends at all, frames. */
const TRANSPORTS: readonly ((records: readonly string[]) => string)[] = [
  (records) => records.join('\n'),
  (records) => records.map((text) => `${text}\r\n`).join(''),
  (records) => records.join('\r'),
  (records) => records.map((text) => text.trimEnd()).join('\n'),
  (records) => records.join(''),
  (records) => `${records.join('')}\r\n`,
  (records) => `\x01\x02${records.join('\r\n')}\r\n\x03\f\x1a`,
  (records) => `\r\n\n${records.join('\n\n')}\n\n`,
  (records) => `\u00ef\u00bb\u00bf${records.join('\n')}`,
]

describe('a HOT file', () => {
  it('is read as it is meant, whatever a transport has made of it', () => {
    fc.assert(
      fc.property(file, fc.constantFrom(...TRANSPORTS), (hot, transport) => {
        expect(understood(read(transport(hotRecords(hot))))).toEqual(meaning(hot))
      }),
      { numRuns: 100 },
    )
  })
  it('may be several, one for each airline', () => {
    fc.assert(
      fc.property(file, file, (one, other) => {
        expect(understood(read(writeHot(one) + writeHot(other)))).toEqual([...meaning(one), ...meaning(other)])
      }),
      { numRuns: 30 },
    )
  })
  it('is read in UTF-16, and with invalid UTF-8', () => {
    const hot: HotFile = { offices: [{ agent: '88123456', periodOn: '2026-03-15', unit: 'TRY2', documents: [SALE] }] }
    const text = writeHot(hot).replace('YILMAZ', 'YILM\u00deZ')
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    for (const bytes of [utf16, Buffer.from(utf16).swap16(), Buffer.from(text, 'latin1')])
      expect(understood(readBytes(bytes))).toEqual(meaning(hot))
  })
  it('warns of a check digit that does not hold, and no more than some times', () => {
    const records = hotRecords({ offices: [{ ...OFFICE, documents: Array(30).fill(SALE) }] })
    const { warnings } = read(put('BKS24', 40, '9')(records).join('\n'))
    expect(warnings[0]).toBe('Line 5: the check digit of document 2352403123456 should be 9.')
    expect(warnings).toHaveLength(21)
  })
})

const SALE = {
  number: '2352403123456',
  code: 'TKTT',
  issuedOn: '2026-03-02',
  fare: 24_000,
  taxes: [6_000, 1_840],
  commission: 720,
}
const OFFICE = { agent: '88123456', periodOn: '2026-03-15', unit: 'EUR2' }

describe('a HOT file that is not whole', () => {
  const damaged = (damage: (records: string[], at: number) => void) =>
    fc.assert(
      fc.property(file, fc.nat(), (hot, nth) => {
        const records = hotRecords(hot)
        damage(records, nth % records.length)
        const text = records.join('\n')
        // A currency in which nothing is billed needs no totals.
        if (refusal(text).startsWith('read')) expect(understood(read(text))).toEqual(meaning(hot))
      }),
      { numRuns: 40 },
    )
  it('is refused when a record is lost', () => damaged((records, at) => records.splice(at, 1)))
  it('is refused when a record comes twice', () =>
    damaged((records, at) => records.splice(at, 0, records[at] as string)))
  it('is refused when it is cut off', () => damaged((records, at) => records.splice(at)))
  it('is refused when a digit of an amount that is added up is another one', () => {
    const places: Readonly<Record<string, readonly [at: number, length: number]>> = {
      BKS30: [120, 11],
      BKS39: [93, 11],
      BKP84: [98, 11],
      BOT94: [28, 45],
      BCT95: [23, 45],
      BFT99: [22, 45],
    }
    fc.assert(
      fc.property(file, fc.nat(), fc.nat(), (hot, nth, offset) => {
        const records = hotRecords(hot)
        const adding = records.flatMap((text, at) => (idOf(text) in places ? [at] : []))
        const which = adding[nth % adding.length] as number
        const text = records[which] as string
        const [at, length] = places[idOf(text)] as [number, number]
        const place = at - 1 + (offset % length)
        const other =
          text[place] === '1' ? '2' : /\d/.test(text[place] as string) ? '1' : text[place] === 'A' ? 'B' : 'A'
        records[which] = text.slice(0, place) + other + text.slice(place + 1)
        expect(refusal(records.join('\n'))).toMatch(/add up to|is not a valid amount/)
      }),
      { numRuns: 100 },
    )
  })
  it.each<[reason: string, change: (records: string[]) => string[] | string, more?: Partial<HotFile>]>([
    ['Line 1: the file uses revision 190 of the DISH', (records) => records, { revision: '190' }],
    ['Line 1: this is a test file', (records) => records, { status: 'TEST' }],
    ['Line 3: "881234X6" at position 14 of the BOH03 is not a valid 8-digit IATA number', put('BOH03', 14, '881234X6')],
    ['Line 3: "260332" at position 22 of the BOH03 is not a valid day', put('BOH03', 22, '260332')],
    [
      'Line 5: "235240312345" at position 26 of the BKS24 is not a valid 13-digit document number',
      put('BKS24', 26, '235240312345  '),
    ],
    ['Line 3: "EUR" at position 28 of the BOH03 is not a valid currency with its decimals', put('BOH03', 28, 'EUR ')],
    [
      'Line 7: the amounts of the document are in different currencies: EUR2 above',
      (records) => records.with(6, put('BKS30', 133, 'USD2')(records)[6] as string),
    ],
    ['Line 5: the document 2352403123456 has no transaction code', put('BKS24', 72, '    ')],
    ['is not a record of a HOT file', put('BKI63', 1, '???')],
    ['Line 2: the record has 137 characters', (records) => records.with(1, `${records[1]?.padEnd(136)}X`)],
    ['Line 2: the record has the number 0000000X, but 2 is expected', put('BCH02', 4, '0000000X')],
    [
      'the file has no totals (BFT99) for EUR2',
      put('BFT99', 22, `${'00000000000000{'.repeat(3)}${' '.repeat(66)}TRY2`),
    ],
    ['Line 4: a document precedes the header of its office', without('BOH03')],
    ['Line 5: the BKS30 does not belong to a document', without('BKS24')],
    ['The file contains no documents', () => writeHot({ offices: [{ ...OFFICE, documents: [] }] })],
    ['The file is empty', () => '\f'],
  ])('is refused: %s', (reason, change, more = {}) => {
    const changed = change(
      hotRecords({ offices: [{ ...OFFICE, documents: [{ ...SALE, taxes: [1, 2, 3, 4] }] }], ...more }),
    )
    expect(refusal(typeof changed === 'string' ? changed : changed.join('\r\n'))).toContain(reason)
  })
})

const idOf = (text: string): string => text.slice(0, 3) + text.slice(11, 13)
/** Writes something into the records that are of this kind. */
const put =
  (id: string, at: number, field: string) =>
  (records: readonly string[]): string[] =>
    records.map((text) =>
      idOf(text) === id ? text.slice(0, at - 1) + field + text.slice(at - 1 + field.length) : text,
    )
/** Leaves records of a kind out, and nothing shows it. */
const without =
  (id: string) =>
  (records: readonly string[]): string[] =>
    records
      .filter((text) => idOf(text) !== id)
      .map((text, at) => text.slice(0, 3) + String(at + 1).padStart(8, '0') + text.slice(11))

describe('anything else', () => {
  const whole = writeHot({ offices: [{ ...OFFICE, documents: Array(5).fill(SALE) }] })
  it('is refused for a reason, and never an accident', () => {
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      remove: fc.nat(200),
      put: fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('\n', '{', 'BFH', ' '.repeat(136))),
    })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const text = changes.reduce(
          (before, { at, remove, put }) => before.slice(0, at) + put + before.slice(at + remove),
          whole,
        )
        refusal(text)
      }),
      { numRuns: 300 },
    )
  })
  it('costs little time, however large', () => {
    const lines = whole.split('\r\n')
    const large = ['\n', 'X', ' ', `${lines[5]}\n`, whole, '"', 'a,b\n', '{', `${lines[0]}\n`].map((part) =>
      part.repeat(Math.ceil(2 ** 18 / part.length)),
    )
    for (const text of [
      ...large,
      ...large.map((part) => lines[0] + part),
      ...large.map((part) => `${lines[0]}\n${part}`),
    ]) {
      const before = process.cpuUsage()
      refusal(text)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1_000, JSON.stringify(text.slice(0, 200))).toBeLessThan(1_000)
    }
  })
})
