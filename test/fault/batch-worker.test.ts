import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { importQueue } from '../../src/imports/batches/import-queue.ts'
import { withClient } from '../../src/platform/db/client.ts'
import type { Job } from '../../src/platform/jobs/workers.ts'
import { importing } from '../../src/registry.ts'
import { type Agency, makeAgency, type Outcome } from '../harness/agency.ts'
import { cloneDatabase, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { byDepth } from '../harness/depth.ts'
import { startMortalWorker } from '../harness/mortal-worker.ts'
import { end } from '../harness/process.ts'
import { askPastWalls, dawdle } from '../harness/sql.ts'
import { GO_ON, logTo, startImports } from '../harness/worker.ts'

type Batch = {
  id: string
  status: string
  error: string | null
  processed: number
  counts: Record<string, number>
  created_at: string
  finished_at: string | null
}
type State = {
  account_id: number
  id: string
  status: string
  attempts: number
  leased_by: string | null
  processed: number
  waits: boolean
}

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})

const people = (count: number, prefix = 'P') =>
  Array.from({ length: count }, (_, at) => ({ external_id: `${prefix}${at}`, name: `Person ${at}`, notes: 'note' }))
async function enqueue(rows: object[], of = agency, entity = 'customers'): Promise<string> {
  const answer = await cell.call('POST', `/imports/${entity}`, { key: of.key, body: { rows, mode: 'async' } })
  return (answer.body as { data: { id: string } }).data.id
}
const read = async (id: string, of = agency) =>
  ((await cell.call('GET', `/imports/${id}`, { key: of.key })).body as { data: Batch }).data
async function outcomesOf(id: string, of = agency): Promise<Outcome[]> {
  const all: Outcome[] = []
  for (let cursor = ''; ; ) {
    const { body } = await cell.call('GET', `/imports/${id}/rows?limit=100${cursor}`, { key: of.key })
    const { data, page } = body as { data: Outcome[]; page: { next_cursor: string | null } }
    all.push(...data)
    if (page.next_cursor === null) return all
    cursor = `&cursor=${page.next_cursor}`
  }
}
async function finished(id: string, of = agency): Promise<Batch> {
  for (;;) {
    const batch = await read(id, of)
    if (batch.finished_at) return batch
    await sleep(20)
  }
}
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
const states = () =>
  sql<State>(
    'select account_id, id, status, attempts, leased_by, processed, next_attempt_at > now() as waits from import_batches order by created_at, id',
  )
const stateOf = async (id: string) => (await states()).find((state) => state.id === id) as State
/** The claims of a dead worker become free when their lease expires. */
const expireLeases = () => sql('update import_batches set next_attempt_at = now() where finished_at is null')

