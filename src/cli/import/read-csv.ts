import { pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'
import { ImportError } from './import-error.ts'
import { type ReadRow, type Rows, unreadable } from './read-row.ts'

type CsvOptions = {
  readonly delimiter: string
  /** Fields whose cells are JSON text. */
  readonly listFields: ReadonlySet<string>
  readonly maxRowChars: number
}
type Line = { readonly line: number; readonly cells: readonly string[] }

/**
 * Reads CSV with a header row. An empty cell is an absent one: a spreadsheet has no other way to leave a field out.
 * A row whose cells do not match the header is a bad row; a quote that is never closed ends the reading.
 */
export async function* readCsv(chunks: AsyncIterable<string>, options: CsvOptions): Rows {
  let header: readonly string[] | null = null
  for await (const { line, cells } of readCells(chunks, options)) {
    if (cells.every((cell) => cell.trim() === '')) continue
    if (!header && line === 1 && /^sep=.?$/.test(cells.join(''))) continue
    if (header) yield readRecord(header, { line, cells }, options.listFields)
    else header = readHeader(line, cells)
  }
}

async function* readCells(chunks: AsyncIterable<string>, { delimiter, maxRowChars }: CsvOptions): AsyncGenerator<Line> {
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
    ? 'a quote (") that opens in the row which starts here is never closed'
    : message

function readHeader(line: number, cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice) throw new ImportError('invalid_csv', `Line ${line}: the header names the column ${twice} twice.`)
  return names
}

function readRecord(header: readonly string[], { line, cells }: Line, listFields: ReadonlySet<string>): ReadRow {
  const text = cells.join(' | ')
  if (cells.length < header.length) {
    return unreadable(line, `has ${cells.length} cells, and the header has ${header.length}`, text)
  }
  const row: [string, unknown][] = []
  for (const [at, cell] of cells.entries()) {
    if (cell.trim() === '') continue
    const name = header[at] ?? ''
    if (name === '') return unreadable(line, `has a value in column ${at + 1}, which the header does not name`, text)
    const value = listFields.has(name) ? parseList(cell) : cell
    if (value === undefined) {
      const message = `Line ${line}: the list is not JSON text such as [{"kind":"room_rate","amount":"100.00"}].`
      return {
        line,
        issue: { field: name, code: 'invalid_json', message },
        row: Object.fromEntries(cellsByName(header, cells)),
      }
    }
    row.push([name, value])
  }
  return { line, row: Object.fromEntries(row) }
}

const cellsByName = (header: readonly string[], cells: readonly string[]) =>
  header.map((name, at) => [name, cells[at]] as const).filter(([name, cell]) => name !== '' && cell !== '')

function parseList(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}
