import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepSchedules } from '../../src/features/trip-notifications/keep-schedules.job.ts'
import { notificationQueue } from '../../src/features/trip-notifications/notifications.job.ts'
import { PLAN } from '../../src/features/trip-notifications/plan.ts'
import { scheduleNotifications } from '../../src/features/trip-notifications/schedule-notifications.ts'
import type { Sender } from '../../src/features/trip-notifications/sender.ts'
import { openTrip } from '../../src/features/trips/commands/open-trip.ts'
import { TRIP_NOTIFICATION_KINDS } from '../../src/features/trips/reads/notification-kinds.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { updateAccountOf } from '../harness/settings.ts'
import { askPastWalls } from '../harness/sql.ts'
import { undeclared } from '../harness/undeclared.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

type Notification = {
  kind: string
  channel: string
  audience: string
  anchor: string
  offset_days: number
  send_at: string
  status: string
  skipped_reason: string | null
  sent_at: string | null
}

const LATER = '2031-05-20'
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
beforeEach(() => sql('delete from trip_notifications'))
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
const reschedule = (trip: string, of = agency) =>
  cell.deps.db.inAccount(of.number, async (tx) => scheduleNotifications(tx, [trip]))
async function makeTrip(start: string | null, end: string | null, of = agency): Promise<string> {
  const row = { external_id: crypto.randomUUID(), name: 'Ada' }
  const [customer] = (await importRows(cell, of.key, 'customers', [row])).rows
  return cell.deps.db.inAccount(of.number, (tx) =>
    openTrip(tx, {
      company: of.company.id,
      branch: null,
      customer: customer?.id as string,
      title: 'A trip',
      type: null,
      start,
      end,
      destinations: [],
      currency: 'EUR',
      advisor: null,
    }),
  )
}
/** Changes columns of a trip as a command does, and its schedule with them. */
async function change(trip: string, columns: Record<string, unknown>, of = agency): Promise<void> {
  const set = Object.keys(columns).map((column, at) => `${column} = $${at + 2}`)
  await sql(`update trips set ${set.join(', ')} where id = $1`, [trip, ...Object.values(columns)])
  await reschedule(trip, of)
}
const fly = (trip: string, status = 'confirmed') =>
  sql(
    `insert into trip_segments (account_id, trip_id, trip_day_id, segment_type, position, status)
     select account_id, trip_id, id, 'flight', 1, $2 from trip_days where trip_id = $1 and day_number = 1`,
    [trip, status],
  )
const listOf = async (trip: string, of = agency): Promise<Notification[]> =>
  ((await cell.call('GET', `/trips/${trip}/notifications`, { key: of.key })).body as { data: Notification[] }).data
const stateOf = async (trip: string, of = agency) =>
  Object.fromEntries((await listOf(trip, of)).map(({ kind, send_at, status }) => [kind, `${send_at} ${status}`]))
const agencyIn = async (zone: string) => {
  const made = await makeAgency(cell)
  await updateAccountOf(cell, made.number, { timeZone: zone })
  return made
}
const addDays = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString()
const PUBLISHED: ReadonlySet<string> = new Set(TRIP_NOTIFICATION_KINDS)
/** The messages of a trip that ended long ago, which are not in the list. */
const touchesOf = async (trip: string) =>
  (
    await sql<{ kind: string; status: string }>(
      `select kind, status from trip_notifications where trip_id = $1 and kind in ('rebook', 'anniversary') order by send_at`,
      [trip],
    )
  ).map(({ kind, status }) => `${kind} ${status}`)
/** A stay of the trip whose balance is due then. */
async function book(trip: string, balance: string | null): Promise<string> {
  const row = {
    external_id: crypto.randomUUID(),
    check_in_on: LATER,
    check_out_on: '2031-05-21',
    balance_due_on: balance,
  }
  const [stay] = (await importRows(cell, agency.key, 'hotel_stays', [row])).rows
  await sql('insert into trip_bookings (account_id, booking_id, trip_id) values ($1, $2, $3)', [
    agency.number,
    stay?.id,
    trip,
  ])
  return stay?.id as string
}

