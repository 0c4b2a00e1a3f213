import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { cloneDatabase } from '../../../test/harness/cell.ts'
import { GO_ON, logTo } from '../../../test/harness/worker.ts'
import { type Connection, withClient } from '../db/client.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { every, type ScheduledJob, scheduleQueue } from './schedule.ts'
import { startWorkers } from './workers.ts'

type Needs = { db: Database; log: ReturnType<typeof logTo> }
type Run = { name: string; due: boolean; leased: boolean; last_error: string | null }

let connection: Connection
let db: Database
beforeAll(async () => {
  connection = await cloneDatabase()
  db = openDatabase(connection, 1, () => {})
})
afterAll(() => db.close())
const sql = <R>(text: string, values: unknown[] = []): Promise<R[]> =>
  withClient({ ...connection, user: 'postgres' }, async (client) => (await client.query(text, values)).rows)
const runOf = async (name: string): Promise<Run | undefined> =>
  (
    await sql<Run>(
      'select name, due_at <= now() as due, leased_until > now() is true as leased, last_error from scheduled_runs where name = $1',
      [name],
    )
  )[0]
const comesDue = (name: string) => sql(`update scheduled_runs set due_at = now() where name = $1`, [name])
const leaseRunsOut = (name: string) => sql(`update scheduled_runs set leased_until = now() where name = $1`, [name])

let made = 0
/** A job that no other test has, and how often it ran. */
function job(run: ScheduledJob<Needs>['run'] = async () => {}) {
  made += 1
  const job: ScheduledJob<Needs> & { runs: number } = {
    name: `job ${made}`,
    dueAgain: every('1 hour'),
    leaseMs: 60_000,
    runs: 0,
    run: (deps, stopping) => {
      job.runs += 1
      return run(deps, stopping)
    },
  }
  return job
}
const failures: object[] = []
const queue = (...jobs: ScheduledJob<Needs>[]) => scheduleQueue({ db, log: logTo(failures) }, jobs)

describe('a scheduled job', () => {
  it('needs no row of a migration, is claimed by one process at a time, and comes due again', async () => {
    const own = job()
    const claimed = await queue(own).claim()
    expect(await queue(own).claim()).toBeNull()
    await claimed?.(GO_ON)
    expect([own.runs, await queue(own).claim(), await runOf(own.name)]).toEqual([
      1,
      null,
      { name: own.name, due: false, leased: false, last_error: null },
    ])
    await comesDue(own.name)
    expect(await queue(own).claim()).not.toBeNull()
  })
  it('is done once by however many processes ask at the same time, beside others', async () => {
    const jobs = Array.from({ length: 6 }, () => job(() => sleep(5)))
    const other = openDatabase(connection, 1, () => {})
    onTestFinished(() => other.close())
    const log = logTo(failures)
    const stops = [db, other, db, other].map((db) => startWorkers({ db, log }, scheduleQueue({ db, log }, jobs)))
    while (jobs.some(({ runs }) => runs === 0)) await sleep(5)
    await Promise.all(stops.map((stop) => stop()))
    expect(jobs.map(({ runs }) => runs)).toEqual(jobs.map(() => 1))
  })
  it('is taken over when the lease of a process that died has run out, which then changes nothing', async () => {
    const own = job()
    const dead = await queue(own).claim()
    await leaseRunsOut(own.name)
    expect(await queue(own).claim()).not.toBeNull()
    await dead?.(GO_ON)
    expect(await runOf(own.name)).toMatchObject({ due: true, leased: true })
  })
  it('that fails reports why, does not delay others, and is retried when its lease expires', async () => {
    const [broken, own] = [job(() => Promise.reject(new Error('no'))), job()]
    const both = queue(broken, own)
    for (let claimed = await both.claim(); claimed; claimed = await both.claim()) await claimed(GO_ON)
    expect([broken.runs, own.runs, failures]).toEqual([1, 1, [{ err: new Error('no'), job: broken.name }]])
    expect(await runOf(broken.name)).toMatchObject({ due: true, leased: true, last_error: 'no' })
    await leaseRunsOut(broken.name)
    expect(await both.claim()).not.toBeNull()
  })
  it('is given back by a process that stops, and left alone by one that does not want it', async () => {
    const own = job((_, stopping) => sleep(60_000, undefined, { signal: stopping }))
    const stop = startWorkers({ db, log: logTo([]) }, queue(own))
    while (own.runs === 0) await sleep(5)
    await stop()
    expect(await runOf(own.name)).toMatchObject({ due: true, leased: false })
    expect(await queue({ ...own, isWanted: () => false }).claim()).toBeNull()
  })
})
