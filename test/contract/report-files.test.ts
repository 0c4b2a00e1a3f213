import { text as textOf } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { inParts, type ReportCell, type ReportTable } from '../../src/features/reports/files/cells.ts'
import { csvOf } from '../../src/features/reports/files/csv.ts'
import { sheetName } from '../../src/features/reports/files/workbook.ts'
import { xlsxOf } from '../../src/features/reports/files/xlsx.ts'
import { scheduledReports } from '../../src/features/reports/saved/scheduled-reports.job.ts'
import { reportSources } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { anyText } from '../harness/any-text.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { queryOf, type Report } from '../harness/reports.ts'
import { updateAccountOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

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
  it('is in the language and customs of the account, or in those that are asked for', async () => {
    const headOf = async (more: string, path = '/reports/sales_by_customer') =>
      (await cell.call('GET', `${path}.csv?${YEAR}${more}`, agency)).text.slice(1).split('\r\n')
    const update = (locale: string) => updateAccountOf(cell, agency.number, { locale })
    const [english] = await headOf('')
    await update('tr')
    const { key } = await agency.makeKey()
    agency = { ...agency, key }
    const [heading = '', first = ''] = await headOf('')
    expect(heading).toMatch(/^Müşteri;Müşteri kimliği;Para birimi;/)
    expect(first).toMatch(/;-0,50;/)
    expect((await headOf('&locale=en'))[0]).toBe(english)
    expect((await headOf('&locale=de'))[0]).toMatch(/^Customer;Customer id;/)
    const columns = async (more: string) =>
      ((await cell.call('GET', `/reports/sales_by_customer?${YEAR}${more}`, agency)).body as Report).columns[0]?.label
    expect([await columns(''), await columns('&locale=en')]).toEqual(['Müşteri', 'Customer'])
    const { data } = (await cell.call('GET', '/reports', agency)).body as { data: { key: string; label: string }[] }
    expect(data.find((preset) => preset.key === 'vat_summary')?.label).toBe('KDV özeti')
    const { rawPayload } = await cell.app.inject({
      url: `/api/v1/reports/sales_by_customer.xlsx?${YEAR}`,
      headers: { authorization: `Bearer ${agency.key}` },
    })
    expect(unpack(rawPayload).get('xl/workbook.xml')).toContain('name="Müşteriye göre satışlar"')
    for (const locale of ['TR', 'turkish', 'tr_TR', 'x'])
      expect(await cell.call('GET', `/reports/sales_by_customer.csv?locale=${locale}`, agency)).toMatchObject({
        status: 422,
        body: { code: 'invalid_parameter', details: { locale: expect.anything() } },
      })
    expect(await mailed()).toMatch(/^Müşteri;Müşteri kimliği;/)
    await update('en')
  })
  /** The file of a report that a seat, whose own language is English, has sent. */
  async function mailed(): Promise<string> {
    const saved_report = {
      name: 'Weekly',
      preset_key: 'sales_by_customer',
      schedule_frequency: 'daily',
      schedule_hour: 7,
      recipients: ['owner@agency.example'],
    }
    await cell.call('POST', '/saved_reports', { key: agency.key, body: { saved_report } })
    await ask(cell, 'update saved_reports set next_attempt_at = now() where account_id = $1', [agency.number])
    const job = await scheduledReports(cell.deps, reportSources).claim()
    await job?.(GO_ON)
    const [mail] = await ask<{ id: string }>(
      cell,
      `select seat_mail -> 'file' ->> 'id' as id from message_sends where account_id = $1 and seat_mail -> 'file' ->> 'name' like 'Weekly%'`,
      [agency.number],
    )
    const bytes = await cell.deps.files.store.read({ account: agency.number, id: String(mail?.id) })
    return bytes ? textOf(bytes) : ''
  }
})

const text = fc.oneof(anyText(), fc.constantFrom(...FORMULAS))
const COLUMNS: ReportTable['columns'] = [
  { key: 'name', label: 'Name, "of" whom', type: 'string' },
  { key: 'amount', label: 'Amount', type: 'money' },
  { key: 'day', label: '<Day>', type: 'date' },
  { key: 'count', label: 'Count', type: 'integer' },
]
const DAY = 2
const EMPTY: ReportTable = { title: 'Sales', locale: 'en', timeZone: 'Europe/Istanbul', columns: COLUMNS, rows: [] }
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
const table = fc.array(row, { maxLength: 8 }).map((rows): ReportTable => ({ ...EMPTY, rows }))

