// Writes the sample files of this folder: a made agency's year as its old systems would export it. The same bytes every
// time; with --check it writes nothing and fails where a file differs.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { addDirt } from '../demo/add-dirt.ts'
import { type EntityKey, makeAgency } from '../demo/make-agency.ts'
import { makeCancellations } from '../demo/make-cancellations.ts'
import { makeRates, RATES_BASE } from '../demo/make-rates.ts'
import type { Row } from '../demo/pieces/row.ts'
import { holdsSeats } from '../src/features/bookings/verticals/tours/departures.store.ts'

const SEED = 20_260_101
const TODAY = '2026-09-15'
const SIZE = {
  customers: 2200,
  suppliers: 160,
  leads: 300,
  tour_departures: 60,
  tickets: 3000,
  hotel_stays: 5200,
  transfers: 1000,
  cruises: 500,
  car_rentals: 500,
  tour_bookings: 650,
  operator_invoices: 200,
  supplier_bills: 300,
}
/** Stays that the spreadsheet of a second office has, with its amounts written 1.234,56. */
const COMMA_STAYS = 400
/** Every business day of the year and of the six months before it. */
const RATES = { seed: SEED, from: '2025-07-01', to: '2026-12-31' }

const dirty = addDirt(makeAgency({ seed: SEED, today: TODAY, ...SIZE }), SEED)
const secondOffice = { customers: SIZE.customers, suppliers: SIZE.suppliers, hotel_stays: COMMA_STAYS }
const comma = makeAgency({ seed: SEED + 1, today: TODAY, ...secondOffice }).hotel_stays.map(
  (row): Row => ({ ...row, ...named(row), external_id: `SUBE2-${row.external_id}` }),
)
const rates = makeRates(RATES)
const cancellations = Object.entries(makeCancellations(dirty))

/** The second office knows customers and suppliers by the numbers of the first. */
function named({ customer_external_id, supplier_external_id }: Row): Row {
  const plain = (cell: unknown, otherwise: string) => (/^[CS]-\d+$/.test(String(cell)) ? cell : otherwise)
  return {
    customer_external_id: plain(customer_external_id, 'C-1001'),
    supplier_external_id: plain(supplier_external_id, 'S-501'),
  }
}

type Write = (rows: readonly Row[]) => string
const json: Write = (rows) => `${JSON.stringify(rows, null, 1)}\n`
const jsonLines: Write = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
/** As European spreadsheets write it. */
const semicolons: Write = (rows) => csv(rows, ';')
const BOM = '\ufeff'
const semicolonsWithBom: Write = (rows) => BOM + csv(rows, ';')
const commas: Write = (rows) => csv(rows, ',')
const tabs: Write = (rows) => csv(rows, '\t')

type File = { readonly name: string; readonly entity: EntityKey; readonly write: Write; readonly note: string }
/** In an order in which every record finds those that it names. */
const FILES: readonly File[] = [
  { name: 'customers.csv', entity: 'customers', write: semicolonsWithBom, note: 'semicolons, byte order mark' },
  { name: 'suppliers.json', entity: 'suppliers', write: json, note: '' },
  { name: 'leads.tsv', entity: 'leads', write: tabs, note: 'tabs' },
  { name: 'tour_departures.csv', entity: 'tour_departures', write: commas, note: 'commas' },
  { name: 'tickets.jsonl', entity: 'tickets', write: jsonLines, note: '' },
  { name: 'hotel_stays.jsonl', entity: 'hotel_stays', write: jsonLines, note: '' },
  { name: 'transfers.csv', entity: 'transfers', write: semicolonsWithBom, note: 'semicolons; lists as JSON text' },
  { name: 'cruises.json', entity: 'cruises', write: json, note: '' },
  { name: 'car_rentals.jsonl', entity: 'car_rentals', write: jsonLines, note: '' },
  { name: 'tour_bookings.jsonl', entity: 'tour_bookings', write: jsonLines, note: '' },
  { name: 'operator_invoices.csv', entity: 'operator_invoices', write: semicolons, note: 'lists as JSON text' },
  { name: 'supplier_bills.json', entity: 'supplier_bills', write: json, note: '' },
]

