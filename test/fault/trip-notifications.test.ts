import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { notify } from '../../src/features/notifications/commands/notify.ts'
import { notificationQueue } from '../../src/features/trip-notifications/notifications.job.ts'
import { scheduleNotifications } from '../../src/features/trip-notifications/schedule-notifications.ts'
import { sendDueNotifications } from '../../src/features/trip-notifications/send-due-notifications.ts'
import type { Sender } from '../../src/features/trip-notifications/sender.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { askPastWalls } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

let cell: TestCell
let agency: Agency
let failures: object[]
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
beforeEach(async () => {
  failures = []
  await sql('delete from trip_notifications')
  await sql('delete from notifications')
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)

/** Creates a message to the owner for each, so that the test sees what was sent. */
const sendBy =
  (of: Agency): Sender =>
  async (tx, due) => {
    const messages = due.map(({ id, kind }) => ({
      seat: of.owner.id,
      kind: 'message_failed' as const,
      title: kind,
      body: null,
      priority: 'normal' as const,
      subjectType: 'Trip',
      subjectId: id,
      subjectLabel: kind,
    }))
    notify(tx, ...messages)
    return new Map(due.map(({ id }) => [id, { status: 'sent', communication: null }]))
  }
/** Trips of which something is due now. */
const makeDue = (trips: number, of = agency, status = 'confirmed') =>
  sql(
    `with trip as (
       insert into trips (account_id, company_id, reference_number, title, status, start_date, end_date, settings)
       select $1, $2, 'T-' || gen_random_uuid(), 'A trip', $4, '2031-05-20', '2031-05-20', '{}' from generate_series(1, $3) returning account_id, id
     )
     insert into trip_notifications (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, next_attempt_at)
     select account_id, id, 'bon_voyage', 'email', 'traveler', 'start_date', 0, now(), now() from trip`,
    [of.number, of.company.id, trips, status],
  )
const queue = (sender: Sender, db = cell.deps.db) => notificationQueue({ db, log: logTo(failures) }, sender)
const expireLeases = () => sql(`update trip_notifications set next_attempt_at = now() where status = 'scheduled'`)
const sentMessages = async () =>
  (await sql<{ subject_id: string }>('select subject_id from notifications')).map((row) => row.subject_id)
const rows = () =>
  sql<{ id: string; status: string; skipped_reason: string | null; sent: boolean }>(
    'select id, status, skipped_reason, sent_at is not null as sent from trip_notifications order by id',
  )
const statuses = async () => [...new Set((await rows()).map(({ status }) => status))]

describe('a notification', () => {
  it('is sent exactly once by any number of workers', async () => {
    const others = await Promise.all(Array.from({ length: 2 }, () => makeAgency(cell)))
    for (const of of [agency, ...others]) await makeDue(300, of)
    const sender: Sender = (tx, due) =>
      sendBy([agency, ...others].find(({ number }) => number === tx.account) as Agency)(tx, due)
    const second = openDatabase(cell.connection, 4, () => {})
    onTestFinished(() => second.close())
    const log = logTo(failures)
    const stops = [cell.deps.db, second, cell.deps.db].map((db) =>
      startWorkers({ db, log }, { ...queue(sender, db), atOnce: 2, pollMs: 50 }),
    )
    while ((await statuses()).includes('scheduled')) await sleep(20)
    await Promise.all(stops.map((stop) => stop()))
    const ids = (await rows()).map(({ id }) => id)
    expect([(await sentMessages()).toSorted(), await statuses(), failures]).toEqual([ids, ['sent'], []])
    expect(ids).toHaveLength(900)
  })
  it('is sent by another worker after a crash, and not by the crashed one when it returns', async () => {
    await makeDue(1)
    const dead = await queue(sendBy(agency)).claim()
    expect(await queue(sendBy(agency)).claim()).toBeNull()
    await expireLeases()
    const next = await queue(sendBy(agency)).claim()
    await dead?.(GO_ON)
    expect(await sentMessages()).toEqual([])
    await next?.(GO_ON)
    await dead?.(GO_ON)
    await expireLeases()
    expect([(await sentMessages()).length, await queue(sendBy(agency)).claim(), (await rows())[0]?.sent]).toEqual([
      1,
      null,
      true,
    ])
  })
  it('leaves neither message nor mark if its transaction is rolled back, and is sent later', async () => {
    await makeDue(3)
    const dying: Sender = async (tx, due) => {
      await sendBy(agency)(tx, due)
      throw new Error('the process dies here')
    }
    await (await queue(dying).claim())?.(GO_ON)
    expect([await sentMessages(), await statuses(), failures]).toMatchObject([
      [],
      ['scheduled'],
      [{ account: agency.number }],
    ])
    await expireLeases()
    await (await queue(sendBy(agency)).claim())?.(GO_ON)
    expect([(await sentMessages()).length, await statuses()]).toEqual([3, ['sent']])
  })
  it('is not sent if the trip was moved or cancelled after the claim', async () => {
    await makeDue(2)
    const job = await queue(sendBy(agency)).claim()
    const trips = await sql<{ id: string }>(
      'select id from trips where id in (select trip_id from trip_notifications) order by id',
    )
    await sql(`update trips set start_date = '2031-06-20', end_date = '2031-06-20' where id = $1`, [trips[0]?.id])
    await sql(`update trips set status = 'cancelled' where id = $1`, [trips[1]?.id])
    const ids = trips.map(({ id }) => id)
    await cell.deps.db.inAccount(agency.number, async (tx) => scheduleNotifications(tx, ids))
    await job?.(GO_ON)
    expect(await sentMessages()).toEqual([])
    const moved = await sql(
      `select n.status from trip_notifications n where n.kind = 'bon_voyage' and n.trip_id = any($1) order by n.trip_id`,
      [ids],
    )
    expect(moved).toEqual([{ status: 'scheduled' }, { status: 'cancelled' }])
  })
  it('is skipped where the trip is not confirmed, or the account is closed', async () => {
    const closed = await makeAgency(cell)
    await makeDue(1, agency, 'planning')
    await makeDue(1, closed)
    await sql(`update accounts set status = 'closed' where account_id = $1`, [closed.number])
    await (await queue(sendBy(agency)).claim())?.(GO_ON)
    const reasons = (await rows()).map(({ status, skipped_reason }) => `${status} ${skipped_reason}`)
    expect([reasons.toSorted(), await sentMessages()]).toEqual([
      ['skipped account_closed', 'skipped trip_not_confirmed'],
      [],
    ])
  })
  it.each([
    ['bon_voyage', 0, 23, 'sent null'],
    ['online_check_in', -1, 24, 'skipped past'],
    ['pre_departure', -7, 24, 'skipped past'],
    ['payment_due', -3, 71, 'sent null'],
    ['payment_due', -3, 72, 'skipped past'],
    ['documents_due', -30, 72, 'sent null'],
    ['documents_due', -30, 30 * 24, 'skipped past'],
    ['passport_check', -60, 60 * 24 - 1, 'sent null'],
    ['welcome_home', 2, 5 * 24 - 1, 'sent null'],
    ['welcome_home', 2, 5 * 24, 'skipped past'],
    ['survey', 2, 14 * 24 - 1, 'sent null'],
    ['survey', 2, 14 * 24, 'skipped past'],
    ['anniversary', 365, 7 * 24 - 1, 'sent null'],
    ['anniversary', 366, 7 * 24, 'skipped past'],
    ['rebook', 180, 30 * 24 - 1, 'sent null'],
    ['rebook', 180, 30 * 24, 'skipped past'],
  ])('of %s, %i days, that comes %i hours late since nothing was sent: %s', async (kind, offset, hours, expected) => {
    await makeDue(1)
    await sql(`update trip_notifications set kind = $1, offset_days = $2, send_at = now() - $3 * interval '1 hour'`, [
      kind,
      offset,
      hours,
    ])
    await (await queue(sendBy(agency)).claim())?.(GO_ON)
    expect((await rows()).map(({ status, skipped_reason }) => `${status} ${skipped_reason}`)).toEqual([expected])
  })
  it('of one account that fails leaves the others theirs', async () => {
    const broken = await makeAgency(cell)
    await makeDue(1, broken)
    await makeDue(1)
    const sender: Sender = (tx, due) =>
      tx.account === broken.number ? Promise.reject(new Error('no')) : sendBy(agency)(tx, due)
    await (await queue(sender).claim())?.(GO_ON)
    expect([(await statuses()).toSorted(), failures]).toEqual([
      ['scheduled', 'sent'],
      [{ err: new Error('no'), account: broken.number }],
    ])
  })
})

describe('a mail', () => {
  it('is queued exactly once for each, by several workers that die in the middle of what they do', async () => {
    const agencies = await Promise.all(Array.from({ length: 2 }, () => makeAgency(cell)))
    for (const of of agencies) await makeDue(120, of)
    await sql(`
      with customer as (
        insert into customers (account_id, company_id, name, email, changed)
        select account_id, company_id, 'Ada', reference_number || '@example.com', 1 from trips where title = 'A trip' and account_id = any('{${agencies.map(({ number }) => number)}}')
        returning account_id, id, email)
      insert into trip_customers (account_id, trip_id, customer_id, is_primary)
      select t.account_id, t.id, c.id, true from customer c join trips t on t.account_id = c.account_id and t.reference_number || '@example.com' = c.email`)
    const second = openDatabase(cell.connection, 4, () => {})
    onTestFinished(() => second.close())
    let turn = 0
    const dying: Sender = async (tx, due) => {
      const outcomes = await sendDueNotifications(cell.deps)(tx, due)
      turn += 1
      if (turn % 3 === 1) throw new Error('the process dies here')
      return outcomes
    }
    const stops = [cell.deps.db, second].map((db) =>
      startWorkers(
        { db, log: logTo([]) },
        { ...notificationQueue({ db, log: logTo(failures) }, dying, 100), atOnce: 2, pollMs: 20 },
      ),
    )
    while ((await statuses()).includes('scheduled')) await sleep(20)
    await Promise.all(stops.map((stop) => stop()))
    expect(failures.length).toBeGreaterThan(0)
    const [count] = await sql(
      `select count(*)::integer as notifications, count(distinct n.communication_id)::integer as communications,
         (select count(*)::integer from communications where account_id = any($1)) as kept,
         (select count(*)::integer from message_sends where account_id = any($1)) as sends,
         (select sum(messages)::integer from message_days where account_id = any($1)) as counted
       from trip_notifications n where n.account_id = any($1) and n.status = 'sent'`,
      [agencies.map(({ number }) => number)],
    )
    expect(count).toEqual({ notifications: 240, communications: 240, kept: 240, sends: 240, counted: 240 })
  })
  it('that advertises is queued once a day for a customer, by however many workers', async () => {
    const of = await makeAgency(cell)
    await makeDue(200, of)
    await sql(`update trips set start_date = '2026-01-02', end_date = '2026-01-05' where account_id = $1`, [of.number])
    await sql(`update trip_notifications set kind = 'anniversary', anchor = 'end_date'`)
    await sql(
      `with customer as (
         insert into customers (account_id, company_id, name, email, opted_in_marketing, changed)
         select $1, $2, 'Ada', n || '@example.com', true, 1 from generate_series(1, 10) n returning id)
       insert into trip_customers (account_id, trip_id, customer_id, is_primary)
       select $1, t.id, c.id, true
       from (select id, row_number() over (order by id) % 10 as nth from trips where account_id = $1) t
         join (select id, row_number() over (order by id) % 10 as nth from customer) c using (nth)`,
      [of.number, of.company.id],
    )
    const second = openDatabase(cell.connection, 4, () => {})
    onTestFinished(() => second.close())
    const jobs = [
      await queue(sendDueNotifications(cell.deps)).claim(),
      await queue(sendDueNotifications(cell.deps), second).claim(),
    ]
    await Promise.all(jobs.map((job) => job?.(GO_ON)))
    const reasons = (await rows()).map(({ status, skipped_reason }) => skipped_reason ?? status)
    expect(reasons.toSorted()).toEqual([...Array(10).fill('sent'), ...Array(190).fill('touched_today')])
    const messages = await sql('select customer_id from communications where account_id = $1', [of.number])
    expect(messages).toHaveLength(10)
  })
})
