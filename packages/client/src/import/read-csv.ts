import { pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { type Column, type ColumnsToRead, columnsOf } from './columns.ts'
import { asItWas } from './failed-rows.ts'
import { ImportError } from './import-error.ts'
import { ADDED, type ReadRow, type Rows, type Table, unreadable } from './read-row.ts'

type CsvOptions = ColumnsToRead & {
  readonly delimiter: string
  readonly maxRowChars: number
  /** Is called once, before the first row. */
  readonly onColumns?: (columns: readonly Column[]) => void
}
type Line = { readonly line: number; readonly cells: readonly string[] }

/**
 * Reads CSV with a header row. An empty cell is an absent one: a spreadsheet has no other way to leave a field out.
 * A row whose cells do not match the header is a bad row; a quote that is never closed ends the reading.
 */
export async function* readCsv(chunks: AsyncIterable<string>, options: CsvOptions): Rows {
  let read: ((line: Line) => ReadRow) | null = null
  for await (const line of readCells(chunks, options)) {
    if (line.cells.every((cell) => cell.trim() === '')) continue
    if (!read && line.line === 1 && /^sep=.?$/.test(line.cells.join(''))) continue
    if (read) yield read(line)
    else read = rowReader(line, options)
  }
}

async function* readCells(
  chunks: AsyncIterable<string>,
  { delimiter, maxRowChars }: Pick<CsvOptions, 'delimiter' | 'maxRowChars'>,
): AsyncGenerator<Line> {
  let next = 1
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: maxRowChars,
    // The parser's own count is off after a line break of two characters inside quotes.
    on_record: ((cells: string[]): Line => {
      const line = next
      next += 1 + cells.reduce((breaks, cell) => breaks + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)
      return { line, cells }
    }) as never,
  })
  pipeline(Readable.from(chunks), parser, () => {}) // the error arrives by the iteration
  try {
    yield* parser as AsyncIterable<Line>
  } catch (error) {
    throw isCsvError(error) ? new ImportError('invalid_csv', `Line ${next}: ${explain(error)}.`) : error
  }
}

const isCsvError = (error: unknown): error is CsvError =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')

const explain = ({ code, message }: CsvError) =>
  code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
    ? 'a quote (") that opens in this row is never closed'
    : message

/** Reads the rows under a header. Those of a file of failed rows are read as they were before it was written. */
function rowReader({ line, cells }: Line, options: CsvOptions): (line: Line) => ReadRow {
  const isReturned = cells.some((cell) => cell.trim() === ADDED.errors)
  const original = (line: Line): readonly string[] => (isReturned ? line.cells.map(asItWas) : line.cells)
  const header = original({ line, cells }).map((cell) => cell.trim())
  const columns = columnsOf(header, line, options)
  options.onColumns?.(columns)
  const table = { header, delimiter: options.delimiter }
  return (row) => readRecord(table, columns, { line: row.line, cells: original(row) })
}

function readRecord(table: Table, columns: readonly Column[], { line, cells }: Line): ReadRow {
  const source = { kind: 'csv', table, cells } as const
  if (cells.length < columns.length)
    return unreadable(line, `has ${cells.length} cells, but the header has ${columns.length}`, source)
  const row: [string, unknown][] = []
  for (const [at, cell] of cells.entries()) {
    if (cell.trim() === '') continue
    const { name, field } = columns[at] ?? { name: '', field: null }
    if (name === null) continue
    if (name === '') return unreadable(line, `has a value in column ${at + 1}, which has no header`, source)
    const value = field?.type === 'list' ? parseList(cell) : cell
    if (value === undefined) {
      const message = `Line ${line}: the list is not JSON text such as [{"kind":"room_rate","amount":"100.00"}].`
      return { line, issue: { field: name, code: 'invalid_json', message }, source }
    }
    row.push([name, value])
  }
  return { line, row: Object.fromEntries(row), source }
}

function parseList(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}
