import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { filingQueue } from '../../src/features/filing/filing.job.ts'
import { isDatabaseUnavailable } from '../../src/platform/db/failures.ts'
import type { Job } from '../../src/platform/jobs/workers.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { cloneDatabase, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { fileAll } from '../harness/filing.ts'
import { startMortalWorker } from '../harness/mortal-worker.ts'
import { cutConnections } from '../harness/own-server.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)

/** Customers with a trip of ten days each, and a number of stays in it; analyzed, as the server does every minute. */
async function fill({ number, company }: Agency, customers: number, stays: number): Promise<void> {
  await sql(
    `with c as (
       insert into customers (account_id, company_id, source_system, external_id, name)
       select $1, $2, 'api', 'P' || n, 'Person ' || n from generate_series(1, $3::integer) n returning account_id, company_id, id
     ), t as (
       insert into trips (account_id, company_id, reference_number, title, status, start_date, end_date, settings)
       select account_id, company_id, id::text, 'Trip', 'planning', '2031-06-10', '2031-06-19', '{}' from c returning account_id, id, reference_number
     ), x as (
       insert into trip_customers (account_id, trip_id, customer_id, is_primary) select account_id, id, reference_number::uuid, true from t
     ), d as (
       insert into trip_days (account_id, trip_id, day_number, position, date)
       select account_id, id, nth, nth, date '2031-06-09' + nth from t cross join generate_series(1, 10) nth
     ), b as (
       insert into bookings (account_id, company_id, entity, status, customer_id, currency, transaction_date, sell_total, changed)
       select account_id, company_id, 'hotel_stays', 'confirmed', id, 'EUR', '2031-01-01', 100, 0 from c cross join generate_series(1, $4::integer)
       returning account_id, id
     )
     insert into hotel_stays (account_id, id, check_in_on, check_out_on)
     select account_id, id, date '2031-06-10' + (row_number() over () % 9)::integer, date '2031-06-19' from b`,
    [number, company.id, customers, stays],
  )
  await sql('delete from trip_refilings') // all is filed by the change number
  await sql('analyze bookings, hotel_stays, trips, trip_customers, trip_days')
}
type Kept = { filed: number; segments: number; placed: number; changed: number }
const kept = async ({ number }: Agency): Promise<Kept> =>
  (
    await sql<Kept>(
      `select (select count(*) from trip_bookings where account_id = $1)::integer as filed,
         (select count(*) from trip_segments where account_id = $1)::integer as segments,
         (select count(*) from trip_segments s join trip_days d on d.account_id = s.account_id and d.id = s.trip_day_id
           where s.account_id = $1 and d.date = s.start_time::date)::integer as placed,
         (select count(*) from bookings where account_id = $1 and version > 1)::integer as changed`,
      [number],
    )
  )[0] as Kept
const whole = (count: number): Kept => ({ filed: count, segments: count, placed: count, changed: 0 })
const expireLeases = () => sql('update trip_filings set leased_until = now() where leased_until is not null')

