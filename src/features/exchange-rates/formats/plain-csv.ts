import { UserError } from '../../../platform/user-error.ts'
import {
  type PublishedRate,
  type PublishedRates,
  published,
  readCode,
  readRate,
  readRateDay,
  readUnits,
} from './published-rates.ts'
import { readTable, type TableRow } from './read-table.ts'

export const PLAIN_COLUMNS = ['day', 'base', 'currency', 'rate']
const OPTIONAL_COLUMNS = ['units']

/**
 * Reads Backdesk's own format: a CSV with the header `day,base,currency,rate`, separated by commas or semicolons; one
 * unit of the currency costs `rate` units of the base. With a column `units` (1, 10, 100 …), the rate is for that many
 * units.
 */
export function readPlainCsv(text: string): PublishedRates {
  const { header, rows } = readTable(text)
  const missing = PLAIN_COLUMNS.find((name) => !header.includes(name))
  if (missing !== undefined) throw new UserError('invalid_file', `Line 1: the header has no column ${missing}.`)
  const unknown = header.find((name) => ![...PLAIN_COLUMNS, ...OPTIONAL_COLUMNS].includes(name))
  if (unknown !== undefined) {
    throw new UserError('invalid_file', `Line 1: the column ${JSON.stringify(unknown)} is unknown. Remove it.`)
  }
  const base = rows[0]?.cells.base ?? ''
  return published(
    'csv',
    base,
    rows.map((row) => readRow(row, base)),
  )
}

function readRow({ line, cells }: TableRow, base: string): PublishedRate {
  const where = `Line ${line}`
  if (readCode(cells.base as string, where) !== base) {
    throw new UserError(
      'invalid_file',
      `${where}: the base currency is ${cells.base}, but ${base} in the lines above. Import one file for each base currency, each with its own source.`,
    )
  }
  return {
    day: readRateDay(cells.day as string, where),
    currency: readCode(cells.currency as string, where),
    baseUnits: readRate(cells.rate as string, where),
    currencyUnits: readUnits(cells.units ?? '1', where),
  }
}
