import { BillingRefused, quotedValue } from '../billing.ts'

/** The fields of a CSV, and other common names of their columns; the first one found is used. */
const COMMON_NAMES = {
  number: 'document number, document no, doc number, doc no, document, ticket number, ticket no, tdnr, bilet no',
  airline: 'airline number, airline code, tacn, carrier',
  code: 'transaction code, trnc, transaction type, document type, transaction, type',
  issued_on: 'issue date, date of issue, issued, dais, doc date, document date, date',
  period_on:
    'period end, billing period end, remittance period ending date, rmed, period ending, billing period, period',
  agent: 'agent code, agent number, iata number, iata, agtn',
  currency: 'currency code, cur, curr, cutp',
  fare: 'commissionable amount, cobl, fare amount, base fare',
  taxes: 'total tax, tax, tax amount, taxes and fees',
  total: 'document amount, tdam, total amount, gross, gross amount, transaction amount, amount',
  exchanged: 'exchange amount',
  commission: 'effective commission, efco, commission amount, comm, coam',
  remittance: 'balance payable, remittance amount, remt, net remit, net payable, net',
} as const
export type CsvField = keyof typeof COMMON_NAMES
const FIELDS = Object.keys(COMMON_NAMES) as CsvField[]
const REQUIRED: readonly CsvField[] = ['number', 'issued_on', 'total']

/** The column of each field. */
export type CsvColumns = Readonly<Partial<Record<CsvField, number>>>
/** Columns of a CSV by their names, and the field that each is. */
export type ColumnMap = ReadonlyMap<string, string>

/** Columns are the same whatever their case, blanks and signs. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '')

/** Finds the fields in the header of a CSV: those that the map names, and the others by their common names. */
export function findColumns(header: readonly string[], map: ColumnMap): CsvColumns {
  const names = header.map(plain)
  const columns: Partial<Record<CsvField, number>> = {}
  for (const [column, field] of map) {
    const at = names.indexOf(plain(column))
    if (at < 0)
      throw new BillingRefused(
        `The file has no column ${quotedValue(column)}. ${foundColumnsText(header)}`,
        null,
        'bsp_column_missing',
      )
    columns[fieldOf(field)] = at
  }
  const taken = new Set(Object.values(columns))
  for (const field of FIELDS) {
    if (field in columns) continue
    const at = [field, ...COMMON_NAMES[field].split(', ')]
      .map((name) => names.indexOf(plain(name)))
      .find((place) => place >= 0 && !taken.has(place))
    if (at === undefined) continue
    columns[field] = at
    taken.add(at)
  }
  const missing = REQUIRED.filter((field) => !(field in columns))
  if (missing.length > 0)
    throw new BillingRefused(
      `No column for ${missing.join(' or ')} was found. ${foundColumnsText(header)}`,
      null,
      'bsp_column_missing',
    )
  return columns
}

const foundColumnsText = (header: readonly string[]): string =>
  `The columns are ${header
    .slice(0, 40)
    .map((name) => quotedValue(name))
    .join(', ')}.`

function fieldOf(name: string): CsvField {
  const field = FIELDS.find((each) => each === name)
  if (field) return field
  throw new BillingRefused(
    `${quotedValue(name)} is not a field. Map the column to one of ${FIELDS.join(', ')}.`,
    null,
    'invalid_value',
  )
}