describe('the filing of bookings', () => {
  it('is done by two workers at once, each account by one of them', async () => {
    const agencies = await Promise.all(Array.from({ length: 4 }, () => makeAgency(cell)))
    for (const agency of agencies) await fill(agency, 20, 5)
    const failures: object[] = []
    const { db } = cell.deps
    const log = logTo(failures)
    const stops = [7, 11].map((most) =>
      startWorkers({ db, log }, { ...filingQueue({ db, log }, { most }), pollMs: 50 }),
    )
    while ((await Promise.all(agencies.map(kept))).some(({ segments }) => segments < 100)) await sleep(20)
    await Promise.all(stops.map((stop) => stop()))
    expect(failures).toEqual([])
    for (const agency of agencies) expect(await kept(agency)).toEqual(whole(100))
  })

  it('passes to another worker when the lease is over, and the first can do no harm then', async () => {
    const agency = await makeAgency(cell)
    await fill(agency, 10, 1)
    const queue = filingQueue({ db: cell.deps.db, log: logTo([]) })
    const hanging = (await queue.claim()) as Job
    expect(await queue.claim()).toBeNull()
    await expireLeases()
    const other = (await queue.claim()) as Job
    await hanging(GO_ON)
    expect(await kept(agency)).toEqual(whole(0))
    await other(GO_ON)
    await hanging(GO_ON)
    expect(await kept(agency)).toEqual(whole(10))
  })

  it('skips a booking that breaks it, reports it, and continues', async () => {
    const agency = await makeAgency(cell)
    await fill(agency, 30, 2)
    const [poison] = await sql<{ id: string }>(
      'select id from bookings where account_id = $1 order by id offset 40 limit 1',
      [agency.number],
    )
    await sql(`create function poison() returns trigger language plpgsql as $$ begin
        if new.booking_id = '${poison?.id}' then raise exception 'broken' using errcode = 'XX000'; end if; return new; end $$`)
    await sql('create trigger poison before insert on trip_segments for each row execute function poison()')
    const failures: object[] = []
    await ((await filingQueue({ db: cell.deps.db, log: logTo(failures) }).claim()) as Job)(GO_ON)
    await sql('drop trigger poison on trip_segments')
    expect(await kept(agency)).toEqual(whole(59))
    expect(failures).toEqual([{ err: expect.objectContaining({ message: 'broken' }), account: agency.number }])
    await sql(`update bookings set notes = 'again' where id = $1`, [poison?.id])
    await fileAll(cell)
    expect(await kept(agency)).toEqual({ ...whole(60), changed: 1 })
  })

  it('keeps no import waiting, nor any import it', async () => {
    const agency = await makeAgency(cell)
    await fill(agency, 100, 5)
    const filing = fileAll(cell, { most: 50 })
    const rows = Array.from({ length: 500 }, (_, at) => ({
      external_id: `H${at}`,
      customer_external_id: `P${(at % 100) + 1}`,
      check_in_on: '2031-06-11',
      check_out_on: '2031-06-13',
      status: 'confirmed',
    }))
    const { counts } = await importRows(cell, agency.key, 'hotel_stays', rows)
    expect(counts).toMatchObject({ created: 500, failed: 0 })
    await filing
    await fileAll(cell)
    expect(await kept(agency)).toEqual(whole(1000))
  })
})

describe('a worker loses no booking and files none twice', () => {
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted }, connection: await cloneDatabase() })
  })
  it('that is killed while it files', { timeout: 60_000 }, async () => {
    const agency = await makeAgency(cell)
    await fill(agency, 100, 15)
    const starting = startMortalWorker(cell)
    while ((await kept(agency)).filed === 0) await sleep(5)
    await (await starting).kill() // it has a third of them, and is in the middle of the next
    await expireLeases()
    await fileAll(cell)
    expect(await kept(agency)).toEqual(whole(1500))
  })
  const LOSSES = 6
  it('that loses its connections again and again while it files', async () => {
    const agency = await makeAgency(cell)
    await fill(agency, 100, 10)
    const failures: { err?: unknown }[] = []
    const { db } = cell.deps
    const log = logTo(failures)
    const stop = startWorkers({ db, log }, { ...filingQueue({ db, log }, { most: 20, leaseMs: 2_000 }), pollMs: 20 })
    let midway = 0
    for (let loss = 0; loss < LOSSES; loss++) {
      const { filed: before } = await kept(agency)
      while ((await kept(agency)).filed === before && before < 1000) await sleep(5)
      await sleep(Math.random() * 40)
      await cutConnections(cell)
      if ((await kept(agency)).filed < 1000) midway++
      await expireLeases()
    }
    while ((await kept(agency)).filed < 1000) await sleep(20)
    await stop()
    expect(midway).toBeGreaterThan(1) // or the losses had proved nothing
    expect(failures.filter(({ err }) => !isDatabaseUnavailable(err))).toEqual([])
    expect(await kept(agency)).toEqual(whole(1000))
  })
})
