import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkHistory } from '../../harness/check-history.ts'
import { type Clients, startClients } from '../../harness/history.ts'
import { cutConnections, type OwnServer, startOwnServer } from '../../harness/own-server.ts'
import { askPastWalls } from '../../harness/sql.ts'
import {
  type Process,
  prepareStorm,
  type Storm,
  seededChance,
  startProcess,
  statusOf,
  timeUntil,
} from '../../harness/storm.ts'

const AGENCIES = 3
const RECOVERS_MS = 5_000
const STOPPED_MS = 10_000
const CUTS = 20
/** Work before and after the fault. */
const WARM_MS = 1_500

let server: OwnServer
let storm: Storm
let process: Process
let clients: Clients

beforeAll(async () => {
  server = await startOwnServer()
  storm = await prepareStorm(AGENCIES, server.connection)
  process = await startProcess(storm.cell)
  clients = startClients(() => process.url, storm.agencies, seededChance())
})

const health = () => statusOf(`${process.url}/api/v1/health`)
const ready = () => statusOf(`${process.url}/ready`)
const customers = () => statusOf(`${process.url}/api/v1/customers?limit=5`, storm.agencies[0]?.key)
const works = async () => (await customers()) === 200
const isReady = async () => (await ready()) === 200

/** Sends requests until told to stop; returns the statuses of the process and of its readers. */
function watch() {
  const seen = { health: new Set<number>(), ready: new Set<number>(), customers: new Set<number>() }
  let stopped = false
  const keep = async (into: Set<number>, ask: () => Promise<number>) => {
    for (; !stopped; await sleep(50)) into.add(await ask())
  }
  const running = [keep(seen.health, health), keep(seen.ready, ready), keep(seen.customers, customers)]
  return async () => {
    stopped = true
    await Promise.all(running)
    return Object.fromEntries(Object.entries(seen).map(([name, statuses]) => [name, [...statuses].sort()]))
  }
}
async function expectRecovered(): Promise<void> {
  const took = Math.max(await timeUntil(works), await timeUntil(isReady))
  console.log(`recovered in ${Math.round(took)} ms`)
  expect(took).toBeLessThan(RECOVERS_MS)
}
/** Sessions of the program that hold a transaction and do nothing. */
const idleInTransaction = () =>
  askPastWalls(
    server,
    `select pid from pg_stat_activity
     where application_name = 'backdesk' and state like 'idle in transaction%' and state_change < now() - interval '1 second'`,
  )

describe('a process under load whose database', () => {
  it.each([
    ['crashes and is started again (stop -m immediate)', () => server.crash(), 0],
    ['is restarted in order', () => server.stop(), 0],
    ['is stopped for ten seconds', () => server.stop(), STOPPED_MS],
  ])('%s keeps running, responds with 503, and works within 5 s of its return', async (_, stop, ms) => {
    await sleep(WARM_MS)
    const stopWatching = watch()
    await stop()
    if (ms > 0) {
      await timeUntil(async () => (await ready()) === 503, RECOVERS_MS)
      expect([await health(), await customers()]).toEqual([200, 503])
      await sleep(ms)
    }
    await server.start()
    await expectRecovered()
    await sleep(WARM_MS)
    const { health: alive, customers: read } = await stopWatching()
    expect(alive).toEqual([200])
    expect(read?.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(process.child.exitCode).toBeNull()
  })

  it('cuts all connections, again and again, answers 503 at worst and leaves no transaction open', async () => {
    const stopWatching = watch()
    for (let cut = 0; cut < CUTS; cut++) {
      await sleep(100 + (cut % 7) * 40)
      await cutConnections(server)
    }
    await expectRecovered()
    const { health: alive, customers: read } = await stopWatching()
    expect(alive).toEqual([200])
    expect(read?.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(await idleInTransaction()).toEqual([])
  })

  it('did all this has the effect of each accepted import once, and of no refused one', async () => {
    await clients.stop()
    const found = await checkHistory(storm.cell, storm.agencies, clients.history)
    console.log(found)
    expect(found.accepted).toBeGreaterThan(20)
  })
})
