import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BillingRefused } from '../../src/features/bsp/billing.ts'
import type { CsvOptions } from '../../src/features/bsp/formats/csv.ts'
import { readBilling } from '../../src/features/bsp/read-billing.ts'
import { fixed, print } from '../../src/platform/money.ts'

const PLAIN: CsvOptions = { map: new Map(), currency: null, periodOn: null }
const read = (text: string, options: Partial<CsvOptions> = {}) =>
  readBilling(Buffer.from(text), { ...PLAIN, ...options }).lines.map((line) =>
    Object.fromEntries(
      Object.entries(line).map(([name, value]) => [name, typeof value === 'bigint' ? print(value) : value]),
    ),
  )
function refusal(text: string, options: Partial<CsvOptions> = {}): string {
  try {
    return `read: ${read(text, options).length} documents`
  } catch (error) {
    expect(error).toBeInstanceOf(BillingRefused)
    return (error as Error).message
  }
}

/** Amounts as people and programs write them. */
const WAYS: readonly ((whole: string, cents: string) => string)[] = [
  (whole, cents) => `${whole}.${cents}`,
  (whole, cents) => `${whole},${cents}`,
  (whole, cents) => `${grouped(whole, ',')}.${cents}`,
  (whole, cents) => `${grouped(whole, '.')},${cents}`,
  (whole, cents) => `${grouped(whole, ' ')},${cents}`,
  (whole, cents) => `${grouped(whole, '\u00a0')},${cents}`,
  (whole, cents) => `${grouped(whole, "'")}.${cents}00`,
]
const grouped = (whole: string, sign: string) => whole.replace(/\B(?=(\d{3})+$)/g, sign)
const SIGNS: readonly ((text: string) => string)[] = [(text) => `-${text}`, (text) => `${text}-`, (text) => `(${text})`]
const DAYS: readonly ((iso: string) => string)[] = [
  (iso) => iso,
  (iso) => iso.replaceAll('-', ''),
  (iso) => iso.split('-').reverse().join('.'),
  (iso) => iso.split('-').reverse().join('/'),
  (iso) => `${iso.slice(8)}${iso.slice(5, 7) === '03' ? 'MAR' : 'Dec'}${iso.slice(2, 4)}`,
  (iso) => `${iso} 00:00:00`,
]
const cents = fc.integer({ min: 0, max: 999_999_999 })
const document = fc.record({
  serial: fc.integer({ min: 0, max: 9_999_999_999 }),
  day: fc.constantFrom('2026-03-01', '2026-03-31', '2025-12-09'),
  total: cents,
  commission: cents,
  isRefund: fc.boolean(),
})
const style = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  amount: fc.constantFrom(...WAYS),
  minus: fc.constantFrom(...SIGNS),
  day: fc.constantFrom(...DAYS),
  number: fc.constantFrom<(airline: string, serial: string) => string>(
    (airline, serial) => `${airline}${serial}`,
    (airline, serial) => `${airline}-${serial}`,
    (airline, serial) => `${airline} ${serial}`,
    (airline, serial) => `${airline}${serial}${BigInt(airline + serial) % 7n}`,
    (airline, serial) => String(BigInt(airline + serial)),
  ),
  header: fc.constantFrom(
    ['Document Number', 'Date of Issue', 'Currency', 'Total', 'Commission'],
    ['TDNR', 'DAIS', 'CUTP', 'TDAM', 'EFCO'],
    ['number', 'issued_on', 'currency', 'total', 'commission'],
    ['TICKET-NO.', 'issue_date', 'Cur', 'Gross amount', 'COMM'],
  ),
})

