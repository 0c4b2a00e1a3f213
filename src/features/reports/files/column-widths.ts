import type { ShownColumn } from '../report-text.ts'
import { inParts, type ReportCell, type ReportTable } from './cells.ts'

/** In characters; a spreadsheet shows a number that does not fit as a row of hashes, so only texts are cut off. */
const WIDEST = 50
const NARROWEST = 8
/** Around the text, and for the heading, which is bold. */
const PADDING = 2
const DAY = 10
const MOMENT = 16

/** How wide the columns of a table are, so that its headings and cells can be read. */
export async function columnWidths({ columns, rows }: ReportTable): Promise<number[]> {
  const longest = columns.map(({ label }) => Math.min(label.length * 1.1, WIDEST))
  for await (const part of inParts(rows))
    for (const row of part)
      columns.forEach((column, at) => {
        longest[at] = Math.max(longest[at] ?? 0, lengthOf(row[at] ?? null, column))
      })
  return longest.map((length) => Math.ceil(Math.max(length, NARROWEST) + PADDING))
}

function lengthOf(cell: ReportCell, { type }: ShownColumn): number {
  if (cell === null) return 0
  const { length } = String(cell)
  switch (type) {
    case 'date':
      return DAY
    case 'datetime':
      return MOMENT
    case 'money':
    case 'decimal':
    case 'percent':
      return length + Math.floor(length / 3) // signs between thousands
    case 'integer':
      return length
    default:
      return Math.min(length, WIDEST)
  }
}
