import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { filingQueue } from '../../src/features/filing/filing.job.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { importRows } from '../harness/agency.ts'
import { fileAll, leg, withFiling } from '../harness/filing.ts'
import { logTo } from '../harness/worker.ts'

const { the, newAgency, sql, trip } = withFiling()

/** Of the trips A, B and C, the last two share days. */
const TRIPS = {
  A: ['2031-06-10', '2031-06-20'],
  B: ['2031-07-01', '2031-07-10'],
  C: ['2031-07-08', '2031-07-15'],
} as const
const day = fc
  .constantFrom('06-09', '06-10', '06-12', '06-20', '07-01', '07-08', '07-09', '07-12', '07-15', '08-01')
  .map((date) => `2031-${date}`)
const airports = fc.constantFrom('IST', 'LHR', 'ESB', 'ZZZ')
const external_id = fc.integer({ min: 1, max: 4 }).map(String)
const stays = fc.record({
  entity: fc.constant('hotel_stays'),
  row: fc.record({
    external_id,
    check_in_on: day,
    check_out_on: day,
    status: fc.constantFrom('draft', 'option', 'confirmed', 'cancelled'),
    rooms: fc.constantFrom([], [{ name: 'Sea view' }]),
  }),
})
const sales = fc.record({
  entity: fc.constant('tickets'),
  row: fc.record({
    external_id,
    status: fc.constantFrom('draft', 'option', 'issued', 'void', 'cancelled'),
    legs: fc.array(
      fc
        .tuple(airports, airports, day, fc.integer({ min: 10, max: 20 }))
        .map(([from, to, on, hour]) => leg(from, to, `${on}T${hour}:00`, `${on}T${hour + 2}:30`)),
      { maxLength: 3 },
    ),
    passengers: fc.constant([{ first_name: 'Ayşe', last_name: 'Yılmaz', base_fare: '240.00' }]),
  }),
})
const writes = fc.oneof(stays, sales)
const action = fc.oneof(
  { weight: 6, arbitrary: writes.map((write) => ({ kind: 'write' as const, write })) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('run' as const), most: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('two' as const), ms: fc.integer({ min: 0, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), external_id }) },
)

/** Where the account's bookings are, as the tables say: the trips that have their days, where they can be filed. */
const whereabouts = (account: number) =>
  sql<{ id: string; fits: string[] }>(
    `with at as (
       select b.id, h.check_in_on as first, h.check_out_on as last, b.customer_id, b.deleted_at from bookings b join hotel_stays h using (account_id, id) where account_id = $1
       union all
       select b.id, min(left(l ->> 'scheduled_departure', 10))::date, max(left(l ->> 'scheduled_departure', 10))::date, b.customer_id, b.deleted_at
       from bookings b join tickets t using (account_id, id) cross join jsonb_array_elements(t.legs) l where account_id = $1 group by b.account_id, b.id
     )
     select at.id, array_agg(t.id) as fits from at join trips t on t.account_id = $1 and t.start_date <= at.first and t.end_date >= at.last
     where at.deleted_at is null group by at.id`,
    [account],
  )
const filed = (account: number) =>
  sql<{ booking_id: string; trip_id: string }>(
    'select booking_id, trip_id from trip_bookings where account_id = $1 order by booking_id',
    [account],
  )
/** Segments by their visible attributes, without deleted ones. */
const living = (account: number) =>
  sql(
    `select s.booking_id, s.piece, s.trip_id, d.date::text, to_jsonb(s) - 'id' - 'trip_day_id' - 'position' - 'created_at' - 'updated_at' as segment
     from trip_segments s join trip_days d on d.account_id = s.account_id and d.id = s.trip_day_id
     where s.account_id = $1 and s.status <> 'cancelled' order by s.booking_id, s.piece`,
    [account],
  )
/** Segments placed before one that begins earlier on the same day; those without a time come last. */
const outOfOrder = (account: number) =>
  sql(
    `select one.piece, other.piece from trip_segments one join trip_segments other using (account_id, trip_day_id)
     where account_id = $1 and one.segment_type = 'flight' and one.start_time > other.start_time and other.segment_type = 'flight'
       and one.position <= other.position`,
    [account],
  )
const livingOfDead = (account: number) =>
  sql(
    `select from trip_segments s join bookings b on b.account_id = s.account_id and b.id = s.booking_id
     where s.account_id = $1 and s.status <> 'cancelled' and (b.deleted_at is not null or b.status in ('cancelled', 'void'))`,
    [account],
  )

async function twoWorkers(ms: number): Promise<void> {
  const failures: object[] = []
  const { db } = the.cell.deps
  const log = logTo(failures)
  const stops = [1, 2].map((most) => startWorkers({ db, log }, filingQueue({ db, log }, { most })))
  await sleep(ms)
  await Promise.all(stops.map((stop) => stop()))
  expect(failures).toEqual([])
}

it('whenever they are filed, by however many, bookings come to the same', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (deeds) => {
      the.agency = await newAgency()
      const { number, key } = the.agency
      for (const [start, end] of Object.values(TRIPS)) await trip(start, end)
      const expected = new Map<string, string>()
      const run = async (most?: number) => {
        await fileAll(the.cell, most ? { most } : {})
        for (const { id, fits } of await whereabouts(number))
          if (fits.length === 1 && !expected.has(id)) expected.set(id, fits[0] as string)
      }
      for (const one of deeds) {
        if (one.kind === 'write') {
          const row = { ...one.write.row, customer_external_id: 'C', currency: 'EUR' }
          await importRows(the.cell, key, one.write.entity, [row], { on_conflict: 'update' })
        } else if (one.kind === 'run') await run(one.most)
        else if (one.kind === 'delete')
          await sql(
            'update bookings set deleted_at = now() where account_id = $1 and external_id = $2 and deleted_at is null',
            [number, one.external_id],
          )
        else {
          await twoWorkers(one.ms)
          await run()
        }
      }
      await run()
      expect(new Map((await filed(number)).map(({ booking_id, trip_id }) => [booking_id, trip_id]))).toEqual(expected)
      expect([await outOfOrder(number), await livingOfDead(number)]).toEqual([[], []])
      const before = await living(number)
      await sql('delete from trip_segments where account_id = $1', [number])
      await sql('update trip_filings set changed = 0 where account_id = $1', [number])
      await fileAll(the.cell)
      expect(await living(number)).toEqual(before)
      expect((await filed(number)).length).toBe(expected.size)
    }),
    { numRuns: 20 },
  )
})