describe('a table as CSV', () => {
  it('reads back unchanged, except for the apostrophe before possible formulas', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom('en', 'en-GB', 'tr', 'de-DE'), async (given, locale) => {
        const [delimiter, decimal] = locale.startsWith('en') ? [',', '.'] : [';', ',']
        const [header, ...rows] = parse((await csvOf({ ...given, locale })).slice(1), { delimiter }) as string[][]
        expect(header).toEqual(COLUMNS.map(({ label }) => label))
        const shown = (cell: ReportCell, at: number) =>
          at === 1 ? String(cell ?? '').replace('.', decimal) : String(cell ?? '')
        expect(rows).toEqual(
          given.rows.map((cells) => cells.map((cell, at) => (at === 0 ? harmless(cell, delimiter) : shown(cell, at)))),
        )
      }),
      { numRuns: 60 },
    )
  })
})
const harmless = (cell: ReportCell, delimiter = ','): string => {
  const value = String(cell ?? '')
  const begun = /^[\t\r\n]/.test(value) ? `'${value}` : value
  const other = delimiter === ',' ? ';' : ','
  return begun.replace(new RegExp(`(^|[${other}\\t\\r\\n])(?=[=+\\-@＝＋－＠])`, 'g'), "$1'")
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
    const parts = unpack(await xlsxOf(EMPTY))
    expect([...parts.keys()].toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ])
  })
  it('is called like the report, in whatever Excel takes for the name of a sheet', async () => {
    const nameIn = async (title: string) =>
      /<sheet name="(.*?)" sheetId/s.exec(unpack(await xlsxOf({ ...EMPTY, title })).get('xl/workbook.xml') ?? '')?.[1]
    expect(await nameIn('Danışmana göre satışlar')).toBe('Danışmana göre satışlar')
    expect(await nameIn('Q1 [2026]: "A/B" & more')).toBe('Q1 2026 &quot;A B&quot; &amp; more')
    expect(await nameIn("'??'")).toBe('Report')
    fc.assert(
      fc.property(anyText(), (title) => {
        const name = sheetName(title)
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(31)
        expect(name).not.toMatch(/[[\]:*?/\\]|^'|'$/)
        expect(name.isWellFormed()).toBe(true)
      }),
    )
  })
  it('has columns that are wide enough for every number, and a heading that stays', async () => {
    const rows = [[null, '-1234567890.12', '2026-11-21', 7] as const, ['x'.repeat(500), '1.00', null, null] as const]
    const sheet = unpack(await xlsxOf({ ...EMPTY, rows })).get('xl/worksheets/sheet1.xml') ?? ''
    const widths = [...sheet.matchAll(/<col min="(\d+)" max="\1" width="(\d+)" customWidth="1"\/>/g)].map(
      ([, , width]) => Number(width),
    )
    expect(widths).toHaveLength(COLUMNS.length)
    const [name = 0, amount = 0, day = 0, count = 0] = widths
    expect(amount).toBeGreaterThan('-1.234.567.890,12'.length)
    expect(day).toBeGreaterThan('21.11.2026'.length)
    expect(count).toBeGreaterThan('Count'.length)
    expect(name).toBeLessThan(60)
    expect(sheet).toMatch(/<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/)
  })
  it.each([
    ['en', String.raw`yyyy\-mm\-dd`],
    ['en-GB', String.raw`dd\/mm\/yyyy`],
    ['tr', String.raw`dd\.mm\.yyyy`],
    ['de-DE', String.raw`dd\.mm\.yyyy`],
    ['zz', String.raw`yyyy\-mm\-dd`],
  ])('has days as %s has them', async (locale, format) => {
    const styles = unpack(await xlsxOf({ ...EMPTY, locale })).get('xl/styles.xml') ?? ''
    const codes = [...styles.matchAll(/formatCode="(.*?)"/g)].map(([, code]) => code)
    expect(codes.slice(0, 2)).toEqual([format, String.raw`${format}\ hh:mm`])
  })
  it('has amounts in the digits that they are given in, and times on the clock of the account', async () => {
    const columns = [...COLUMNS, { key: 'at', label: 'At', type: 'datetime' } as const]
    const rows = ['12', '12.5', '12.50', '12.500'].map((amount) => [null, amount, null, null, '2026-06-01T21:30:00Z'])
    const parts = unpack(await xlsxOf({ ...EMPTY, columns, rows }))
    const formats = [...(parts.get('xl/styles.xml') ?? '').matchAll(/numFmtId="(\d+)" formatCode="(.*?)"/g)]
    const styles = [
      ...(parts.get('xl/styles.xml') ?? '').matchAll(/<xf(?: numFmtId="(\d+)")?[^>]*?(?:\/>|>.*?<\/xf>)/g),
    ].slice(1)
    const formatOf = (style: string) => formats.find(([, id]) => id === styles[Number(style)]?.[1])?.[2]
    const cells = [...(parts.get('xl/worksheets/sheet1.xml') ?? '').matchAll(/<c s="(\d+)"><v>(.*?)<\/v>/g)]
    expect(cells.map(([, style = '', value]) => [formatOf(style), value]).filter((_, at) => at % 2 === 0)).toEqual([
      ['#,##0', '12'],
      ['#,##0.0', '12.5'],
      ['#,##0.00', '12.50'],
      ['#,##0.000', '12.500'],
    ])
    expect(Number(cells[1]?.[2])).toBeCloseTo(Date.UTC(2026, 5, 2, 0, 30) / 86_400_000 + 25_569, 6)
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
const shown = (cell: ReportCell): string | null =>
  cell === null ? null : [...String(cell)].filter(isWritable).join('')
const serial = (day: string): string => String((Date.parse(day) - Date.parse('1899-12-30')) / 86_400_000)

const unescaped = (xml: string): string =>
  xml.replaceAll('&#13;', '\r').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
/** The cells of a row: numbers as written, texts only where the cell is declared as text. */
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
    at += 46 + length + archive.readUInt16LE(at + 30)
  }
  return files
}
