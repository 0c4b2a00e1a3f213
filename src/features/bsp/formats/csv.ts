import { type CsvError, type Info, parse } from 'csv-parse/sync'
import type { Fixed } from '../../../platform/money.ts'
import { type Billing, type BillingLine, BillingRefused, MOST_DOCUMENTS } from '../billing.ts'
import { isVoid, transactionCodeOf, transactionOf } from '../codes.ts'
import { NoValue, readAgent, readAmount, readCsvDay, readCsvNumber, readCurrency } from './csv-cells.ts'
import { type ColumnMap, type CsvColumns, type CsvField, findColumns } from './csv-columns.ts'

export type CsvOptions = {
  /** Columns that are not known by their names. */
  readonly map: ColumnMap
  /** Values for every document whose column is missing. */
  readonly currency: string | null
  readonly periodOn: string | null
}

const MOST_COLUMNS = 200
/** An unclosed quote would turn the rest of the file into one row. */
const MOST_OF_A_ROW = 20_000

/** Reads a CSV with a row for each document, separated by commas, semicolons or tabs. */
export function readBillingCsv(text: string, options: CsvOptions): Billing {
  const [header, ...rows] = readRows(text)
  if (!header || header.cells.length < 2)
    throw new BillingRefused('The file is neither a HOT file nor a CSV with column names in its first line.')
  const columns = findColumns(header.cells, options.map)
  if (columns.currency === undefined && options.currency === null)
    throw new BillingRefused('No currency column was found.', null, 'bsp_column_missing')
  if (rows.length > MOST_DOCUMENTS) throw new BillingRefused(`The file has more than ${MOST_DOCUMENTS} documents.`)
  const lines = rows.flatMap((row) => readRow(row, columns, options) ?? [])
  return { format: 'csv', lines, warnings: [] }
}

type Row = { readonly line: number; readonly cells: readonly string[] }

function readRows(text: string): Row[] {
  const firstLine = /^\s*([^\r\n]*)/.exec(text)?.[1] ?? ''
  const delimiter = [';', '\t', ','].toSorted(
    (a, b) => firstLine.split(b).length - firstLine.split(a).length,
  )[0] as string
  try {
    const records = parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: MOST_OF_A_ROW,
      to: MOST_DOCUMENTS + 2,
      info: true,
    }) as unknown as { record: string[]; info: Info }[]
    if ((records[0]?.record.length ?? 0) > MOST_COLUMNS)
      throw new BillingRefused(`The file has more than ${MOST_COLUMNS} columns.`)
    return records.map(({ record, info }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    throw error instanceof BillingRefused ? error : new BillingRefused(...damage(error as Damage))
  }
}

type Damage = CsvError & { readonly lines?: number; readonly record?: readonly string[] }
function damage({ code, message, lines = 1, record = [] }: Damage): [reason: string, line: number] {
  if (code !== 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH') return [`the CSV is damaged: ${message}.`, lines]
  return [`the line has ${record.length} cells, but the header has a different number.`, lines]
}

/** The document of a row; null for the further numbers of the one above, which carry no money. */
function readRow({ line, cells }: Row, columns: CsvColumns, options: CsvOptions): BillingLine | null {
  const textOf = (field: CsvField): string => cells[columns[field] ?? -1] ?? ''
  const written = textOf('code')
  if (written.startsWith('+') || /^CNJ$/i.test(written)) return null
  try {
    return lineOf(line, textOf, options)
  } catch (error) {
    throw error instanceof NoValue ? new BillingRefused(error.message, line) : error
  }
}

function lineOf(line: number, textOf: (field: CsvField) => string, options: CsvOptions): BillingLine {
  const number = readCsvNumber(textOf('number'), textOf('airline'))
  const currency = readCurrency(textOf('currency') || (options.currency ?? ''))
  const amount = (field: CsvField) => readAmount(textOf(field), currency)
  const total = amount('total')
  if (total === null) throw new NoValue(`The document ${number} has no total.`)
  const code = transactionCodeOf(textOf('code'), total)
  if (!/^[A-Z0-9]{2,10}$/.test(code)) throw new NoValue(`The document ${number} has no transaction code.`)
  const transaction = transactionOf(code, total)
  // Refunds are negative, whatever the sign in the file; the retained amounts get the sign of the total.
  const isTurned = transaction === 'refund' && total > 0n
  const own = (value: Fixed | null): Fixed | null =>
    value === null ? null : isVoid(code) ? 0n : isTurned ? -value : value
  const commission = own(amount('commission'))
  const period = textOf('period_on')
  return {
    line,
    number,
    code,
    transaction,
    void: isVoid(code),
    agent: readAgent(textOf('agent')),
    issuedOn: readCsvDay(textOf('issued_on')),
    periodOn: period === '' ? options.periodOn : readCsvDay(period),
    currency,
    fare: own(amount('fare')),
    taxes: own(amount('taxes')),
    total: own(total) ?? 0n,
    exchanged: own(amount('exchanged')) ?? 0n,
    commission: commission && (transaction === 'refund' ? -abs(commission) : abs(commission)),
    remittance: own(amount('remittance')),
  }
}
const abs = (value: Fixed): Fixed => (value < 0n ? -value : value)
