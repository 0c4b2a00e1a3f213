import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { surveyReminderQueue } from '../../src/features/surveys/survey-reminders.job.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { isThorough } from '../harness/depth.ts'
import { startMortalWorker } from '../harness/mortal-worker.ts'
import { end } from '../harness/process.ts'
import { english } from '../harness/sample-trips.ts'
import { askPastWalls } from '../harness/sql.ts'
import { type Survey, surveysOf } from '../harness/surveys.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

let cell: TestCell
let agency: Agency
let failures: object[]
beforeAll(async () => {
  cell = await startCell({ publicUrl: 'https://desk.example', deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
beforeEach(async () => {
  failures = []
  await sql('delete from surveys')
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
const { invite, send } = surveysOf(() => cell)
const DUE = { reminder_due_at: new Date(Date.now() - 1000), next_attempt_at: new Date(Date.now() - 1000) }
const due = (of = agency, columns = {}) => invite(of, english, { columns: { ...DUE, ...columns } })
const queue = (db = cell.deps.db, leaseMs?: number) =>
  surveyReminderQueue({ ...cell.deps, db, log: logTo(failures) as never }, leaseMs)
const expireLeases = () => sql(`update surveys set next_attempt_at = now() where reminder_status = 'scheduled'`)
const remindAll = async () => {
  for (let job = await queue().claim(); job; job = await queue().claim()) await job(GO_ON)
}
const mailsOf = ({ trip }: Survey) =>
  sql<{ subject: string; body_plain: string }>('select subject, body_plain from communications where trip_id = $1', [
    trip,
  ])
const statusOf = async ({ id }: Survey) =>
  (await sql<{ reminder_status: string }>('select reminder_status from surveys where id = $1', [id]))[0]
    ?.reminder_status

describe('the reminder of a survey', () => {
  it('is sent once when it is due, with the link of the survey', async () => {
    const [survey, later] = [await due(), await invite(agency, english)]
    await remindAll()
    await expireLeases()
    await sql(`update surveys set next_attempt_at = now() + interval '1 day' where id = $1`, [later.id])
    await remindAll()
    expect(await mailsOf(survey)).toMatchObject([{ subject: 'Two minutes for A week in Rome and Florence?' }])
    expect((await mailsOf(survey))[0]?.body_plain).toContain(`https://desk.example${survey.path}\n`)
    expect([await statusOf(survey), await mailsOf(later), failures]).toEqual(['sent', [], []])
  })
  it('and a merge of its customer follow each other', async () => {
    const [survey, other] = [await due(), await invite(agency, english)]
    const held = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const { inAccount, ...rest } = cell.deps.db
    let turns = 0
    const pausing: typeof inAccount = (account, fn) =>
      inAccount(account, (tx) => {
        turns += 1
        const all: typeof tx.all = async (statement, input) => {
          const rows = await tx.all(statement, input)
          if (!statement.text.includes('leased_by = $')) return rows
          held.resolve()
          await goOn.promise
          return rows
        }
        return fn({ ...tx, all })
      })
    const reminding = (await queue({ ...rest, inAccount: pausing }).claim())?.(GO_ON)
    await held.promise
    const merging = cell.call('POST', `/customers/${survey.customer}/merge`, {
      key: agency.key,
      body: { into_id: other.customer },
    })
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await sql(waiting)).length === 0) await sleep(5)
    // The customer is not locked while the reminder waits.
    const free = 'select from customers where id = $1 for key share skip locked'
    expect(await sql(free, [survey.customer])).toHaveLength(1)
    goOn.resolve()
    await reminding
    expect([(await merging).status, turns, await statusOf(survey)]).toEqual([200, 1, 'sent'])
    expect(await mailsOf(survey)).toHaveLength(1)
  })
  it.each<[string, (survey: Survey) => Promise<unknown>]>([
    [
      'the trip’s surveys are switched off',
      ({ trip }) => sql(`update trips set notification_preferences = '{"survey": false}' where id = $1`, [trip]),
    ],
    ['the trip is cancelled', ({ trip }) => sql(`update trips set status = 'cancelled' where id = $1`, [trip])],
    [
      'the customer has no address any more',
      ({ customer }) => sql('update customers set email = null where id = $1', [customer]),
    ],
    [
      'the customer is deleted',
      ({ customer }) => sql('update customers set deleted_at = now() where id = $1', [customer]),
    ],
    [
      'it comes two weeks late',
      ({ id }) => sql(`update surveys set reminder_due_at = now() - interval '14 days' where id = $1`, [id]),
    ],
  ])('is skipped where %s', async (_, happens) => {
    const survey = await due()
    await happens(survey)
    await remindAll()
    expect([await statusOf(survey), await mailsOf(survey)]).toEqual(['skipped', []])
  })
  it('is skipped where the account is closed', async () => {
    const closed = await makeAgency(cell)
    const survey = await due(closed)
    await sql(`update accounts set status = 'closed' where account_id = $1`, [closed.number])
    await remindAll()
    expect([await statusOf(survey), await mailsOf(survey)]).toEqual(['skipped', []])
  })
  it('is not sent to customers who have answered, before or after it was claimed', async () => {
    const [before, after] = [await due(), await due()]
    await send(before.path, { likelihood: '9' })
    const job = await queue().claim()
    await send(after.path, { likelihood: '9' })
    await job?.(GO_ON)
    await expireLeases()
    await remindAll()
    for (const survey of [before, after])
      expect([await statusOf(survey), await mailsOf(survey)]).toEqual(['skipped', []])
  })
  it('is sent by another worker after a crash, and not by the crashed one when it returns', async () => {
    const survey = await due()
    const dead = await queue().claim()
    expect(await queue().claim()).toBeNull()
    await expireLeases()
    const next = await queue().claim()
    await dead?.(GO_ON)
    expect(await mailsOf(survey)).toEqual([])
    await next?.(GO_ON)
    await dead?.(GO_ON)
    await remindAll()
    expect(await mailsOf(survey)).toHaveLength(1)
  })
  it('of one account that fails leaves the others theirs, and comes later', async () => {
    const broken = await makeAgency(cell)
    const [theirs, ours] = [await due(broken), await due()]
    const { inAccount, ...rest } = cell.deps.db
    const failing = {
      ...rest,
      inAccount: ((account, fn) =>
        account === broken.number ? Promise.reject(new Error('no')) : inAccount(account, fn)) as typeof inAccount,
    }
    await (await queue(failing).claim())?.(GO_ON)
    expect([(await mailsOf(theirs)).length, (await mailsOf(ours)).length]).toEqual([0, 1])
    expect(failures).toEqual([{ err: new Error('no'), account: broken.number }])
    await expireLeases()
    await remindAll()
    expect(await mailsOf(theirs)).toHaveLength(1)
  })
})

describe('however many workers there are', () => {
  /** Surveys whose reminders are due, made at once. */
  const makeMany = (of: Agency, surveys: number) =>
    sql(
      `with trip as (
         insert into trips (account_id, company_id, reference_number, title, status, start_date, end_date, settings)
         select $1, $2, 'M-' || gen_random_uuid(), 'A trip', 'confirmed', '2026-01-02', '2026-01-05', '{}' from generate_series(1, $3)
         returning account_id, id, company_id),
       customer as (
         insert into customers (account_id, id, company_id, name, email, changed)
         select account_id, id, company_id, 'Ada', 'ada@example.com', 1 from trip returning account_id, id)
       insert into surveys (account_id, trip_id, customer_id, reminder_due_at, next_attempt_at)
       select t.account_id, t.id, c.id, now(), now() from trip t join customer c on c.id = t.id`,
      [of.number, of.company.id, surveys],
    )
  const counts = async (of: Agency) =>
    (
      await sql(
        `select count(*)::integer as surveys, count(*) filter (where reminder_status = 'sent')::integer as reminded,
           (select count(*)::integer from communications where account_id = $1) as mails,
           (select count(distinct trip_id)::integer from communications where account_id = $1) as trips,
           (select count(*)::integer from message_sends where account_id = $1) as sends
         from surveys where account_id = $1`,
        [of.number],
      )
    )[0]
  const left = async () => (await sql(`select from surveys where reminder_status = 'scheduled'`)).length

  it('each is sent exactly once', async () => {
    const of = await makeAgency(cell)
    await makeMany(of, 450)
    const second = openDatabase(cell.connection, 4, () => {})
    onTestFinished(() => second.close())
    const log = logTo(failures)
    const stops = [cell.deps.db, second].map((db) => startWorkers({ db, log }, { ...queue(db), atOnce: 2, pollMs: 20 }))
    while ((await left()) > 0) await sleep(20)
    await Promise.all(stops.map((stop) => stop()))
    expect([await counts(of), failures]).toEqual([
      { surveys: 450, reminded: 450, mails: 450, trips: 450, sends: 450 },
      [],
    ])
  })
  it.runIf(isThorough)('each is sent exactly once by killed processes', { timeout: 60_000 }, async () => {
    const of = await makeAgency(cell)
    const many = 3_000
    await makeMany(of, many)
    await sql('update accounts set daily_messages = 1000000 where account_id = $1', [of.number])
    let midway = 0
    for (let kill = 0; kill < 2; kill++) {
      const before = await left()
      const worker = await startMortalWorker(cell)
      while ((await left()) === before) await sleep(2)
      await worker.kill()
      if ((await left()) > 0) midway++
      await expireLeases()
    }
    expect(midway).toBeGreaterThan(0) // or the kills had proved nothing
    const { child } = await startMortalWorker(cell)
    while ((await left()) > 0) await sleep(20)
    expect(await end(child, 'SIGTERM')).toBe(0)
    const { surveys, reminded, mails, trips } = (await counts(of)) as Record<string, number>
    expect({ surveys, reminded, mails, trips }).toEqual({ surveys: many, reminded: many, mails: many, trips: many })
  })
})
