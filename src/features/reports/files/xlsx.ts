import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import type { ColumnType } from '../preset.ts'
import { inParts, type ReportCell, type ReportTable } from './cells.ts'
import { columnWidths } from './column-widths.ts'
import { customsOf } from './customs.ts'
import { type CellFormat, escaped, headingOf, MAIN, styleOf, workbookParts, XML } from './workbook.ts'

/** The same report is the same bytes. */
const DAY_ONE = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** A report as an Excel workbook. Texts are cells of the type text, so none is a formula. */
export async function xlsxOf(table: ReportTable): Promise<Buffer> {
  const archive = new ZipFile()
  const failed = new Promise<never>((_, reject) => void archive.on('error', reject))
  const packed = Promise.race([buffer(archive.outputStream), failed])
  for (const [name, xml] of workbookParts(table.title, customsOf(table.locale).day))
    archive.addBuffer(Buffer.from(XML + xml), name, DAY_ONE)
  archive.addReadStream(Readable.from(sheet(table), { objectMode: false }), 'xl/worksheets/sheet1.xml', DAY_ONE)
  archive.end()
  return packed
}

/** The heading is frozen. */
const VIEW =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
async function* sheet(table: ReportTable): AsyncGenerator<string> {
  const { columns, rows, timeZone } = table
  const widths = await columnWidths(table)
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`)
  yield `${XML}<worksheet xmlns="${MAIN}">${VIEW}<cols>${cols.join('')}</cols><sheetData>`
  yield `<row>${columns.map((column) => text(column.label, headingOf(column))).join('')}</row>`
  const write = (cell: ReportCell, at: number): string => written(cell, columns[at]?.type, timeZone)
  for await (const part of inParts(rows)) yield part.map((row) => `<row>${row.map(write).join('')}</row>`).join('')
  yield '</sheetData></worksheet>'
}

function written(cell: ReportCell, type: ColumnType | undefined, timeZone: string): string {
  if (cell === null) return '<c/>'
  const value = String(cell)
  switch (type) {
    case 'integer':
      return number(value, '0')
    case 'money':
    case 'decimal':
    case 'percent':
      return isExact(value) ? number(value, formatOf(value)) : text(value)
    case 'date':
      return number(String(serial(`${value}T00:00`)), 'day')
    case 'datetime':
      return number(String(serial(clockTime(value, timeZone))), 'moment')
    default:
      return text(value)
  }
}

const number = (value: string, format: CellFormat): string => `<c s="${styleOf(format)}"><v>${value}</v></c>`
const LONGEST = 32_767
const text = (value: string, style = 0): string =>
  `<c t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped(value.slice(0, LONGEST))}</t></is></c>`

/** Numbers in Excel have 15 digits; a longer amount is written as text with all of them. */
const DIGITS = 15
const isExact = (value: string): boolean => value.replace(/\D/g, '').length <= DIGITS
const BY_DECIMALS: readonly CellFormat[] = ['#,##0', '#,##0.0', '#,##0.00', '#,##0.000', '#,##0.0000']
const formatOf = (value: string): CellFormat => BY_DECIMALS[value.split('.')[1]?.length ?? 0] ?? '#,##0.0000'

const DAY_MS = 86_400_000
/** Days since the day before 1900, as Excel counts them: it takes that year for a leap year. */
const EPOCH_MS = Date.UTC(1899, 11, 30)
const serial = (local: string): number => (Date.parse(`${local}Z`) - EPOCH_MS) / DAY_MS
/** An instant as a clock of the zone shows it: Excel knows no zones. */
const clockTime = (instant: string, timeZone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit: 'second' })
