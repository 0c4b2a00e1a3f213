import { stringify } from 'csv-stringify/sync'
import { type Cell, inParts, type Table } from './cells.ts'

/**
 * Where a spreadsheet takes what follows for a formula, or for nothing before one. One that separates by semicolons, as
 * in much of Europe, makes several cells of a text that has them, and sees no quotes around line ends.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g
const WRITTEN = { record_delimiter: 'windows' } as const

/** A text that stays a text when a spreadsheet opens it. */
const harmless = (text: string): string => text.replace(FORMULA, "'")

/** A report as CSV (RFC 4180, UTF-8 with the mark by which spreadsheets know it), under the labels of its columns. */
export async function csvOf({ columns, rows }: Table): Promise<string> {
  const write = (cell: Cell, at: number) =>
    typeof cell === 'string' && columns[at]?.type === 'string' ? harmless(cell) : cell
  const parts = [stringify([columns.map(({ label }) => label)], { ...WRITTEN, bom: true })]
  for await (const part of inParts(rows))
    parts.push(
      stringify(
        part.map((row) => row.map(write)),
        WRITTEN,
      ),
    )
  return parts.join('')
}