describe('the schedule', () => {
  it('has kind, time, recipient and day', async () => {
    const trip = await makeTrip(LATER, '2031-05-27')
    await fly(trip)
    await book(trip, '2031-04-15')
    await reschedule(trip)
    const rows = await listOf(trip)
    expect(rows.map(({ send_at, kind, anchor, offset_days }) => [send_at, kind, anchor, offset_days])).toEqual([
      ['2031-03-21T06:00:00.000000Z', 'passport_check', 'start_date', -60],
      ['2031-04-12T06:00:00.000000Z', 'payment_due', 'balance_due_on', -3],
      ['2031-04-20T06:00:00.000000Z', 'documents_due', 'start_date', -30],
      ['2031-05-13T06:00:00.000000Z', 'pre_departure', 'start_date', -7],
      ['2031-05-19T06:00:00.000000Z', 'online_check_in', 'start_date', -1],
      ['2031-05-20T06:00:00.000000Z', 'bon_voyage', 'start_date', 0],
      ['2031-05-29T06:00:00.000000Z', 'survey', 'end_date', 2],
      ['2031-05-29T06:00:00.000000Z', 'welcome_home', 'end_date', 2],
    ])
    for (const { kind, channel, status, sent_at, audience } of rows) {
      const planned = PLAN.find((one) => one.kind === kind)?.audience
      expect([channel, status, sent_at, audience]).toEqual(['email', 'scheduled', null, planned])
    }
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual([...TRIP_NOTIFICATION_KINDS].toSorted())
  })
  it.each([
    ['Europe/Berlin', '2031-03-31', '2031-03-30T07:00', '2031-03-31T07:00'], // summer time begins on the 30th
    ['Europe/Berlin', '2031-10-26', '2031-10-25T07:00', '2031-10-26T08:00'],
    ['America/New_York', '2031-03-09', '2031-03-08T14:00', '2031-03-09T13:00'],
    ['Pacific/Apia', '2031-01-01', '2030-12-30T20:00', '2030-12-31T20:00'],
    ['Asia/Kathmandu', '2032-03-01', '2032-02-29T03:15', '2032-03-01T03:15'],
  ])('is at nine on the clock of the account: %s, a trip from %s', async (zone, start, checkIn, bonVoyage) => {
    const of = await agencyIn(zone)
    const trip = await makeTrip(start, start, of)
    await fly(trip)
    await reschedule(trip, of)
    expect(await stateOf(trip, of)).toMatchObject({
      online_check_in: `${checkIn}:00.000000Z scheduled`,
      bon_voyage: `${bonVoyage}:00.000000Z scheduled`,
    })
  })
  it.each([
    ['Europe/Istanbul', '2031-05-27', '2031-11-23T06:00', '2032-05-27T06:00', 366],
    ['Europe/Istanbul', '2032-05-27', '2032-11-23T06:00', '2033-05-27T06:00', 365],
    ['Europe/Berlin', '2032-02-29', '2032-08-27T07:00', '2033-02-28T08:00', 365], // who comes home on a leap day
    ['Europe/Berlin', '2031-02-28', '2031-08-27T07:00', '2032-02-28T08:00', 365],
    ['Europe/Berlin', '2031-10-26', '2032-04-23T07:00', '2032-10-26T07:00', 366], // winter time begins, a year later on the 31st
    ['Pacific/Apia', '2031-01-01', '2031-06-29T20:00', '2031-12-31T20:00', 365],
  ])(
    'continues half a year and a year after the return, unpublished: %s, a trip to %s',
    async (zone, end, rebook, year, days) => {
      const of = await agencyIn(zone)
      const trip = await makeTrip(end, end, of)
      const touches = await sql<object>(
        `select kind, anchor, offset_days, status, audience, to_char(send_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as at
       from trip_notifications where trip_id = $1 and kind in ('rebook', 'anniversary') order by send_at`,
        [trip],
      )
      const touch = { anchor: 'end_date', status: 'scheduled', audience: 'traveler' }
      expect(touches).toEqual([
        { ...touch, kind: 'rebook', offset_days: 180, at: rebook },
        { ...touch, kind: 'anniversary', offset_days: days, at: year },
      ])
      expect((await listOf(trip, of)).filter(({ kind }) => !PUBLISHED.has(kind))).toEqual([])
      await change(trip, { notification_preferences: { anniversary: false } }, of)
      expect(await touchesOf(trip)).toEqual(['rebook scheduled', 'anniversary cancelled'])
      await change(trip, { end_date: addDays(end, 1), notification_preferences: { rebook: false } }, of)
      expect(await touchesOf(trip)).toEqual(['rebook cancelled', 'anniversary scheduled'])
      await change(trip, { status: 'cancelled' }, of)
      expect(await touchesOf(trip)).toEqual(['rebook cancelled', 'anniversary cancelled'])
    },
  )
  it('has no check-in without flights, no payment without a balance, and nothing without dates', async () => {
    const trip = await makeTrip(LATER, LATER)
    expect(Object.keys(await stateOf(trip)).toSorted()).toEqual(
      TRIP_NOTIFICATION_KINDS.filter((kind) => kind !== 'online_check_in' && kind !== 'payment_due').toSorted(),
    )
    await fly(trip, 'cancelled')
    await book(trip, null)
    await reschedule(trip)
    expect(Object.keys(await stateOf(trip))).not.toContain('online_check_in')
    expect(Object.keys(await stateOf(trip))).not.toContain('payment_due')
    expect(await listOf(await makeTrip(null, null))).toEqual([])
    const open = Object.keys(await stateOf(await makeTrip(LATER, null)))
    expect(open.toSorted()).toEqual(['bon_voyage', 'documents_due', 'passport_check', 'pre_departure'])
  })
  it('asks for the payment before the earliest balance of a booking that stands', async () => {
    const trip = await makeTrip(LATER, LATER)
    const [first] = [await book(trip, '2031-03-10'), await book(trip, '2031-03-20')]
    await reschedule(trip)
    expect((await stateOf(trip)).payment_due).toMatch(/^2031-03-07T06:00/)
    await sql(`update bookings set status = 'cancelled' where id = $1`, [first])
    await reschedule(trip)
    expect((await stateOf(trip)).payment_due).toMatch(/^2031-03-17T06:00.*scheduled$/)
    await sql('delete from trip_bookings where trip_id = $1', [trip])
    await reschedule(trip)
    expect((await stateOf(trip)).payment_due).toMatch(/cancelled$/)
  })
  it('follows the dates; sent and failed rows stay', async () => {
    const trip = await makeTrip(LATER, LATER)
    await sql(
      `update trip_notifications set status = case kind when 'passport_check' then 'sent' else 'failed' end
       where trip_id = $1 and kind in ('passport_check', 'documents_due')`,
      [trip],
    )
    const before = await stateOf(trip)
    await change(trip, { start_date: '2031-06-20', end_date: '2031-06-20' })
    expect(await stateOf(trip)).toMatchObject({
      passport_check: before.passport_check,
      documents_due: before.documents_due,
      pre_departure: '2031-06-13T06:00:00.000000Z scheduled',
      survey: '2031-06-22T06:00:00.000000Z scheduled',
    })
  })
  it('is called off with the trip or its dates, or for a kind that is switched off; and comes back', async () => {
    const trip = await makeTrip(LATER, LATER)
    const whole = await stateOf(trip)
    const off = Object.fromEntries(
      Object.entries(whole).map(([kind, state]) => [kind, state.replace('scheduled', 'cancelled')]),
    )
    const changes: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ status: 'cancelled' }, { status: 'confirmed' }],
      [
        { start_date: null, end_date: null },
        { start_date: LATER, end_date: LATER },
      ],
    ]
    for (const [gone, back] of changes) {
      await change(trip, gone)
      expect(await stateOf(trip)).toEqual(off)
      await change(trip, back)
      expect(await stateOf(trip)).toEqual(whole)
    }
    await change(trip, { notification_preferences: { survey: false, bon_voyage: true, nonsense: false } })
    expect(await stateOf(trip)).toEqual({ ...whole, survey: off.survey })
    await change(trip, { notification_preferences: {} })
    expect(await stateOf(trip)).toEqual(whole)
  })
  it('skips messages whose time has passed, and sends them if the trip is postponed', async () => {
    const [{ today } = { today: '' }] = await sql<{ today: string }>(
      `select (now() at time zone 'Europe/Istanbul')::date::text as today`,
    )
    const day = (days: number) => Temporal.PlainDate.from(today).add({ days }).toString()
    const trip = await makeTrip(day(5), day(9))
    const states = async () =>
      (await listOf(trip)).map(({ kind, status, skipped_reason }) => `${kind} ${status} ${skipped_reason}`)
    expect((await states()).slice(0, 4)).toEqual([
      'passport_check skipped past',
      'documents_due skipped past',
      'pre_departure skipped past',
      'bon_voyage scheduled null',
    ])
    await change(trip, { start_date: day(8), end_date: day(9) })
    expect((await states()).slice(0, 4)).toEqual([
      'passport_check skipped past',
      'documents_due skipped past',
      'pre_departure scheduled null',
      'bon_voyage scheduled null',
    ])
    await change(trip, { start_date: day(2), end_date: day(9) })
    expect((await states())[2]).toBe('pre_departure skipped past')
  })
  it('does not change when nothing does', async () => {
    const trip = await makeTrip(LATER, LATER)
    const rows = () => sql('select * from trip_notifications where trip_id = $1 order by id', [trip])
    const before = await rows()
    await sql(
      `update trip_notifications set next_attempt_at = now() + interval '1 minute', leased_by = gen_random_uuid() where trip_id = $1`,
      [trip],
    )
    const held = await rows()
    await reschedule(trip)
    await keepSchedules.run(cell.deps, GO_ON)
    expect([before.length, await rows()]).toEqual([8, held])
  })
  it('is the same after any changes as one that is made for the last of them', async () => {
    const day = fc.constantFrom(null, '2031-05-20', '2031-07-01', '2020-01-10')
    const step = fc.record({
      start_date: day,
      nights: fc.nat(20),
      status: fc.constantFrom('planning', 'confirmed', 'cancelled'),
      notification_preferences: fc.constantFrom({}, { survey: false }, { survey: true, bon_voyage: false }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const [changed, made] = [await makeTrip(null, null), await makeTrip(null, null)]
        const columns = steps.map(({ start_date, nights, ...rest }) => ({
          ...rest,
          start_date,
          end_date: start_date && Temporal.PlainDate.from(start_date).add({ days: nights }).toString(),
        }))
        for (const each of columns) await change(changed, each)
        await change(made, columns.at(-1) ?? {})
        const scheduled = async (trip: string) =>
          Object.entries(await stateOf(trip)).filter(([, state]) => state.endsWith('scheduled'))
        expect(await scheduled(changed)).toEqual(await scheduled(made))
      }),
      { numRuns: 25 },
    )
  })
  it('follows who changed the trip while it waited for him', async () => {
    const trip = await makeTrip(LATER, LATER)
    const move = undeclared<{ account: number; trip: string }, never>(
      `update trips set start_date = '2031-07-01', end_date = '2031-07-01' where account_id = $account and id = $trip`,
    )
    let others: Promise<void> | undefined
    await cell.deps.db.inAccount(agency.number, async (tx) => {
      await tx.all(move, { trip })
      scheduleNotifications(tx, [trip])
      others = reschedule(trip)
      await sleep(200)
    })
    await others
    expect((await stateOf(trip)).bon_voyage).toBe('2031-07-01T06:00:00.000000Z scheduled')
  })
  it('is created daily for trips without one, and follows the account’s time zone', async () => {
    const of = await agencyIn('Europe/Istanbul')
    const trips = await Promise.all(Array.from({ length: 3 }, () => makeTrip(LATER, LATER, of)))
    const before = await stateOf(trips[0] as string, of)
    await sql('delete from trip_notifications where trip_id <> $1', [trips[0]])
    await sql(`delete from trip_notifications where kind in ('rebook', 'survey')`)
    await keepSchedules.run(cell.deps, GO_ON)
    for (const trip of trips) expect(await stateOf(trip, of)).toEqual(before)
    await updateAccountOf(cell, of.number, { timeZone: 'Asia/Tokyo' })
    await keepSchedules.run(cell.deps, GO_ON)
    expect((await stateOf(trips[2] as string, of)).bon_voyage).toBe('2031-05-20T00:00:00.000000Z scheduled')
  })
})

