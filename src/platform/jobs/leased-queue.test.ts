import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/harness/cell.ts'
import { GO_ON } from '../../../test/harness/worker.ts'
import { type Connection, withClient } from '../db/client.ts'
import { type Database, openDatabase } from '../db/database.ts'
import * as pg from '../db/pg-types.ts'
import { leasedQueue } from './leased-queue.ts'
import { leasedRows, releaseOf } from './leased-rows.ts'

const REASON = 'a test'
const LEASE_MS = 60_000
const THINGS = { table: 'leased_things', key: ['id'], countsAttempts: true } as const
const ACCOUNT = 10_000_001
const NONE = '00000000-0000-0000-0000-000000000000'

let connection: Connection
let databases: Database[]
const sql = <R>(text: string, values: unknown[] = []): Promise<R[]> =>
  withClient({ ...connection, user: 'postgres' }, async (client) => (await client.query(text, values)).rows)
beforeAll(async () => {
  connection = await cloneDatabase()
  await sql(`create table leased_things (account_id integer not null, id uuid not null default uuidv7(),
    leased_by uuid, next_attempt_at timestamptz not null default now(), attempts integer not null default 0)`)
  await sql('grant select, insert, update on leased_things to backdesk_system')
  databases = [openDatabase(connection, 1, () => {}), openDatabase(connection, 1, () => {})]
})
afterAll(() => Promise.all(databases.map((db) => db.close())))

type Claimed = { account: number; id: string; attempts: number }
const things = () =>
  leasedRows({
    ...THINGS,
    waiting: 'true',
    gives: { id: pg.uuid, attempts: pg.integer },
    columns: { id: 'q.id', attempts: 'q.attempts' },
  })
/** Claims by one of the processes; null where nothing is due. */
async function claim(process = 0): Promise<(Claimed & { lease: string }) | null> {
  const taken: (Claimed & { lease: string })[] = []
  const work = async ([first]: readonly [Claimed, ...Claimed[]], lease: string) => void taken.push({ ...first, lease })
  const db = databases[process] as Database
  const job = await leasedQueue({ db }, { name: 'things', rows: things(), leaseMs: LEASE_MS, given: {}, work }).claim()
  await job?.(GO_ON)
  return taken[0] ?? null
}
const release = (claimed: { account: number; id: string; lease: string }) =>
  databases[0]?.askSystem(REASON, releaseOf(THINGS), claimed)
const endLeases = () => sql('update leased_things set next_attempt_at = now()')
const make = (...accounts: number[]) =>
  sql('insert into leased_things (account_id) select unnest($1::integer[])', [accounts])
const leased = async () =>
  (await sql<{ leased_by: string | null }>('select leased_by from leased_things'))[0]?.leased_by

describe('a row of a leased queue', () => {
  beforeEach(() => sql('delete from leased_things'))

  it('is claimed by one process, however many ask at the same time', async () => {
    await make(1, 1, 1, 2, 2, 2)
    const claims = await Promise.all(Array.from({ length: 12 }, (_, nth) => claim(nth % 2)))
    const rows = claims.filter((one) => one !== null)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    for (let one = await claim(); one; one = await claim()) rows.push(one)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(6)
    expect(rows.length).toBe(6)
  })
  it('is due again when the lease has expired, and each claim counts as an attempt', async () => {
    await make(1)
    const first = await claim()
    expect(await claim()).toBeNull()
    await endLeases()
    const second = await claim()
    expect([first?.attempts, second?.attempts]).toEqual([1, 2])
    expect(second?.lease).not.toBe(first?.lease)
  })
  it('is released only with the current lease', async () => {
    await make(1)
    const first = await claim()
    await endLeases()
    const second = await claim()
    if (!first || !second) throw new Error('nothing was claimed')
    await release(first)
    expect(await leased()).toBe(second.lease)
    await release({ ...second, id: NONE })
    expect(await leased()).toBe(second.lease)
    await release(second)
    expect(await leased()).toBeNull()
    expect((await claim())?.attempts).toBe(2) // a released claim does not count as an attempt
  })
  it('is neither claimed nor counted as due while its account moves to another cell', async () => {
    await make(ACCOUNT)
    await sql('alter table moved_accounts drop constraint moved_accounts_number_fkey') // the account is made up
    await sql('insert into moved_accounts (number) values ($1)', [ACCOUNT])
    expect([await claim(), await sql(things().due)]).toEqual([null, []])
    await sql('delete from moved_accounts')
    expect(await sql(things().due)).toHaveLength(1)
    expect(await claim()).not.toBeNull()
  })
})

/** Statements that lock rows like a claim, and why they are not queues. */
const OTHER_CLAIMS = {
  'features/webhooks/delivery-queue.store.ts': 'the deliveries of a subscription whose lease the worker has',
  'features/webhooks/delivery-purge.store.ts': 'old events are deleted in the transaction that locks them',
}
it('is what every claim of the program is made with', () => {
  const src = join(import.meta.dirname, '../..')
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('jobs/leased-rows.ts'))
    .filter((file) => /\bskip locked\b/i.test(readFileSync(join(src, file), 'utf8')))
  expect(found.toSorted()).toEqual(Object.keys(OTHER_CLAIMS).toSorted())
})
