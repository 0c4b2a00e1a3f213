// BACKDESK_KEY=sek_… node samples/check-reports.ts [--url http://localhost:3000] [--only sales_by_customer]: recomputes
// every report of an account from its records and documents, row by row in TypeScript, and compares it with the
// response of the API, to the cent. Like check-books, it reads from the cell's database what no feed shows. Exit code 1
// if anything differs.
import { parseArgs } from 'node:util'
import { type ApiClient, apiClient, realEnvironment } from '#client/import/api-client.ts'
import { openCell } from '../src/cell.ts'
import { readConfig } from '../src/config.ts'
import { openLog } from '../src/platform/open-log.ts'
import { ask, casesOf, type Entry } from './recompute/asked.ts'
import { type Books, readBooks, SOURCES } from './recompute/books.ts'
import { differences } from './recompute/compare.ts'
import { rowsOf } from './recompute/expected.ts'
import { RECOMPUTED } from './recompute/presets.ts'
import type { Recomputed } from './recompute/recomputed.ts'

/** How many differences of a preset are printed. */
const SHOWN = 5
const LONGEST = 1500
/** The first reports of a preset are the windows, which are compared row by row to the last one. */
const WALKED = 4

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.BACKDESK_URL ?? 'http://localhost:3000' },
    only: { type: 'string' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const number = (count: number) => count.toLocaleString('en')

type Checked = {
  readonly reports: number
  readonly rows: number
  readonly currencies: number
  readonly wrong: readonly string[]
}

async function check(client: ApiClient, entry: Entry, recomputed: Recomputed, books: Books): Promise<Checked> {
  const [wrong, currencies] = [[] as string[], new Set<string>()]
  const cases = casesOf(entry, recomputed, books)
  let rows = 0
  for (const [at, asked] of cases.entries()) {
    const report = await ask(client, entry.key, asked, at < WALKED)
    const applied = report.pages[0]?.filters ?? {}
    const expected = rowsOf(recomputed, recomputed.items(books, applied), applied)
    for (const { currency } of expected) if (currency !== null) currencies.add(currency)
    rows += report.pages.reduce((sum, page) => sum + page.rows.length, 0)
    const query = new URLSearchParams(asked).toString()
    wrong.push(...differences(report, expected, recomputed.words ?? []).map((difference) => `${query}: ${difference}`))
  }
  return { reports: cases.length, rows, currencies: currencies.size, wrong }
}

function printChecked(key: string, { reports, rows, currencies, wrong }: Checked): void {
  const counted = `${key}: ${reports} reports, ${number(rows)} rows, ${currencies} currencies`
  const equal = rows === 0 ? 'equal, but there is nothing to compare' : 'equal'
  print(`${counted}: ${wrong.length === 0 ? equal : `${number(wrong.length)} DIFFERENCES`}`)
  for (const difference of wrong.slice(0, SHOWN)) print(`  ${difference.slice(0, LONGEST)}`)
}

async function main(): Promise<boolean> {
  const key = process.env.BACKDESK_KEY
  if (!key) throw new Error('Set BACKDESK_KEY to a key of the account, with the scope full.')
  const client = apiClient(
    { url: values.url, from: '--url' },
    key,
    realEnvironment(() => {}),
  )
  const cell = await openCell(readConfig(process.env), openLog('warn'))
  const books = await readBooks(client, cell.deps.db).finally(() => cell.close())
  print(SOURCES)
  const { data } = await client.get<{ data: Entry[] }>('/reports')
  const entries = new Map(data.map((entry) => [entry.key, entry]))
  const unknown = [...entries.keys()].filter((name) => !(name in RECOMPUTED))
  for (const name of unknown) print(`${name}: not recomputed`)
  let isRight = unknown.length === 0
  for (const [name, recomputed] of Object.entries(RECOMPUTED)) {
    if (values.only && values.only !== name) continue
    const entry = entries.get(name)
    if (!entry) {
      print(`${name}: not in the plan of the account, so it is not checked`)
      continue
    }
    const checked = await check(client, entry, recomputed, books)
    printChecked(name, checked)
    if (checked.wrong.length > 0) isRight = false
  }
  return isRight
}

process.exitCode = (await main()) ? 0 : 1
