// npm run bench [-- --only <case>] [-- --rounds <n>]; BENCH_CUSTOMERS is the size of the filled cell.
import { parseArgs } from 'node:util'
import { health, me } from './cases/answers.ts'
import type { Case } from './cases/case.ts'
import { crm } from './cases/crm.ts'
import { customers } from './cases/customers.ts'
import { feed } from './cases/feed.ts'
import { memory } from './cases/memory.ts'
import { page } from './cases/page.ts'
import { reports } from './cases/reports.ts'
import { search } from './cases/search.ts'
import { start } from './cases/start.ts'
import { stays } from './cases/stays.ts'
import { streams } from './cases/streams.ts'
import { tickets } from './cases/tickets.ts'
import { webhooks } from './cases/webhooks.ts'
import { cleanUp, cleanUpOnSignals } from './cleanup.ts'
import type { Result } from './measure.ts'
import { keep, tableOf } from './report.ts'
import { makeWorld, type World } from './world.ts'

const CASES: readonly Case[] = [
  start,
  customers,
  health,
  me,
  stays,
  feed,
  crm,
  tickets,
  webhooks,
  page,
  reports,
  search,
  streams,
  memory,
]
const ROUNDS = '5'
const CUSTOMERS = 1_000_000

const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string', default: ROUNDS } } })
const chosen = CASES.filter(({ name }) => values.only === undefined || name === values.only)
if (chosen.length === 0) throw new Error(`--only takes one of ${CASES.map(({ name }) => name).join(', ')}`)
const world = makeWorld(Number(values.rounds), Number(process.env.BENCH_CUSTOMERS ?? CUSTOMERS))

cleanUpOnSignals()
try {
  const results = await measureAll(world)
  process.stdout.write(`\n${tableOf(results)}\n`)
  if (values.only === undefined) {
    const postgres = await versionOf(world)
    process.stdout.write(`\nKept in ${keep(results, { postgres, rounds: world.rounds, customers: world.customers })}\n`)
  }
} finally {
  await cleanUp()
}

async function measureAll(on: World): Promise<Result[]> {
  const results: Result[] = []
  for (const { name, run } of chosen) {
    on.note(`${name} …`)
    const before = performance.now()
    results.push(...(await run(on)))
    on.note(`  measured in ${((performance.now() - before) / 1000).toFixed(1)} s`)
  }
  return results
}

async function versionOf({ filled }: World): Promise<string> {
  const client = await (await filled()).asApp()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return rows[0]?.server_version ?? ''
}
