// npm run soak [-- --minutes <n>] [-- --workers <n>]: a realistic mix at the limit of the machine, and then five times that.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { type Agencies, type Agency, makeAgencies } from './agencies.ts'
import { newDataDir, type Pages, startCell } from './cell.ts'
import { cleanUp, cleanUpOnSignals } from './cleanup.ts'
import { overloaded } from './overload.ts'
import type { AtWork } from './soak/agency-at-work.ts'
import { caller } from './soak/call.ts'
import { workOnce } from './soak/mix.ts'
import { prepare } from './soak/mix-imports.ts'
import { type Receiver, startReceiver } from './soak/receiver.ts'
import { drained, settled } from './soak/settled.ts'
import { type Tally, tally } from './soak/tally.ts'
import { tableOfParts, type Verdict, verdictsOf } from './soak/verdicts.ts'
import { watch } from './soak/watch.ts'

const ACCOUNTS = 20
const MINUTES = '10'
const WORKERS = '16'
/** One in this many workers visits public pages. */
const VISITORS = 8

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: MINUTES }, workers: { type: 'string', default: WORKERS } },
})
const seconds = Number(values.minutes) * 60
const print = (text: string) => void process.stdout.write(`${text}\n`)

cleanUpOnSignals()
try {
  const verdicts = await soak(Number(values.workers))
  for (const { what, seen, holds } of verdicts) print(`${holds ? 'holds' : 'FAILS'}  ${what}: ${seen}`)
  if (verdicts.some(({ holds }) => !holds)) process.exitCode = 1
} finally {
  await cleanUp()
}

async function soak(workers: number): Promise<Verdict[]> {
  const port = await freePort()
  const cell = await startCell(newDataDir(), { METRICS_ADDRESS: `127.0.0.1:${port}` })
  if (cell.pages === null) throw new Error('The cell has no demo')
  const agencies = await makeAgencies(cell, ACCOUNTS)
  const client = await agencies.asSuperuser()
  const receiver = await startReceiver()
  const kept = tally(seconds)
  const all = agencies.all.map((agency) => atWork(agencies, agency, kept))
  for (const one of all) {
    await prepare(one)
    await subscribe(one, receiver)
  }
  const run = tally(seconds)
  for (const one of all) Object.assign(one, { send: sender(agencies, one.agency, run) })
  const watched = watch({ pid: cell.pid, metrics: `http://127.0.0.1:${port}/metrics`, client, tally: run, seconds })
  await work(all, agencies, cell.pages, { workers, run })
  await watched.stop()
  await client.query('set statement_timeout = 0')
  print(tableOfParts(run, watched.samples, seconds))
  print(countsOf(run))
  const ended = [await drained(client), ...(await settled({ client, all, receiver, dataDir: cell.dataDir }))]
  return [...verdictsOf(run, watched.samples), ...ended, ...(await overloaded(cell.url, cell.pages.sharedTrip))]
}

function atWork(agencies: Agencies, agency: Agency, kept: Tally): AtWork {
  return {
    agency,
    promised: { customers: 0, leads: 0, tasks: 0, stays: 0, captures: 0, messages: 0 },
    customers: [],
    leads: [],
    tasks: [],
    stayBatches: [],
    cursor: null,
    send: sender(agencies, agency, kept),
  }
}

function sender({ cell }: Agencies, { key }: Agency, kept: Tally): AtWork['send'] {
  const call = caller(cell.url)
  return async (what, sent) => {
    const answer = await call({ ...sent, key })
    kept.note(what, answer)
    return answer
  }
}

async function subscribe(one: AtWork, { url }: Receiver): Promise<void> {
  const answer = await one.send('subscribe', { method: 'POST', path: '/api/v1/webhooks', body: { url } })
  if (answer.status !== 201) throw new Error(`A subscription answered ${answer.status} ${answer.text}`)
}

/** Each worker serves the accounts in turn, and a visitor the pages, one request after the other. */
async function work(all: readonly AtWork[], { cell }: Agencies, pages: Pages, of: { workers: number; run: Tally }) {
  const until = performance.now() + seconds * 1000
  const call = caller(cell.url)
  const paths = [pages.sharedTrip, `${pages.sharedTrip}/trip.ics`, pages.survey, pages.referral]
  await Promise.all(
    Array.from({ length: of.workers }, async (_, nth) => {
      for (let n = nth; performance.now() < until; n++) {
        if (nth % VISITORS === 0) of.run.note('a public page', await call({ path: paths[n % paths.length] as string }))
        else await workOnce(all[n % all.length] as AtWork)
      }
    }),
  )
}

/** Number of answers by request and status. */
function countsOf({ answered }: Tally): string {
  return [...Map.groupBy(answered, ({ what }) => what)]
    .map(([what, them]) => {
      const by = [...Map.groupBy(them, ({ status }) => status)].map(([status, { length }]) => `${status} × ${length}`)
      return `${what.padEnd(40)} ${by.join(', ')}`
    })
    .join('\n')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
