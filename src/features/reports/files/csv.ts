import { stringify } from 'csv-stringify/sync'
import { asTextCell } from '../../../platform/text-cell.ts'
import { inParts, type ReportCell, type ReportTable } from './cells.ts'
import { customsOf } from './customs.ts'

const DECIMALS = new Set(['money', 'decimal', 'percent'])

/**
 * A report as CSV under the labels of its columns: UTF-8 with the mark by which spreadsheets know it, and the separator and
 * decimal sign that they expect in the locale; with a comma and a point it is as RFC 4180 has it.
 */
export async function csvOf({ columns, rows, locale }: ReportTable): Promise<string> {
  const { decimal, separator } = customsOf(locale)
  const written = { record_delimiter: 'windows', delimiter: separator } as const
  const write = (cell: ReportCell, at: number): ReportCell => {
    const type = columns[at]?.type ?? 'string'
    if (typeof cell !== 'string') return cell
    if (type === 'string') return asTextCell(cell, separator) // it stays a text when a spreadsheet opens it
    return DECIMALS.has(type) ? cell.replace('.', decimal) : cell
  }
  const parts = [stringify([columns.map(({ label }) => label)], { ...written, bom: true })]
  for await (const part of inParts(rows))
    parts.push(
      stringify(
        part.map((row) => row.map(write)),
        written,
      ),
    )
  return parts.join('')
}
