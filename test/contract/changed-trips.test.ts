import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { FACT_KINDS } from '../../src/features/day-facts/fact-provider.ts'
import { changedTripQueue } from '../../src/features/trip-notifications/changed-trips.job.ts'
import { writtenTables } from '../../src/platform/db/written-tables.ts'
import { followUpsOf } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { singleClient, startCell, type TestCell } from '../harness/cell.ts'
import { makeEveryStatement } from '../harness/every-statement.ts'
import { makeTrip } from '../harness/filing.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'
import { writtenBy } from '../harness/written-tables.ts'

/** Before everything that is imported, since it notes what modules make. */
const watched = await vi.hoisted(() => {
  vi.resetModules()
  return import('../harness/watch-statements.ts')
})

/** The expected notes for any change of a row. */
const FOLLOWS: Record<string, readonly string[]> = {
  trips: ['facts', 'filing', 'schedule'],
  trip_days: ['facts'],
  trip_segments: ['facts', 'schedule'],
  trip_customers: ['filing'],
  trip_bookings: ['filing', 'schedule'],
}
const TABLES = Object.keys(FOLLOWS)
/** Columns that say nothing of the trip. */
const SILENT = ['trips.updated_at', 'trip_days.updated_at', 'trip_segments.updated_at', 'trip_days.found_place']

let cell: TestCell
let agency: Agency
let client: Client
let trip: string
beforeAll(async () => {
  await makeEveryStatement(watched)
  cell = await startCell()
  agency = await makeAgency(cell)
  client = new Client({ ...cell.connection, user: 'postgres' })
  await client.connect()
  await importRows(cell, agency.key, 'customers', [{ external_id: 'C', name: 'Ada' }])
  trip = await makeTrip(cell, agency, { start: '2031-06-10', end: '2031-06-12' })
  const stay = { external_id: 'H', customer_external_id: 'C', check_in_on: '2031-06-10', check_out_on: '2031-06-12' }
  const { rows } = await importRows(cell, agency.key, 'hotel_stays', [{ ...stay, status: 'confirmed' }])
  await sql('insert into trip_bookings (account_id, booking_id, trip_id) values ($1, $2, $3)', [
    agency.number,
    rows[0]?.id,
    trip,
  ])
  await sql(
    `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, position)
     select account_id, trip_id, id, 'flight', 1 from trip_days where trip_id = $1 and day_number = 1`,
    [trip],
  )
})
afterAll(() => client.end())
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)