describe('the schedule of a trip that is long over', () => {
  const ago = async (days: number) => {
    const [{ day } = { day: '' }] = await sql<{ day: string }>(
      `select ((now() at time zone 'Europe/Istanbul')::date - $1::integer)::text as day`,
      [days],
    )
    return day
  }
  it('is kept while messages are planned; past ones are never sent', async () => {
    const [month, season, gone] = await Promise.all([ago(30), ago(300), ago(400)])
    const trips = await Promise.all([month, season, gone].map((end) => makeTrip(end, end)))
    await sql('delete from trip_notifications')
    await keepSchedules.run(cell.deps, GO_ON)
    expect(await Promise.all(trips.map(touchesOf))).toEqual([
      ['rebook scheduled', 'anniversary scheduled'],
      ['rebook skipped', 'anniversary scheduled'],
      [],
    ])
    const wrong = await sql(
      `select from trip_notifications where (status = 'skipped') <> (created_at > send_at)
         or status = 'skipped' and skipped_reason <> 'past'`,
    )
    expect(wrong).toEqual([])
  })
})

describe('a due row', () => {
  it('is sent, and records the outcome; messages after a trip are not sent before its end', async () => {
    const skipping: Sender = async (_, due) => new Map(due.map(({ id }) => [id, { status: 'skipped', reason: 'why' }]))
    const trip = await makeTrip(LATER, LATER)
    await change(trip, { status: 'confirmed' })
    await sql(`update trip_notifications set next_attempt_at = now() where trip_id = $1`, [trip])
    const queue = notificationQueue({ db: cell.deps.db, log: logTo([]) }, skipping)
    for (let job = await queue.claim(); job; job = await queue.claim()) await job(GO_ON)
    expect((await listOf(trip)).map(({ kind, status, skipped_reason }) => [kind, status, skipped_reason])).toEqual([
      ['passport_check', 'skipped', 'why'],
      ['documents_due', 'skipped', 'why'],
      ['pre_departure', 'skipped', 'why'],
      ['bon_voyage', 'skipped', 'why'],
      ['survey', 'skipped', 'trip_not_completed'],
      ['welcome_home', 'skipped', 'trip_not_completed'],
    ])
  })
})
