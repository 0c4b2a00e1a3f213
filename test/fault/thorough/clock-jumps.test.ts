import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendQueue } from '../../../src/features/communications/sending/sends.job.ts'
import { deliveryQueue } from '../../../src/features/webhooks/deliveries.job.ts'
import { importQueue } from '../../../src/imports/batches/import-queue.ts'
import { type Network, readNetwork } from '../../../src/platform/access/source-address.ts'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { countInDatabase, countInMemory } from '../../../src/platform/http/rate-limit.ts'
import type { Job, Queue } from '../../../src/platform/jobs/workers.ts'
import { importing } from '../../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../../harness/agency.ts'
import { atEnd } from '../../harness/at-end.ts'
import { startCell, type TestCell, uncounted } from '../../harness/cell.ts'
import { clockedDatabase } from '../../harness/database-clock.ts'
import { fanOutEvents } from '../../harness/fan-out.ts'
import { CELL_MAIL, mailTo, queueMessage } from '../../harness/sending.ts'
import { revokeKeyOf } from '../../harness/settings.ts'
import { shiftedClock } from '../../harness/shifted-clock.ts'
import { startSmtp } from '../../harness/smtp.ts'
import { ask } from '../../harness/sql.ts'
import { subscribe } from '../../harness/subscriber.ts'
import { GO_ON, logTo } from '../../harness/worker.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const JUMPS = [DAY_MS, -DAY_MS, HOUR_MS, -HOUR_MS]
const REVOKED_MS = 1_000
const ROWS = 150
const LOOPBACK = [readNetwork('127.0.0.0/8') as Network]
const people = Array.from({ length: ROWS }, (_, at) => ({ external_id: `P${at}`, name: `Person ${at}` }))
const stay = (name: string) => ({ external_id: name, check_in_on: '2026-07-10', check_out_on: '2026-07-14' })

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  const smtp = await startSmtp()
  const deps = { count: uncounted, mail: mailTo(smtp), destinations: { allowed: LOOPBACK } }
  cell = await startCell({ mailFrom: CELL_MAIL, deps })
  agency = await makeAgency(cell)
})
const enqueue = (of: TestCell, { key }: Agency) =>
  of.call('POST', '/imports/customers', { key, body: { mode: 'async', rows: people } })
const change = async (name: string) => {
  await importRows(cell, agency.key, 'hotel_stays', [stay(name)])
  await fanOutEvents(cell)
}
const imports = (of: TestCell) => importQueue({ ...of.deps, ...importing })
const meOf = async (key: string) => {
  const { status, body } = await cell.call('GET', '/me', { key })
  return status === 200 ? 200 : [status, (body as { code: string }).code]
}

describe('a process whose clock jumps', () => {
  it('takes nothing that another holds, and keeps what it holds: leases are by the database’s clock', async () => {
    const clock = shiftedClock()
    const subscriber = await subscribe(cell, agency)
    const queues: [Queue, () => Promise<unknown>][] = [
      [imports(cell), () => enqueue(cell, agency)],
      [sendQueue(cell.deps, 'mail'), () => queueMessage(cell, agency, {})],
      [deliveryQueue(cell.deps), () => change('C1')],
    ]
    for (const [queue, fill] of queues) {
      await fill()
      const job = (await queue.claim()) as Job
      for (const jump of JUMPS) {
        clock.by(jump)
        expect([queue.name, await queue.claim()]).toEqual([queue.name, null])
      }
      await job(GO_ON)
      clock.by(0)
      expect([queue.name, await queue.claim()]).toEqual([queue.name, null])
    }
    expect(
      await ask(
        cell,
        `select (select status from import_batches where entity = 'customers') as batch,
      (select status from communications) as mail, (select count(*)::integer from customers) as customers`,
      ),
    ).toEqual([{ batch: 'completed', mail: 'sent', customers: ROWS }])
    expect(subscriber.heard).toHaveLength(1)
  })

  it('signs with its current clock, and takes due times from the database', async () => {
    const clock = shiftedClock()
    const subscriber = await subscribe(cell, agency)
    const queue = deliveryQueue(cell.deps)
    for (const [at, jump] of JUMPS.entries()) {
      clock.by(jump)
      await change(`S${at}`)
      for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
      const { signature } = subscriber.requests()[at] as { signature: string }
      const signedAt = 1_000 * Number(/^t=(\d+)/.exec(signature)?.[1])
      expect(Math.abs(signedAt - Date.now())).toBeLessThan(5_000)
    }
  })

  it('refuses a revoked key within a second, though the clock was put back, and an expired one by the clock', async () => {
    const clock = shiftedClock()
    const { id, key } = await agency.makeKey()
    expect(await meOf(key)).toBe(200)
    await revokeKeyOf(cell, agency.number, id)
    clock.by(-HOUR_MS)
    await sleep(REVOKED_MS)
    expect(await meOf(key)).toEqual([401, 'key_revoked'])

    const expiring = await agency.makeKey({ expiresAt: new Date(Date.now() + 3 * HOUR_MS).toISOString() })
    const seen: unknown[] = []
    for (const jump of [0, DAY_MS, 0]) {
      clock.by(jump)
      seen.push(await meOf(expiring.key))
    }
    expect(seen).toEqual([200, [401, 'key_expired'], 200])
  })

  it.each(['memory', 'the database'])(
    'counts requests in %s, and never delays by more than a minute',
    async (where) => {
      const clock = shiftedClock()
      const count =
        where === 'memory'
          ? countInMemory(Date.now)
          : countInDatabase(cell.deps.db, (error) => {
              throw error
            })
      const counted = await startCell({ connection: cell.connection, deps: { count } })
      const { key } = await makeAgency(counted)
      const send = () => counted.call('POST', '/imports/customers', { key, body: { row: people[0], mode: 'sync' } })
      for (const jump of [0, ...JUMPS]) {
        clock.by(jump)
        let answer = await send()
        for (let sent = 1; answer.status === 200 && sent < 70; sent++) answer = await send()
        expect(answer.status).toBe(429)
        const wait = Number(answer.headers['retry-after'])
        expect([wait >= 1, wait <= 60]).toEqual([true, true])
      }
    },
  )
})

describe('a database whose clock jumps', () => {
  it('gives a batch to another in mid-work, and the first does no harm: every row is there once', async () => {
    const clock = await clockedDatabase()
    const clocked = await startCell({ connection: clock.connection, deps: { count: uncounted } })
    const { key } = await makeAgency(clocked)
    await clocked.call('POST', '/imports/customers', { key, body: { mode: 'async', rows: people } })
    const failures: object[] = []
    const db = openDatabase(clock.connection, 2, () => {})
    atEnd(() => db.close())
    const other = importQueue({ db, log: logTo(failures), ...importing })
    const first = (await imports(clocked).claim()) as Job
    expect(await other.claim()).toBeNull()
    await clock.set(new Date(Date.now() + DAY_MS).toISOString())
    const second = (await other.claim()) as Job
    await Promise.all([first(GO_ON), second(GO_ON)])
    await clock.set(new Date(Date.now() - DAY_MS).toISOString())
    expect(await other.claim()).toBeNull()
    expect(failures).toEqual([])
    expect(
      await ask(
        clocked,
        `select status, processed, (select count(*)::integer from customers where version = 1) as rows
      from import_batches`,
      ),
    ).toEqual([{ status: 'completed', processed: ROWS, rows: ROWS }])
  })
})