/** Runs `fn` where only the triggers under test fire and any value is taken, and takes everything back. */
async function tried<T>(table: string, fn: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const { rows } = await client.query<{ conname: string }>(
      `select conname from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
      [table],
    )
    for (const { conname } of rows) await client.query(`alter table ${table} drop constraint ${conname}`)
    await client.query(`alter table ${table} disable trigger all; alter table trip_day_facts disable trigger all`)
    for (const on of ['inserted', 'updated', 'deleted'])
      await client.query(`alter table ${table} enable trigger note_${on}`)
    await processQueues()
    return await fn()
  } finally {
    await client.query('rollback')
  }
}
const processQueues = async () => {
  await client.query('delete from trip_refilings')
  await client.query('delete from trip_reschedulings')
  await client.query(`update trip_day_facts set next_attempt_at = 'infinity'`)
}
/** The requests noted for the trip. */
async function requested(): Promise<string[]> {
  const { rows } = await client.query<{ filing: boolean; schedule: boolean; facts: string[] }>(
    `select exists (select from trip_refilings where trip_id = $1) as filing,
       exists (select from trip_reschedulings where trip_id = $1) as schedule,
       array(select distinct kind from trip_day_facts f join trip_days d on d.id = f.trip_day_id
         where d.trip_id = $1 and next_attempt_at <= now() order by kind) as facts`,
    [trip],
  )
  const found = rows[0]
  const facts = found?.facts ?? []
  expect([[], FACT_KINDS.toSorted()]).toContainEqual(facts)
  return [
    ...(facts.length > 0 ? ['facts'] : []),
    ...(found?.filing ? ['filing'] : []),
    ...(found?.schedule ? ['schedule'] : []),
  ]
}

type Column = { readonly name: string; readonly type: string }
const columnsOf = async (table: string): Promise<Column[]> =>
  (
    await client.query<Column>(
      `select attname as name, atttypid::regtype::text as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname <> 'account_id'`,
      [table],
    )
  ).rows
/** SQL of another value of a column. */
const OTHER: Record<string, (column: string) => string> = {
  uuid: () => 'uuidv7()',
  text: (column) => `coalesce(${column}, '') || 'x'`,
  'text[]': (column) => `${column} || 'x'::text`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  numeric: (column) => `coalesce(${column}, 0) + 1`,
  boolean: (column) => `not coalesce(${column}, false)`,
  date: (column) => `coalesce(${column}, '2031-01-01') + 1`,
  'timestamp without time zone': (column) => `coalesce(${column}, '2031-01-01') + interval '1 hour'`,
  'timestamp with time zone': (column) => `coalesce(${column}, now()) + interval '1 hour'`,
  jsonb: (column) => `coalesce(${column}, '{}') || '{"other": 1}'`,
}
const whereOf = (table: string) => (table === 'trips' ? 'id = $1' : 'trip_id = $1')

describe('a change of a trip is noted for every writer', () => {
  it('in any column', async () => {
    const found: Record<string, string[]> = {}
    const expected: Record<string, readonly string[]> = {}
    for (const table of TABLES)
      for (const { name, type } of await columnsOf(table)) {
        const key = `${table}.${name}`
        if (key === 'trips.id') continue // a trip keeps it
        expected[key] = SILENT.includes(key) ? [] : (FOLLOWS[table] as string[])
        const other = OTHER[type]
        if (!other) throw new Error(`${key} is of the type ${type}: say how it changes.`)
        found[key] = await tried(table, async () => {
          const { rowCount } = await client.query(
            `update ${table} set ${name} = ${other(name)} where ${whereOf(table)} and ctid = (select min(ctid) from ${table} where ${whereOf(table)})`,
            [trip],
          )
          expect([key, rowCount]).toEqual([key, 1])
          return requested()
        })
      }
    expect(Object.keys(expected).length).toBeGreaterThan(60)
    expect(found).toEqual(expected)
  }, 120_000)

  it.each(TABLES)('when a row of %s is inserted or deleted, and not when it comes as it is', async (table) => {
    const columns = (await columnsOf(table)).map(({ name }) => name)
    const names = ['account_id', ...columns].join(', ')
    const found = await tried(table, async () => {
      const all = `${table} where ${whereOf(table)} and ctid = (select min(ctid) from ${table} where ${whereOf(table)})`
      await client.query(`create temporary table gone on commit drop as select ${names} from ${table} where false`)
      await client.query(`insert into gone select ${names} from ${all}`, [trip])
      await client.query(`delete from ${all}`, [trip])
      const deleted = await requested()
      await processQueues()
      await client.query(`set local app.as_it_is = 'on'`)
      await client.query(`insert into ${table} (${names}) select ${names} from gone`)
      await client.query(`set local app.as_it_is = ''`)
      const asItIs = await requested()
      const keys = table === 'trips' ? 'id = $1' : 'trip_id = $1'
      await client.query(`delete from ${table} where ${keys}`, [trip])
      await processQueues()
      await client.query(`insert into ${table} (${names}) select ${names} from gone`)
      return { deleted, asItIs, inserted: await requested() }
    })
    const follows = FOLLOWS[table]
    const ofDays = ['facts'] // they would go with their trip, if foreign keys were looked at
    expect(found).toEqual({ deleted: table === 'trips' ? ofDays : follows, asItIs: [], inserted: follows })
  })

  it('but not if nothing changes, nor for facts of days or filed bookings', async () => {
    const silent = {
      trips: `update trips set title = title, updated_at = now() where id = $1`,
      trip_days: `update trip_days set primary_location = 'Rome', found_place = '{"primary_location": "Rome", "latitude": null}' where trip_id = $1`,
    }
    for (const [table, text] of Object.entries(silent))
      expect(await tried(table, () => client.query(text, [trip]).then(requested))).toEqual([])
    const filed = await tried('trip_bookings', async () => {
      const { rows } = await client.query('delete from trip_bookings where trip_id = $1 returning *', [trip])
      await processQueues()
      await client.query(
        'insert into trip_bookings (account_id, booking_id, trip_id, by_hand) values ($1, $2, $3, false)',
        [rows[0].account_id, rows[0].booking_id, trip],
      )
      return requested()
    })
    expect(filed).toEqual(['schedule'])
  })

  it('once for a transaction, however many statements it has', async () => {
    const noted = await tried('trips', async () => {
      for (const title of ['A', 'B', 'C'])
        await client.query('update trips set title = $2 where id = $1', [trip, title])
      const { rows } = await client.query(
        `select (select count(*) from trip_refilings)::integer as filing, (select count(*) from trip_reschedulings)::integer as schedule`,
      )
      return rows
    })
    expect(noted).toEqual([{ filing: 1, schedule: 1 }])
  })
})

describe('the notifications of a changed trip', () => {
  const departure = async () =>
    (
      await sql<{ at: string }>(
        `select send_at::date::text as at from trip_notifications where trip_id = $1 and kind = 'bon_voyage'`,
        [trip],
      )
    ).map(({ at }) => at)
  it('are scheduled again by the queue, if no transaction of the program did', async () => {
    await sql(`update trips set start_date = '2031-06-09' where id = $1`, [trip])
    const failures: object[] = []
    const queue = changedTripQueue({ db: cell.deps.db, log: logTo(failures) })
    for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
    expect([await departure(), failures]).toEqual([['2031-06-09'], []])
    expect(await sql('select from trip_reschedulings')).toEqual([])
  })
})

describe('a transaction of the program', () => {
  it('knows of every table that a statement writes', async () => {
    const planned = await singleClient()
    const missed: string[] = []
    let seen = 0
    for (const [one, site] of watched.made) {
      const tables = await writtenBy(planned, one.text)
      seen += tables.filter((table) => TABLES.includes(table)).length
      for (const table of tables) if (!writtenTables(one).has(table)) missed.push(`${site} writes ${table}`)
    }
    await planned.end()
    expect(seen).toBeGreaterThan(25)
    expect(missed).toEqual([])
  }, 120_000)
  it('does before its commit what the triggers of these tables request', async () => {
    const { beforeCommit } = followUpsOf({ warn: () => {} })
    const { rows } = await client.query<{ name: string; follows: string }>(
      `select tgrelid::regclass::text as name, pg_get_triggerdef(oid) as follows from pg_trigger where tgname = 'note_updated'`,
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(TABLES.toSorted())
    const wakes = { filing: 'trip_customers', facts: 'trip_days', schedule: 'trip_reschedulings' }
    for (const [kind, mark] of Object.entries(wakes)) {
      const one = beforeCommit.find(({ tables }) => tables.includes(mark))
      const noted = rows.flatMap(({ name, follows }) => (follows.includes(`'${kind}'`) ? [name] : []))
      expect(one?.tables).toEqual(expect.arrayContaining(noted))
    }
  })
})
