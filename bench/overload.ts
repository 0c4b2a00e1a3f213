// node bench/overload.ts: the behaviour of a process under five times the load that it can handle, and its recovery.
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir, startCell } from './cell.ts'
import { cleanUp, cleanUpOnSignals } from './cleanup.ts'
import { type Answer, openLoop } from './open-loop.ts'
import { caller } from './soak/call.ts'
import { quantile } from './soak/tally.ts'
import type { Verdict } from './soak/verdicts.ts'

const SECONDS = 8
const CONNECTIONS = 16
const TIMES = 5
const CALM = 20
const ASK_EVERY_MS = 50
/** Share of its capacity. The rest is spent on refusals and on the sender, which shares the processors. */
const GOODPUT = 0.4
const CALM_MS = 3_000
const NEVER_CALM_MS = 10 * CALM_MS

if (import.meta.main) {
  cleanUpOnSignals()
  try {
    const { url, pages } = await startCell(newDataDir())
    if (pages === null) throw new Error('The cell has no demo')
    for (const { what, seen, holds } of await overloaded(url, pages.sharedTrip)) {
      process.stdout.write(`${holds ? 'holds' : 'FAILS'}  ${what}: ${seen}\n`)
      if (!holds) process.exitCode = 1
    }
  } finally {
    await cleanUp()
  }
}

/** Requests a page, since no key limits it: over new connections, which is harder, and over kept ones. */
export async function overloaded(url: string, path: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const fresh of [false, true]) {
    const how = fresh ? 'a connection for each request' : 'connections that are kept'
    for (const verdict of await overloadBy(url, path, fresh))
      verdicts.push({ ...verdict, what: `${how}: ${verdict.what}` })
  }
  return verdicts
}

async function overloadBy(url: string, path: string, fresh: boolean): Promise<Verdict[]> {
  const able = await ableTo(url, path)
  const asking = askAfter(url)
  const answers = await openLoop({ url: url + path, rate: Math.round(able * TIMES), seconds: SECONDS, fresh })
  const { bad, slowest } = await asking.stop()
  const calmMs = await timeToCalm(url, path)
  const by = (status: number) => answers.filter((answer) => answer.status === status)
  const [served, refused] = [by(200), by(503)]
  const inTime = served.filter(({ at, ms }) => at + ms <= SECONDS * 1000).length / SECONDS
  const others = answers.length - served.length - refused.length
  return [
    {
      what: `${TIMES} × ${Math.round(able)} a second are answered with 200 or 503`,
      seen: `${served.length} × 200 (${timesOf(served)}), ${refused.length} × 503 (${timesOf(refused)}), ${others} other`,
      holds: others === 0,
    },
    {
      what: 'to be refused takes less long than to be served',
      seen: timesOf(refused),
      holds: refused.length === 0 || quantile(msOf(refused), 0.5) < quantile(msOf(served), 0.5),
    },
    {
      what: `what it serves meanwhile, of what it is able to: at least ${GOODPUT}`,
      seen: (inTime / able).toFixed(2),
      holds: inTime / able >= GOODPUT,
    },
    {
      what: '/health and /ready are 200',
      seen: `${bad} were not, the slowest took ${Math.round(slowest)} ms`,
      holds: bad === 0,
    },
    {
      what: `takes everything again: ${CALM} answers of 200 in a row, within ${CALM_MS} ms`,
      seen: `after ${Math.round(calmMs)} ms`,
      holds: calmMs <= CALM_MS,
    },
  ]
}

function msOf(answers: readonly Answer[]): number[] {
  return answers.map(({ ms }) => ms)
}

function timesOf(answers: readonly Answer[]): string {
  return `p50 ${Math.round(quantile(msOf(answers), 0.5))} ms, p99 ${Math.round(quantile(msOf(answers), 0.99))} ms`
}

/** Requests per second of connections that wait for their answers; the first half is the warm-up. */
async function ableTo(url: string, path: string): Promise<number> {
  const call = caller(url)
  const begin = performance.now()
  let answered = 0
  const ms = SECONDS * 1000
  const work = async () => {
    for (let now = 0; now < ms; now = performance.now() - begin) {
      const { status } = await call({ path })
      if (now > ms / 2 && status === 200) answered++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return (answered * 2) / SECONDS
}

/** Checks the health of the process all the time, each time over a new connection, as orchestrators do. */
function askAfter(url: string) {
  let stopped = false
  let bad = 0
  let slowest = 0
  const asking = (async () => {
    for (; !stopped; await sleep(ASK_EVERY_MS)) {
      for (const path of ['/api/v1/health', '/ready']) {
        const begin = performance.now()
        const answer = await fetch(url + path, { headers: { connection: 'close' } }).catch(() => null)
        await answer?.arrayBuffer()
        if (answer?.status !== 200) bad++
        slowest = Math.max(slowest, performance.now() - begin)
      }
    }
  })()
  return {
    async stop() {
      stopped = true
      await asking
      return { bad, slowest }
    },
  }
}

/** Time from now to the first of this many consecutive 200 answers, or until the limit. */
async function timeToCalm(url: string, path: string): Promise<number> {
  const call = caller(url)
  const begin = performance.now()
  let since = begin
  for (let calm = 0; calm < CALM && since - begin < NEVER_CALM_MS; ) {
    if ((await call({ path })).status === 200) calm++
    else {
      calm = 0
      since = performance.now()
    }
  }
  return since - begin
}