describe('the queue of imports', () => {
  beforeAll(async () => {
    agency = await makeAgency(cell)
  })

  it('is worked on by two workers at once, every chunk by one of them', async () => {
    const agencies = await Promise.all(Array.from({ length: 4 }, () => makeAgency(cell)))
    const batches: [string, Agency][] = []
    for (let nth = 0; nth < 2; nth++)
      for (const of of agencies) batches.push([await enqueue(people(250, `${nth}-`), of), of])
    const stops = [startImports(cell), startImports(cell)]
    for (const [id, of] of batches) {
      expect(await finished(id, of)).toMatchObject({
        status: 'completed',
        processed: 250,
        counts: { total: 250, created: 250 },
      })
      expect(new Set((await outcomesOf(id, of)).map(({ id }) => id)).size).toBe(250)
    }
    await Promise.all(stops.map((stop) => stop()))
    const [notified] = await sql(`select count(*)::integer as count from notifications where account_id = any($1)`, [
      agencies.map(({ number }) => number),
    ])
    expect(notified).toEqual({ count: batches.length })
  })

  it('does the batches of an account in the order in which they were accepted', async () => {
    const own = await makeAgency(cell)
    const ids: string[] = []
    for (let nth = 0; nth < 3; nth++) {
      ids.push(await enqueue(people(120, `O${nth}-`), own))
      const stays = Array.from({ length: 120 }, (_, at) => ({
        external_id: `S${nth}-${at}`,
        customer_external_id: `O${nth}-${at}`,
        check_in_on: '2026-05-01',
        check_out_on: '2026-05-03',
      }))
      ids.push(await enqueue(stays, own, 'hotel_stays'))
    }
    const stops = [startImports(cell), startImports(cell)]
    const done = await Promise.all(ids.map((id) => finished(id, own)))
    await Promise.all(stops.map((stop) => stop()))
    const ends = done.map(({ finished_at }) => finished_at as string)
    expect(ends).toEqual([...ends].sort())
    for (const id of ids) expect((await outcomesOf(id, own)).flatMap(({ warnings }) => warnings)).toEqual([])
  })

  it('gives a batch whose worker hangs to another when the lease is over, and the first can do no harm then', async () => {
    const id = await enqueue(people(150, 'L'))
    const queue = importQueue({ ...cell.deps, ...importing }, { leaseMs: 200 })
    const hanging = (await queue.claim()) as Job
    expect(await queue.claim()).toBeNull()
    expect(await stateOf(id)).toMatchObject({ status: 'running', attempts: 1, waits: true })
    await sleep(250)
    const other = (await queue.claim()) as Job
    await hanging(GO_ON)
    expect(await read(id)).toMatchObject({ status: 'running', processed: 0 })
    await other(GO_ON)
    await hanging(GO_ON)
    expect(await read(id)).toMatchObject({ status: 'completed', counts: { created: 150, updated: 0, unchanged: 0 } })
  })

  it('has a batch back at once from a worker that is stopped, which ends its chunk first', async () => {
    const hurry = await dawdle(cell, 'insert', 'customers', 0.4)
    const id = await enqueue(people(1000, 'G').slice(0, 500))
    const stop = startImports(cell)
    while ((await stateOf(id)).processed === 0) await sleep(5)
    await stop()
    await hurry()
    const { processed, ...state } = await stateOf(id)
    expect(state).toMatchObject({ status: 'running', attempts: 0, leased_by: null, waits: false })
    expect([processed > 0, processed < 500, processed % 100]).toEqual([true, true, 0])
    const again = startImports(cell)
    expect(await finished(id)).toMatchObject({ status: 'completed', counts: { created: 500 } })
    await again()
  })

  it('gives up a chunk that breaks the work five times: its rows have failed, say so, and the next batch has its turn', async () => {
    await sql(`create function poison() returns trigger language plpgsql as $$ begin
        if new.name = 'Poison' then raise exception 'broken' using errcode = 'XX000'; end if; return new; end $$`)
    await sql('create trigger poison before insert on customers for each row execute function poison()')
    const rows: object[] = people(350, 'X')
    rows[170] = { external_id: 'X170', name: 'Poison' }
    rows[180] = { external_id: 'a\u0000', name: 'No key' }
    rows[181] = { name: 'No key' }
    const [id, next] = [await enqueue(rows), await enqueue(people(10, 'Y'))]
    const failures: object[] = []
    const stop = startImports(cell, { backoffMs: 1 }, logTo(failures))
    const batch = await finished(id)
    expect(batch).toMatchObject({ status: 'failed', processed: 350, error: expect.stringContaining('Send them again') })
    expect(batch.counts).toEqual({ total: 350, created: 100, updated: 0, unchanged: 0, skipped: 0, failed: 250 })
    const outcomes = await outcomesOf(id)
    expect(outcomes.map(({ index }) => index)).toEqual(rows.map((_, at) => at))
    expect(outcomes.slice(0, 100).every(({ status }) => status === 'created')).toBe(true)
    expect(
      outcomes.slice(100).every(({ status, errors: [issue] }) => status === 'failed' && issue?.code === 'conflict'),
    ).toBe(true)
    expect([170, 180, 181].map((at) => outcomes[at]?.external_id)).toEqual(['X170', null, null])
    expect(failures).toHaveLength(5)
    expect(await finished(next)).toMatchObject({ status: 'completed' })
    await stop()
    expect(await sql('select title, priority from notifications where subject_id = $1', [id])).toEqual([
      { title: 'Import of 350 customers failed', priority: 'high' },
    ])
    await sql('drop trigger poison on customers')
  })

  it('gives up a batch that many processes have died with', async () => {
    const id = await enqueue(people(120, 'D'))
    const queue = importQueue({ ...cell.deps, ...importing }, { leaseMs: 0 })
    for (let death = 0; death < 25; death++) await queue.claim()
    await ((await queue.claim()) as Job)(GO_ON)
    expect(await read(id)).toMatchObject({ status: 'failed', processed: 120, counts: { failed: 120 } })
  })

  it('ends a batch whose entity is gone', async () => {
    const id = await enqueue(people(120, 'E'))
    await sql(`update import_batches set entity = 'gone' where id = $1`, [id])
    const stop = startImports(cell)
    expect(await finished(id)).toMatchObject({ status: 'failed', processed: 120, counts: { failed: 120 } })
    await stop()
  })

  it('continues after the database was unavailable, without counting attempts', { timeout: 60_000 }, async () => {
    const id = await enqueue(people(150, 'W'))
    const failures: object[] = []
    let stop: () => Promise<void> = async () => {}
    await withClient({ ...cell.connection, user: 'postgres' }, async (client) => {
      await client.query('begin')
      await client.query('select 1 from change_counters where account_id = $1 for update', [agency.number])
      stop = startImports(cell, { awayMs: 50 }, logTo(failures))
      for (let cuts = 0; cuts < 6; ) {
        const cut = await sql(`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%change_number%'`)
        cuts += cut.length
        await sleep(20)
      }
      expect(await stateOf(id)).toMatchObject({ status: 'running', attempts: 1 })
      await client.query('rollback')
    })
    expect(await finished(id)).toMatchObject({ status: 'completed', counts: { created: 150 } })
    await stop()
    expect(failures).toEqual([])
  })
})

