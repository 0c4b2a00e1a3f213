// Writes the sample files of this folder: a made agency's year as its old systems would export it. The same bytes every
// time; with --check it writes nothing and fails where a file differs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { addDirt, type Failing } from '../src/demo/add-dirt.ts'
import { makeAgency, type Row } from '../src/demo/make-agency.ts'

const SEED = 20_260_101
const SIZE = { customers: 2200, suppliers: 160, stays: 5200, today: '2026-09-15' }
/** Stays that the spreadsheet of a second office has, with its amounts written 1.234,56. */
const COMMA_STAYS = 400
const BOM = '\ufeff'

const { agency, failing } = addDirt(makeAgency({ seed: SEED, ...SIZE }), SEED)
const comma = makeAgency({ seed: SEED + 1, ...SIZE, stays: COMMA_STAYS }).hotel_stays.map(
  (row): Row => ({ ...row, ...named(row), external_id: `SUBE2-${row.external_id}` }),
)

/** The second office knows customers and suppliers by the numbers of the first. */
function named({ customer_external_id, supplier_external_id }: Row): Row {
  const plain = (cell: unknown, otherwise: string) => (/^[CS]-\d+$/.test(String(cell)) ? cell : otherwise)
  return {
    customer_external_id: plain(customer_external_id, 'C-1001'),
    supplier_external_id: plain(supplier_external_id, 'S-501'),
  }
}

const files: readonly [string, string][] = [
  ['customers.csv', BOM + csv(agency.customers)],
  ['suppliers.json', `${JSON.stringify(agency.suppliers, null, 1)}\n`],
  ['hotel_stays.jsonl', agency.hotel_stays.map((row) => `${JSON.stringify(row)}\n`).join('')],
  ['hotel_stays_comma.csv', csv(comma.map((row) => withComma(row) as Row))],
  ['README.md', readme(failing)],
]
const stale = files.filter(([name, text]) => {
  try {
    return readFileSync(join(import.meta.dirname, name), 'utf8') !== text
  } catch {
    return true
  }
})
const check = process.argv.includes('--check')
for (const [name, text] of stale) {
  if (!check) writeFileSync(join(import.meta.dirname, name), text)
  console.log(check ? `samples/${name} is stale. Run: node samples/generate.ts` : `wrote samples/${name}`)
}
if (check && stale.length > 0) process.exit(1)

/** As European spreadsheets write it: semicolons between the cells; lists as JSON text. */
function csv(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? ''))
  return stringify([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))], {
    delimiter: ';',
    record_delimiter: '\r\n',
  })
}

function withComma(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withComma(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withComma(part, name)]))
  if (!['amount', 'nightly_rate', 'single_supplement_amount', 'margin_value'].includes(key)) return value
  const [whole = '', decimals] = String(value).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, '.')
  return decimals === undefined ? grouped : `${grouped},${decimals}`
}

function readme(counts: Failing): string {
  const rows = {
    customers: agency.customers.length,
    suppliers: agency.suppliers.length,
    hotel_stays: agency.hotel_stays.length,
  }
  const reasons = (key: keyof Failing) =>
    Object.entries(counts[key])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, count]) => `${code} ${count}`)
      .join(', ')
  const failed = (key: keyof Failing) => Object.values(counts[key]).reduce((sum, count) => sum + count, 0)
  return `# Samples

A made travel agency's year as its old systems would export it: Turkish, Arabic, Cyrillic and Western names, currencies
with no, two and three decimals, missing phones, shared mailboxes, references that lead nowhere, rows that are sent
twice, columns that nobody knows, and rows that must fail. \`node samples/generate.ts\` writes the files, the same bytes
every time; the people and houses in them are invented.

| File | Rows | Must fail | For these reasons |
|---|---|---|---|
| customers.csv (semicolons, byte order mark) | ${rows.customers} | ${failed('customers')} | ${reasons('customers')} |
| suppliers.json | ${rows.suppliers} | ${failed('suppliers')} | ${reasons('suppliers')} |
| hotel_stays.jsonl | ${rows.hotel_stays} | ${failed('hotel_stays')} | ${reasons('hotel_stays')} |
| hotel_stays_comma.csv (amounts as 1.234,56; lists as JSON text) | ${comma.length} | 0 | |

Import them in this order; each can be sent again without making anything twice:

\`\`\`sh
export BACKDESK_KEY=sek_…
npx backdesk import samples/customers.csv --entity customers
npx backdesk import samples/suppliers.json --entity suppliers
npx backdesk import samples/hotel_stays.jsonl --entity hotel_stays
npx backdesk import samples/hotel_stays_comma.csv --entity hotel_stays --decimal-separator ,
\`\`\`
`
}
