import type { ColumnType } from '../preset.ts'
import { type Cell, inParts, type Table } from './cells.ts'
import { zip } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The styles of cells: the header's, then one for each format. */
const FORMATS = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', '0', '#,##0', '#,##0.0', '#,##0.00', '#,##0.000', '#,##0.0000']
const HEADER = 1
const styleOf = (format: string): number => FORMATS.indexOf(format) + 2
const FIRST_FORMAT = 164 // those below are Excel's own

const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.length}">${FORMATS.map(
  (format, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${format}"/>`,
).join(
  '',
)}</numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${
  FORMATS.length + 2
}"><xf/><xf fontId="1" applyFont="1"/>${FORMATS.map(
  (_, at) => `<xf numFmtId="${FIRST_FORMAT + at}" applyNumberFormat="1"/>`,
).join('')}</cellXfs></styleSheet>`

/** What every workbook of one sheet consists of, beside the sheet. */
const PARTS: readonly (readonly [name: string, xml: string])[] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', STYLES],
]

/** A report as an Excel workbook. Texts are cells of the type text, so none of them is a formula. */
export const xlsxOf = (table: Table): Promise<Buffer> =>
  zip([
    ...PARTS.map(([name, xml]) => ({ name, content: [XML + xml] })),
    { name: 'xl/worksheets/sheet1.xml', content: sheet(table) },
  ])

async function* sheet({ columns, rows }: Table): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  yield `<row>${columns.map(({ label }) => text(label, HEADER)).join('')}</row>`
  for await (const part of inParts(rows)) {
    yield part.map((row) => `<row>${row.map((cell, at) => written(cell, columns[at]?.type)).join('')}</row>`).join('')
  }
  yield '</sheetData></worksheet>'
}

function written(cell: Cell, type: ColumnType | undefined): string {
  if (cell === null) return '<c/>'
  const value = String(cell)
  switch (type) {
    case 'integer':
      return number(value, styleOf('0'))
    case 'money':
    case 'decimal':
    case 'percent':
      return isExact(value) ? number(value, styleOf(formatOf(value))) : text(value)
    case 'date':
      return number(String(serial(`${value}T00:00Z`)), styleOf('yyyy-mm-dd'))
    case 'datetime':
      return number(String(serial(value)), styleOf('yyyy-mm-dd hh:mm:ss'))
    default:
      return text(value)
  }
}

const number = (value: string, style: number): string => `<c s="${style}"><v>${value}</v></c>`
const text = (value: string, style = 0): string =>
  `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped(value)}</t></is></c>`

/** Excel's numbers have 15 digits; a longer amount is a text that says all of them. */
const DIGITS = 15
const isExact = (value: string): boolean => value.replace(/\D/g, '').length <= DIGITS
const DECIMALS = 4
function formatOf(value: string): string {
  const decimals = value.split('.')[1]?.length ?? 0
  return decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(Math.min(decimals, DECIMALS))}`
}

const DAY_MS = 86_400_000
/** Days since the day before 1900, as Excel counts them: it takes that year for a leap year. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
const serial = (instant: string): number => (Date.parse(instant) - EPOCH_MS) / DAY_MS

/** What XML cannot hold at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' }
const LONGEST = 32_767
const escaped = (value: string): string =>
  value
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(UNWRITABLE, '')
    .replace(/[&<>\r]/g, (sign) => ENTITIES[sign] ?? sign)