const KILLS = byDepth(1, 4)
const ACCOUNTS = 3
const BATCHES = byDepth(1, 4)
const ROWS = 500

it('a worker that is killed again and again in mid-batch loses no row and imports none twice', {
  timeout: 120_000,
}, async () => {
  const connection = await cloneDatabase()
  cell = await startCell({ deps: { count: uncounted }, connection })
  const agencies = await Promise.all(Array.from({ length: ACCOUNTS }, () => makeAgency(cell)))
  for (let batch = 0; batch < BATCHES; batch++) for (const of of agencies) await enqueue(people(ROWS, `${batch}-`), of)
  const processed = async () => (await states()).reduce((sum, state) => sum + state.processed, 0)
  const isMidBatch = async () =>
    (await states()).some(
      ({ status, leased_by, processed }) => status === 'running' && leased_by !== null && processed > 0,
    )

  const hurry = await dawdle(cell, 'insert', 'customers', 0.1)
  let midBatch = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = await startMortalWorker(cell)
    if (kill % 2 === 0) while (!(await isMidBatch())) await sleep(2)
    else await sleep(Math.random() * 40)
    await worker.kill()
    if (await isMidBatch()) midBatch++
    await expireLeases()
  }
  expect(midBatch).toBeGreaterThan(0) // or the kills had proved nothing
  await hurry()
  const { child: last } = await startMortalWorker(cell)
  while ((await processed()) < ACCOUNTS * BATCHES * ROWS) await sleep(50)
  expect(await end(last, 'SIGTERM')).toBe(0)

  const batches = await sql('select distinct status, counts, processed from import_batches')
  const counts = { total: ROWS, created: ROWS, updated: 0, unchanged: 0, skipped: 0, failed: 0 }
  expect(batches).toEqual([{ status: 'completed', counts, processed: ROWS }])
  const rows = ACCOUNTS * BATCHES * ROWS
  const [kept] =
    await sql(`select (select count(*) from customers where version = 1)::integer as customers, (select count(*) from customer_notes)::integer as notes,
    (select count(distinct o ->> 'id') from import_chunks, json_array_elements(outcomes) o)::integer as outcomes, (select count(*) from notifications)::integer as told`)
  expect(kept).toEqual({ customers: rows, notes: rows, outcomes: rows, told: ACCOUNTS * BATCHES })
})