describe('a CSV of billed documents', () => {
  it('is read alike however it separates, groups, signs and dates', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 4 }), style, (documents, way) => {
        const amount = (value: number, isBelow: boolean) => {
          const text = String(value).padStart(3, '0')
          const size = way.amount(text.slice(0, -2), text.slice(-2))
          return isBelow && value > 0 ? way.minus(size) : size
        }
        const rows = documents.map(({ serial, day, total, commission, isRefund }) => [
          way.number('074', String(serial).padStart(10, '0')),
          way.day(day),
          'EUR',
          amount(total, isRefund),
          amount(commission, false),
        ])
        const text = [way.header, ...rows]
          .map((row) => row.map((cell) => `"${cell}"`).join(way.delimiter) + way.end)
          .join('')
        expect(read(text)).toMatchObject(
          documents.map(({ serial, day, total, commission, isRefund }) => {
            const isBelow = isRefund && total > 0
            const own = (value: number) => print((isBelow ? -1n : 1n) * BigInt(value) * 100n)
            return {
              number: `074${String(serial).padStart(10, '0')}`,
              issuedOn: day,
              transaction: isBelow ? 'refund' : 'sale',
              code: isBelow ? 'RFND' : 'TKTT',
              total: own(total),
              commission: own(commission),
            }
          }),
        )
      }),
      { numRuns: 150 },
    )
  })

  const HEAD = 'number,issued_on,currency,total'
  const ROW = '2352403123456,2026-03-02,EUR,318.40'
  it.each<[what: string, text: string, options: Partial<CsvOptions>, expected: object]>([
    [
      'columns by a map',
      'A,B,C,D\n2352403123456,2026-03-02,EUR,5\n',
      mapped('A=number', 'b=issued_on', 'C =currency', 'D=total'),
      { total: '5' },
    ],
    [
      'an airline in its own column',
      `airline,${HEAD}\n74,2403123456,2026-03-02,EUR,5\n`,
      {},
      { number: '0742403123456' },
    ],
    [
      'a currency and a period for all',
      'number,date,total\n2352403123456,2026-03-02,5\n',
      { currency: 'TRY', periodOn: '2026-03-15' },
      { currency: 'TRY', periodOn: '2026-03-15' },
    ],
    [
      'a refund that is written above zero',
      `code,${HEAD},taxes,commission,balance payable\nRFND,${ROW},10,3.00,315.40\n`,
      {},
      { transaction: 'refund', total: '-318.4', taxes: '-10', commission: '-3', remittance: '-315.4' },
    ],
    [
      'a commission as the airline has it',
      `${HEAD},commission\n${ROW},-3.00\n`,
      {},
      { total: '318.4', commission: '3' },
    ],
    [
      'no commission at all',
      `${HEAD}\n${ROW}\n`,
      {},
      { commission: null, remittance: null, exchanged: '0', agent: null },
    ],
    [
      'a void',
      `type,${HEAD},agent\nvoid,${ROW},8812345\n`,
      {},
      { code: 'CANX', void: true, total: '0', agent: '8812345' },
    ],
    [
      'thousands of a currency without decimals',
      `${HEAD}\n2352403123456,2026-03-02,JPY,"1,234"\n`,
      {},
      { total: '1234' },
    ],
    ['decimals of a currency with three', `${HEAD}\n2352403123456,2026-03-02,KWD,1.234\n`, {}, { total: '1.234' }],
    [
      'a document of which nothing is to pay',
      `${HEAD}\n2352403123456,2026-03-02,EUR,0.00\n`,
      {},
      { code: 'TKTT', total: '0' },
    ],
    ['rows that a spreadsheet leaves empty', `${HEAD}\n,,,\n${ROW}\n , ,,\n,,,\n`, {}, { line: 3 }],
    [
      'conjunctions, which are left out',
      `code,${HEAD}\nTKTT,${ROW}\n+TKTT,${ROW}\nCNJ,2352403123457,,,\n`,
      {},
      { line: 2 },
    ],
  ])('has %s', (_, text, options, expected) => {
    expect(read(text, options)).toMatchObject([expected])
  })

  it.each<[reason: string, text: string, options?: Partial<CsvOptions>]>([
    ['neither a HOT file nor a CSV', 'hello\n'],
    ['No column for issued_on or total was found. The columns are "Bilet No", "x"', 'Bilet No;x\n1;2\n'],
    ['No currency column was found', 'number,date,total\n2352403123456,2026-03-02,5\n'],
    ['The file has no column "Z"', `${HEAD}\n${ROW}\n`, mapped('Z=total')],
    ['"price" is not a field. Map the column to one of number, airline', `${HEAD}\n${ROW}\n`, mapped('total=price')],
    ['Line 3: the line has 3 cells', `${HEAD}\n${ROW}\n2352403123456,2026-03-02,EUR\n`],
    ['Line 2: "2,35240E+12" was rounded by a spreadsheet', `${HEAD}\n"2,35240E+12",2026-03-02,EUR,5\n`],
    ['Line 2: "2403123456" is not a document number', `${HEAD}\n2403123456,2026-03-02,EUR,5\n`],
    ['Line 2: "23524031234569" is not a document number', `${HEAD}\n23524031234569,2026-03-02,EUR,5\n`],
    ['Line 2: "03/31/2026" is not a date', `${HEAD}\n2352403123456,03/31/2026,EUR,5\n`],
    ['Line 2: "3/1/2026" is not a date', `${HEAD}\n2352403123456,3/1/2026,EUR,5\n`],
    ['Line 2: "€" is not a currency', `${HEAD}\n2352403123456,2026-03-02,€,5\n`],
    ['Line 2: "1.234" is not an amount in EUR', `${HEAD}\n2352403123456,2026-03-02,EUR,1.234\n`],
    ['Line 2: "5 EUR" is not an amount', `${HEAD}\n2352403123456,2026-03-02,EUR,5 EUR\n`],
    ['Line 2: The document 2352403123456 has no total', `${HEAD}\n2352403123456,2026-03-02,EUR,\n`],
    ['Line 2: The document 2352403123456 has no transaction code', `code,${HEAD}\n???,${ROW}\n`],
    ['Line 2: "12" is not an IATA number', `agent,${HEAD}\n12,${ROW}\n`],
    ['Line 4: "Total" is not a document number', `${HEAD}\n${ROW}\n\nTotal,,EUR,318.40\n`],
    ['Line 2: the CSV is damaged', `${HEAD}\n"2352403123456,2026-03-02,EUR,5\n`],
    ['The file contains no documents', `${HEAD}\n`],
  ])('is refused: %s', (reason, text, options) => {
    expect(refusal(text, options)).toContain(reason)
  })

  it('never has an amount that is not written there', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[-(]?[\d.,' ]{1,12}[-)]?$/),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        (text, currency) => {
          const refusalText = refusal(
            `number;issued_on;currency;total\n2352403123456;2026-03-02;${currency};"${text}"\n`,
          )
          if (!refusalText.startsWith('read')) return
          const [line] = read(`number;issued_on;currency;total\n2352403123456;2026-03-02;${currency};"${text}"\n`)
          const digits = (value: string) => value.replace(/\D/g, '').replace(/^0+|0+$/g, '')
          expect(digits(String(line?.total))).toBe(digits(text))
          expect(fixed(String(line?.total)) < 0n).toBe(/[-(]/.test(text) && /[1-9]/.test(text))
        },
      ),
      { numRuns: 300 },
    )
  })
})

function mapped(...pairs: string[]): Partial<CsvOptions> {
  return { map: new Map(pairs.map((pair) => pair.split('=') as [string, string])) }
}
