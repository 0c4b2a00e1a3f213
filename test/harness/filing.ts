import { beforeEach } from 'vitest'
import { filingQueue } from '../../src/features/filing/filing.job.ts'
import { openTrip } from '../../src/features/trips/commands/open-trip.ts'
import { type Agency, importRows } from './agency.ts'
import type { TestCell } from './cell.ts'
import { type Row, withRecords } from './records.ts'
import { ask, askPastWalls } from './sql.ts'
import { GO_ON } from './worker.ts'

/** What filing complains of fails the test. */
const strict = {
  error: ({ err }: object & { err?: unknown }) => {
    throw err
  },
}

/** Files all bookings of a cell, to the end. */
export async function fileAll(
  { deps: { db } }: TestCell,
  options: Parameters<typeof filingQueue>[1] = {},
): Promise<void> {
  const queue = filingQueue({ db, log: strict }, options)
  for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
}

/** Makes a trip of the customer with this external id. Answers its id. */
export async function makeTrip(
  cell: TestCell,
  agency: Agency,
  dates: { readonly start: string | null; readonly end: string | null },
  customer = 'C',
): Promise<string> {
  const [found] = await ask<{ id: string }>(
    cell,
    'select id from customers where account_id = $1 and external_id = $2 and deleted_at is null',
    [agency.number, customer],
  )
  if (!found) throw new Error(`There is no customer ${customer}.`)
  return cell.deps.db.inAccount(agency.number, (tx) =>
    openTrip(tx, {
      company: agency.company.id,
      branch: null,
      customer: found.id,
      title: null,
      type: null,
      destinations: ['Bodrum'],
      currency: 'EUR',
      advisor: null,
      ...dates,
    }),
  )
}

export type Segment = Record<string, string | number | boolean | null> & { readonly id: string; readonly date: string }
/** The segments of a trip in the order in which they are shown. */
export const segmentsOf = (cell: TestCell, trip: string): Promise<Segment[]> =>
  ask<Segment>(
    cell,
    `select s.*, d.date::text, to_char(s.start_time, 'YYYY-MM-DD"T"HH24:MI') as start_time, to_char(s.end_time, 'YYYY-MM-DD"T"HH24:MI') as end_time,
       s.updated_at::text
     from trip_segments s join trip_days d on d.account_id = s.account_id and d.id = s.trip_day_id
     where s.trip_id = $1 order by d.position, s.position, s.id`,
    [trip],
  )

/** A flight of a ticket sale, by the clocks of its airports. */
export const leg = (from: string, to: string, departure: string | null, arrival: string | null, more: object = {}) => ({
  airline_code: 'TK',
  flight_number: '1985',
  departure_airport: from,
  arrival_airport: to,
  scheduled_departure: departure,
  scheduled_arrival: arrival,
  ...more,
})
/** To London and back. */
export const THERE = leg('IST', 'LHR', '2031-06-12T15:10', '2031-06-12T17:15')
const BACK = leg('LHR', 'IST', '2031-06-19T11:35', '2031-06-19T17:30', { flight_number: '1972' })

/**
 * For a test file: a cell whose agency is a new one in each test, with the customer `C`; and short words for its
 * bookings and trips, and what filing makes of them.
 */
export function withFiling() {
  const { the, newAgency } = withRecords()
  beforeEach(async () => {
    the.agency = await newAgency()
  })
  /** As a superuser, past the walls. */
  const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(the.cell, text, values)
  const book = async (entity: string, row: object): Promise<string> => {
    const { rows } = await importRows(the.cell, the.agency.key, entity, [row], { on_conflict: 'update' })
    if (rows[0]?.errors.length !== 0) throw new Error(JSON.stringify(rows))
    return rows[0]?.id as string
  }
  const stay = (row: Partial<Row> = {}) =>
    book('hotel_stays', {
      external_id: 'H',
      customer_external_id: 'C',
      supplier_external_id: 'S',
      check_in_on: '2031-06-12',
      check_out_on: '2031-06-15',
      status: 'confirmed',
      currency: 'EUR',
      ...row,
    })
  const ticket = (row: object = {}) =>
    book('tickets', {
      external_id: 'T',
      customer_external_id: 'C',
      status: 'issued',
      currency: 'EUR',
      legs: [THERE, BACK],
      passengers: [{ first_name: 'Ayşe', last_name: 'Yılmaz', base_fare: '240.00', commission_amount: '7.20' }],
      ...row,
    })
  const trip = (start: string | null, end: string | null, customer?: string) =>
    makeTrip(the.cell, the.agency, { start, end }, customer)
  const file = () => fileAll(the.cell)
  const shown = async (id: string) =>
    (await segmentsOf(the.cell, id)).map(({ date, segment_type, status, title }) => [date, segment_type, status, title])
  const only = async (id: string): Promise<Segment> => {
    const [one, ...others] = await segmentsOf(the.cell, id)
    if (others.length > 0) throw new Error('There are others.')
    return one as Segment
  }
  const tripOf = async (booking: string) =>
    (await sql<{ trip_id: string | null }>('select trip_id from trip_bookings where booking_id = $1', [booking]))[0]
      ?.trip_id
  const news = async () =>
    (
      await sql<{ title: string }>(
        `select title from notifications where account_id = $1 and kind = 'booking_unfiled' order by created_at, id`,
        [the.agency.number],
      )
    ).map(({ title }) => title)
  /** Everything that filing writes, and what it must not write. */
  const everything = async () => {
    const tables = {
      trip_segments: 'id',
      trip_days: 'id',
      trip_bookings: 'booking_id',
      trips: 'id',
      bookings: 'id',
      unfiled_bookings: 'booking_id',
      notifications: 'id',
      trip_notifications: 'id',
      change_counters: 'account_id',
    }
    return Promise.all(
      Object.entries(tables).map(([table, key]) =>
        sql(`select to_jsonb(t) as row from ${table} t where account_id = $1 order by ${key}`, [the.agency.number]),
      ),
    )
  }
  /** Has everything looked at once more. */
  const again = async () => {
    await sql('update trip_filings set changed = 0 where account_id = $1', [the.agency.number])
    await file()
  }

  const refile = (id: string) => sql('select refile_bookings($1, array[$2]::uuid[])', [the.agency.number, id])
  return { the, newAgency, sql, book, stay, ticket, trip, file, shown, only, tripOf, news, everything, again, refile }
}