const files: readonly (readonly [string, string])[] = [
  [
    'rates.csv',
    csv(
      rates.map(({ day, currency, rate }) => ({ day, base: RATES_BASE, currency, rate })),
      ',',
    ),
  ],
  ...FILES.map(({ name, entity, write }) => [name, write(dirty.agency[entity])] as const),
  ['hotel_stays_comma.csv', semicolons(comma.map((row) => withComma(row) as Row))],
  ...cancellations.map(([entity, rows]) => [`cancellations/${entity}.jsonl`, jsonLines(rows)] as const),
  ['README.md', readme()],
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
  if (!check) write(join(import.meta.dirname, name), text)
  console.log(check ? `samples/${name} is stale. Run: node samples/generate.ts` : `wrote samples/${name}`)
}
if (check && stale.length > 0) process.exit(1)

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Lists are JSON text in their cells. */
function csv(rows: readonly Row[], delimiter: string): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cell = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  return stringify([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))], {
    delimiter,
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

/** The departures that the bookings fill, and those of which more seats are sold than there are. */
function fullDepartures(): { full: string[]; over: string[] } {
  const held = new Map<unknown, number>()
  for (const { tour_departure_external_id: id, status, guest_count } of dirty.kept.tour_bookings)
    held.set(id, (held.get(id) ?? 0) + holdsSeats({ status: String(status).toLowerCase(), guest_count }))
  const of = (fits: (seats: number, capacity: number) => boolean) =>
    dirty.kept.tour_departures
      .filter(({ external_id, max_capacity }) => fits(held.get(external_id) ?? 0, Number(max_capacity)))
      .map(({ external_id }) => String(external_id))
  return { full: of((seats, capacity) => seats === capacity), over: of((seats, capacity) => seats > capacity) }
}

function readme(): string {
  const table = FILES.map(({ name, entity, note }) => {
    const codes = Map.groupBy(dirty.flawed[entity], ({ code }) => code)
    const reasons = [...codes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, rows]) => `${code} ${rows.length}`)
    const title = note === '' ? name : `${name} (${note})`
    return `| ${title} | ${dirty.agency[entity].length} | ${dirty.flawed[entity].length} | ${reasons.join(', ')} |`
  })
  const commands = FILES.map(({ name, entity }) => `npx backdesk import samples/${name} --entity ${entity} --watch`)
  const { full, over } = fullDepartures()
  return `# Samples

A made travel agency's year as its old systems would export it on ${TODAY}: Turkish, Arabic, Cyrillic and Western names,
currencies with no, two and three decimals, missing phones, shared mailboxes, references that lead nowhere, rows that
are sent twice, unknown columns, totals that are not the sum of their parts, and rows that must fail.
\`npx node samples/generate.ts\` writes the files, the same bytes every time; the people, houses, ships and rates in them are
invented.

| File | Rows | Must fail | For these reasons |
|---|---|---|---|
${table.join('\n')}
| hotel_stays_comma.csv (amounts as 1.234,56; lists as JSON text) | ${comma.length} | 0 | |

Each row that must fail does so for one reason. \`rates.csv\` has ${rates.length} exchange rates, of every business day from ${RATES.from}
to ${RATES.to}. Import in this order; \`--watch\` waits
for files that are large enough to be queued. Each file can be sent again without making anything twice:

\`\`\`sh
export BACKDESK_KEY=sek_…
npx backdesk rates import samples/rates.csv
${commands.join('\n')}
npx backdesk import samples/hotel_stays_comma.csv --entity hotel_stays --decimal-separator ,
\`\`\`

The bookings then fill the departures ${full.join(', ')}, and of ${over.join(', ')} they sell more seats than there are.

\`cancellations\` has a tenth of the bookings that can be cancelled, ${cancellations.map(([entity, rows]) => `${rows.length} of ${entity}`).join(', ')}:

\`\`\`sh
${cancellations.map(([entity]) => `npx backdesk import samples/cancellations/${entity}.jsonl --entity ${entity} --on-conflict update`).join('\n')}
\`\`\`

Afterwards a script checks the books in the database of the cell, running or not: that every document's total equals its
lines, cancelled bookings net to zero, seats held equal seats sold, numbers have no gap, and nothing was created twice:

\`\`\`sh
npx node samples/check-books.ts
\`\`\`

Another recomputes every report from the records and documents, row by row in TypeScript, and compares it with what the API
answers: each cell of each row, groups and totals, for every currency and to the cent, over several windows, dates, groupings and
filters. It reads the feeds, and in the database of the cell what no feed shows; it prices by the
rates imported above, which the demo agency does not keep; it takes some minutes (\`--only KEY\` checks one report). It holds
after the first imports, after the cancellations, and with payments, ticket files and billings of the BSP beside them:

\`\`\`sh
npx node samples/check-reports.ts
\`\`\`

\`ticket_files\` has three files of the ticket printer, to be sent in their order: two tickets are issued, one is voided, the
other refunded. They are taken from a folder, which the agent would go on watching without \`--once\`:

\`\`\`sh
cp -r samples/ticket_files printer
npx backdesk agent --watch printer --once
\`\`\`
`
}
