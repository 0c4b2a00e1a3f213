import { inflateRawSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Cell, inParts, type Table } from '../../src/features/reports/files/cells.ts'
import { csvOf } from '../../src/features/reports/files/csv.ts'
import { xlsxOf } from '../../src/features/reports/files/xlsx.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { anyText } from '../harness/any-text.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { queryOf } from '../harness/reports.ts'

const FORMULAS = [
  "=cmd|' /C calc'!A1",
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '＝1',
  '"=1"',
  "'=1",
  ' =1',
  '=HYPERLINK("http://a.example")',
  "x;=cmd|' /C calc'!A1",
  'x\r\n-1+1\n@SUM(A1)',
]

describe('a report that is saved', () => {
  let cell: TestCell
  let agency: Agency
  const YEAR = queryOf({ from: '2026-01-01', to: '2026-12-31' })
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    await importRows(
      cell,
      agency.key,
      'customers',
      FORMULAS.map((name, at) => ({ external_id: `C${at}`, name })),
    )
    await importRows(
      cell,
      agency.key,
      'hotel_stays',
      FORMULAS.map((_, at) => ({
        external_id: `H${at}`,
        customer_external_id: `C${at}`,
        status: 'confirmed',
        currency: 'EUR',
        check_in_on: '2026-03-10',
        check_out_on: '2026-03-12',
        transaction_date: '2026-03-02',
        sell_lines: [{ kind: 'other', amount: `-${at}.5` }],
      })),
    )
  })
  it('has no formula in it that a client sent, and every amount', async () => {
    const csv = (await cell.call('GET', `/reports/sales_by_customer.csv?${YEAR}`, agency)).text
    const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true })
    expect(rows).toHaveLength(FORMULAS.length)
    // where semicolons separate, as they do for a Turkish spreadsheet, a text may become several cells
    for (const row of rows) expect(row.Customer).not.toMatch(/(^|[;\t\r\n])[=+\-@＝]|^[\t\r]/)
    expect(rows.map((row) => row['Sold, gross'])).toEqual(FORMULAS.map((_, at) => `-${at}.50`))
  })
})

const text = fc.oneof(anyText(), fc.constantFrom(...FORMULAS))
const COLUMNS: Table['columns'] = [
  { key: 'name', label: 'Name, "of" whom', type: 'string' },
  { key: 'amount', label: 'Amount', type: 'money' },
  { key: 'day', label: '<Day>', type: 'date' },
  { key: 'count', label: 'Count', type: 'integer' },
]
const DAY = 2
const row = fc.tuple(
  fc.option(text.map((value) => value.toWellFormed())),
  fc.option(
    fc
      .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.nat(99))
      .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`),
  ),
  fc.constantFrom(null, '1900-03-01', '2000-02-29', '2026-11-21'),
  fc.option(fc.integer()),
)
const table = fc.array(row, { maxLength: 8 }).map((rows): Table => ({ columns: COLUMNS, rows }))

describe('a table as CSV', () => {
  it('is read back as it was, but for the apostrophe before what could be a formula', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (given) => {
        const [header, ...rows] = parse((await csvOf(given)).slice(1)) as string[][]
        expect(header).toEqual(COLUMNS.map(({ label }) => label))
        expect(rows).toEqual(
          given.rows.map((cells) => cells.map((cell, at) => (at === 0 ? harmless(cell) : String(cell ?? '')))),
        )
      }),
      { numRuns: 60 },
    )
  })
})
const harmless = (cell: Cell): string => {
  const value = String(cell ?? '')
  const begun = /^[\t\r\n]/.test(value) ? `'${value}` : value
  return begun.replace(/(^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g, "$1'")
}

describe('a table as XLSX', () => {
  it('has texts as texts, days and counts as numbers, and amounts with all their digits', async () => {
    await fc.assert(
      fc.asyncProperty(table, async (given) => {
        const sheet = unpack(await xlsxOf(given)).get('xl/worksheets/sheet1.xml') ?? ''
        expect(sheet).not.toMatch(/<f\b/)
        const rows = [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].slice(1).map(([, cells = '']) => cellsIn(cells))
        expect(rows).toEqual(
          given.rows.map((cells) =>
            cells.map((cell, at) => (at === DAY && cell !== null ? serial(String(cell)) : shown(cell))),
          ),
        )
      }),
      { numRuns: 60 },
    )
  })
  it('is a workbook of the parts that Excel asks for', async () => {
    const parts = unpack(await xlsxOf({ columns: COLUMNS, rows: [] }))
    expect([...parts.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
    ])
  })
  it('lets others have their turn while it is written', async () => {
    let others = 0
    setImmediate(() => others++)
    for await (const part of inParts(['row'])) expect([part, others]).toEqual([['row'], 0])
    expect(others).toBe(1)
  })
})

/** What XML has no way to write is left out: most control characters, and the two last of its plane. */
const isWritable = (sign: string): boolean =>
  sign >= ' ' ? sign !== '\ufffe' && sign !== '\uffff' : '\t\n\r'.includes(sign)
const shown = (cell: Cell): string | null => (cell === null ? null : [...String(cell)].filter(isWritable).join(''))
const serial = (day: string): string => String((Date.parse(day) - Date.parse('1899-12-30')) / 86_400_000)

const unescaped = (xml: string): string =>
  xml.replaceAll('&#13;', '\r').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** The cells of a row: numbers as they are written, texts only where the cell says that it is one. */
const cellsIn = (row: string): (string | null)[] =>
  [
    ...row.matchAll(
      /<c\/>|<c s="\d+"><v>(.*?)<\/v><\/c>|<c t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is><\/c>/gs,
    ),
  ].map(([, number, text]) => (text === undefined ? (number ?? null) : unescaped(text)))

/** The files of a ZIP archive, found by its directory. */
function unpack(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf('PK\u0005\u0006')
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [size, length, start] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt32LE(at + 42),
    ]
    const content = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    files.set(
      archive.toString('utf8', at + 46, at + 46 + length),
      inflateRawSync(archive.subarray(content, content + size)).toString(),
    )
    at += 46 + length
  }
  return files
}
