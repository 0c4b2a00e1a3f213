import { UserError } from '../../../platform/user-error.ts'
import {
  type PublishedRate,
  type PublishedRates,
  published,
  readCode,
  readEnglishDay,
  readRate,
  readRateDay,
} from './published-rates.ts'
import { readTable, type TableRow } from './read-table.ts'

const DAY = 'Date'
const NOT_QUOTED = 'N/A'

/**
 * Reads the euro reference rates of the European Central Bank as CSV: a column for each currency and a row for each
 * day, with the number of units for 1 EUR. In eurofxref.csv the day is written 21 November 2026, in eurofxref-hist.csv
 * 2026-11-21. In both, lines end with a comma.
 */
export function readEcbCsv(text: string): PublishedRates {
  const { header, rows } = readTable(text)
  const currencies = header.filter((name) => name !== DAY && name !== '').map((name) => readCode(name, 'Line 1'))
  return published(
    'ecb',
    'EUR',
    rows.flatMap((row) => readRow(row, currencies)),
  )
}

function readRow({ line, cells }: TableRow, currencies: readonly string[]): PublishedRate[] {
  const where = `Line ${line}`
  const written = cells[DAY] as string
  const day = /^\d{4}-/.test(written) ? readRateDay(written, where) : readEnglishDay(written, where)
  if (cells[''] !== undefined && cells[''] !== '') {
    throw new UserError('invalid_file', `${where}: ${cells['']} is in a column without a header.`)
  }
  return currencies
    .filter((currency) => cells[currency] !== NOT_QUOTED)
    .map((currency) => ({
      day,
      currency,
      baseUnits: '1',
      currencyUnits: readRate(cells[currency] as string, `${where}, ${currency}`),
    }))
}
