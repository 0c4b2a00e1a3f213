import { type CsvError, type Info, parse } from 'csv-parse/sync'
import { UserError } from '../../../platform/user-error.ts'

/** A row of a CSV, its cells by the names of the header. */
export type TableRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> }
export type CsvTable = { readonly header: readonly string[]; readonly rows: readonly TableRow[] }

/** What separates the cells, by the first line. */
const delimiterOf = (text: string): ',' | ';' => (firstLineOf(text).includes(';') ? ';' : ',')

const firstLineOf = (text: string): string => /^\s*([^\r\n]*)/.exec(text)?.[1] ?? ''

/** The names of the header, trimmed. A name may be empty: lines that end with a delimiter have one cell more. */
export const headerOf = (text: string): string[] =>
  firstLineOf(text)
    .split(delimiterOf(text))
    .map((name) => name.trim().replace(/^"(.*)"$/, '$1'))

/**
 * Reads a CSV whose rows all have as many cells as its header, or throws. Its last row must end with a line break
 * or a delimiter: a number that is cut off would be another number.
 */
export function readTable(text: string): CsvTable {
  const delimiter = delimiterOf(text)
  const body = text.trimEnd()
  const [header, ...records] = readRecords(text, delimiter)
  const names = header?.record ?? []
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new UserError('invalid_file', `Line 1: the header has the column ${twice} twice.`)
  const rows = records.map(({ record, info }) => {
    if (record.length === names.length) {
      return { line: info.lines, cells: Object.fromEntries(names.map((name, at) => [name, record[at] as string])) }
    }
    const hint = delimiter === ',' ? ' Use a decimal point.' : ''
    throw new UserError(
      'invalid_file',
      `Line ${info.lines} has ${record.length} cells, but the header has ${names.length}.${hint}`,
    )
  })
  if (!body.endsWith(delimiter) && !/[\r\n]/.test(text.slice(body.length))) {
    throw new UserError(
      'invalid_file',
      'The last line may be incomplete, because it does not end with a line break. Check it and add a line break.',
    )
  }
  return { header: names, rows }
}

function readRecords(text: string, delimiter: string): { record: string[]; info: Info }[] {
  try {
    return parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
    }) as unknown as { record: string[]; info: Info }[]
  } catch (error) {
    const { lines, message } = error as CsvError & { lines?: number }
    throw new UserError('invalid_file', `Line ${lines ?? 1}: the CSV is damaged: ${message}.`)
  }
}
