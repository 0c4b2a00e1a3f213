import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fireReminders, reminderQueue } from '../../src/features/tasks/reminders.job.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { cloneDatabase, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { byDepth } from '../harness/depth.ts'
import { startMortalWorker } from '../harness/mortal-worker.ts'
import { askPastWalls, dawdle } from '../harness/sql.ts'
import { GO_ON, logTo } from '../harness/worker.ts'

type Task = { id: string }
type Reminder = { minutes: number; ahead: boolean; fired: boolean; in_step: boolean }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
/** As a superuser, past the walls. */
const sql = <R = unknown>(text: string, values: unknown[] = []): Promise<R[]> => askPastWalls(cell, text, values)
const send = async (method: string, path: string, task?: object, of = agency) =>
  ((await cell.call(method, path, { key: of.key, ...(task && { body: { task } }) })).body as { data: Task } | undefined)
    ?.data as Task
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString()
/** As if the task and its reminders had been set that much earlier. */
const letPass = (ms: number, id: string) =>
  sql(
    `with task as (update tasks set due_at = due_at - $1 * interval '1 millisecond' where id = $2)
     update task_reminders set fire_at = fire_at - $1 * interval '1 millisecond', next_attempt_at = fire_at - $1 * interval '1 millisecond'
     where task_id = $2`,
    [ms, id],
  )
/** Longer before than any offset used here, so that all of them are ahead when a task is made. */
const BEFORE = 31 * DAY
/** A task that is due in half an hour since long ago: its reminders of an hour and more are due at once. */
async function make(more: object = {}, of = agency): Promise<Task> {
  const due_at = ahead(BEFORE + 30 * MINUTE)
  const task = await send(
    'POST',
    '/tasks',
    { subject: 'Call', due_at, reminder_offsets: [60], assigned_to_id: of.advisor, ...more },
    of,
  )
  await letPass(BEFORE, task.id)
  return task
}
const strict = {
  error: ({ err }: object & { err?: unknown }) => {
    throw err
  },
}
const queue = (leaseMs?: number) => reminderQueue({ db: cell.deps.db, log: strict }, leaseMs)
/** Fires everything due. */
async function fireDue(): Promise<void> {
  for (let job = await queue().claim(); job; job = await queue().claim()) await job(GO_ON)
}
const notifiedOf = async (task: string) =>
  (
    await sql<{ seat_id: string }>(
      `select seat_id from notifications where kind = 'task_due' and subject_id = $1 order by created_at, id`,
      [task],
    )
  ).map(({ seat_id }) => seat_id)
const remindersOf = (task: string) =>
  sql<Reminder>(
    `select r.minutes_before as minutes, r.fire_at > now() as ahead, r.fired_at is not null as fired,
      t.completed_at is null and t.assigned_to_id is not null and r.minutes_before = any(t.reminder_offsets)
        and r.fire_at = t.due_at - r.minutes_before * interval '1 minute' as in_step
     from task_reminders r join tasks t on t.account_id = r.account_id and t.id = r.task_id where t.id = $1 order by 1`,
    [task],
  )
/** The claims of a dead worker become free when their lease expires. */
const expireLeases = () =>
  sql('update task_reminders set next_attempt_at = now() where fired_at is null and leased_by is not null')

describe('a reminder', () => {
  it('fires to the assignee at its time, and no other', async () => {
    const { id } = await make({ reminder_offsets: [60, 1440, 10, 0], priority: 'urgent' })
    await fireDue()
    await fireDue()
    expect(await notifiedOf(id)).toEqual([agency.advisor, agency.advisor])
    expect((await remindersOf(id)).map(({ minutes, ahead, fired }) => [minutes, ahead, fired])).toEqual([
      [0, true, false],
      [10, true, false],
      [60, false, true],
      [1440, false, true],
    ])
    const [notified] = await sql(
      `select title, body, priority, subject_type, subject_label, actor_id from notifications where kind = 'task_due' and subject_id = $1`,
      [id],
    )
    expect(notified).toEqual({
      title: 'Task due: Call',
      body: null,
      priority: 'high',
      subject_type: 'Task',
      subject_label: 'Call',
      actor_id: null,
    })
  })
  it.each([
    ['without an assignee', { assigned_to_id: null }],
    ['without a due date', { due_at: null }],
    ['without an offset', { reminder_offsets: [] }],
    ['that was due before it was made', { due_at: ahead(-MINUTE), reminder_offsets: [0, 60] }],
    ['whose offsets had all passed when it was made', { due_at: ahead(30 * MINUTE), reminder_offsets: [30, 60, 1440] }],
  ])('is not there for a task %s', async (_, more) => {
    expect(await remindersOf((await make(more)).id)).toEqual([])
  })
  it('fires again when it moves to a time ahead, and not when it moves to one that is past', async () => {
    const { id } = await make()
    await fireDue()
    await send('PATCH', `/tasks/${id}`, { due_at: ahead(20 * MINUTE) })
    await fireDue()
    expect((await notifiedOf(id)).length).toBe(1)
    await send('PATCH', `/tasks/${id}`, { due_at: ahead(2 * DAY) })
    expect(await remindersOf(id)).toEqual([{ minutes: 60, ahead: true, fired: false, in_step: true }])
    await letPass(2 * DAY, id)
    await fireDue()
    expect((await notifiedOf(id)).length).toBe(2)
  })
  it.each([
    ['is moved to be due sooner', { due_at: ahead(30 * MINUTE) }],
    ['gets an offset of a time gone by', { due_at: ahead(30 * MINUTE), reminder_offsets: [60, 120] }],
    ['gets an assignee too late', { due_at: ahead(30 * MINUTE), assigned_to_id: null }],
  ])('does not fire when a task %s, as a calendar would not', async (_, change) => {
    const { id } = await send('POST', '/tasks', {
      subject: 'Call',
      due_at: ahead(2 * DAY),
      reminder_offsets: [60],
      assigned_to_id: agency.advisor,
    })
    await send('PATCH', `/tasks/${id}`, change)
    await send('PATCH', `/tasks/${id}`, { assigned_to_id: agency.advisor })
    await fireDue()
    expect([await notifiedOf(id), await remindersOf(id)]).toEqual([[], []])
  })
  it('is dropped when the task is completed, unassigned or deleted, and goes to the current assignee', async () => {
    const [completed, unassigned, deleted, handed] = [await make(), await make(), await make(), await make()]
    await send('PATCH', `/tasks/${completed.id}/complete`)
    await send('PATCH', `/tasks/${unassigned.id}`, { assigned_to_id: null })
    await send('DELETE', `/tasks/${deleted.id}`)
    await send('PATCH', `/tasks/${handed.id}`, { assigned_to_id: agency.owner.id })
    await fireDue()
    const notified = await Promise.all([completed, unassigned, deleted, handed].map(({ id }) => notifiedOf(id)))
    expect(notified).toEqual([[], [], [], [agency.owner.id]])
    await send('PATCH', `/tasks/${completed.id}/reopen`)
    await fireDue()
    expect(await notifiedOf(completed.id)).toEqual([]) // its time has passed
  })
  it('that is due is not lost by a change of something else', async () => {
    const { id } = await make()
    await letPass(HOUR, id)
    await send('PATCH', `/tasks/${id}`, { body: 'changed' })
    await fireDue()
    expect((await notifiedOf(id)).length).toBe(1)
  })
  it('is in step with its task after every change, and fires once for each time that it had', async () => {
    const change = fc.oneof(
      fc.record({ due_at: fc.constantFrom(-HOUR, 30 * MINUTE, 90 * MINUTE, 2 * DAY, 40 * DAY) }),
      fc.record({ reminder_offsets: fc.subarray([0, 60, 1440, 43_200]) }),
      fc.record({ assigned_to_id: fc.boolean() }),
      fc.record({ pass: fc.constantFrom(HOUR, DAY, 30 * DAY) }),
      fc.constantFrom('complete' as const, 'reopen' as const, 'fire' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 10 }), async (changes) => {
        const { id } = await make({ due_at: null })
        const times = new Set<string>()
        let passed = 0
        for (const step of changes) {
          if (step === 'fire') await fireDue()
          else if (typeof step === 'string') await send('PATCH', `/tasks/${id}/${step}`)
          else if ('pass' in step) {
            await letPass(step.pass, id)
            passed += step.pass
          } else if ('due_at' in step) await send('PATCH', `/tasks/${id}`, { due_at: ahead(step.due_at) })
          else if ('assigned_to_id' in step)
            await send('PATCH', `/tasks/${id}`, { assigned_to_id: step.assigned_to_id ? agency.advisor : null })
          else await send('PATCH', `/tasks/${id}`, step)
          const reminders = await remindersOf(id)
          expect(reminders.every(({ fired, in_step }) => fired || in_step)).toBe(true)
          const [{ wanted } = { wanted: 0 }] = await sql<{ wanted: number }>(
            `select count(*)::integer as wanted from tasks cross join unnest(reminder_offsets) as minutes
             where id = $1 and completed_at is null and assigned_to_id is not null and due_at - minutes * interval '1 minute' > now()`,
            [id],
          )
          expect(reminders.filter(({ in_step }) => in_step).length).toBeGreaterThanOrEqual(wanted)
          for (const { at } of await sql<{ at: string }>(
            `select minutes_before || ' ' || (fire_at + $2 * interval '1 millisecond') as at from task_reminders where task_id = $1`,
            [id, passed],
          ))
            times.add(at)
        }
        await fireDue()
        expect((await notifiedOf(id)).length).toBeLessThanOrEqual(times.size)
      }),
      { numRuns: 30 },
    )
  })
})

describe('firing', () => {
  const TASKS = 40
  it('happens exactly once for each offset, by however many runners', async () => {
    const agencies = await Promise.all(Array.from({ length: 3 }, () => makeAgency(cell)))
    for (const of of agencies)
      for (let nth = 0; nth < TASKS; nth++) await make({ reminder_offsets: [60, 90, 1440] }, of)
    const other = openDatabase(cell.connection, 4, () => {})
    onTestFinished(() => other.close())
    const failures: object[] = []
    const stops = [cell.deps.db, other, cell.deps.db].map((db) =>
      startWorkers({ db, log: logTo(failures) }, { ...reminderQueue({ db, log: logTo(failures) }), atOnce: 2 }),
    )
    const count = async () =>
      (
        await sql<{ count: number }>(
          `select count(*)::integer from notifications where kind = 'task_due' and account_id = any($1)`,
          [agencies.map(({ number }) => number)],
        )
      )[0]?.count
    while ((await sql('select from task_reminders where fired_at is null and next_attempt_at <= now()')).length > 0)
      await sleep(20)
    await Promise.all(stops.map((stop) => stop()))
    expect([await count(), failures]).toEqual([agencies.length * TASKS * 3, []])
  })
  it('is done by another when a runner dies between its claim and the mark, and not by the dead one that comes back', async () => {
    const { id } = await make()
    const stalled = await queue().claim()
    expect(await queue().claim()).toBeNull() // it is leased
    expect(await notifiedOf(id)).toEqual([])
    await expireLeases()
    const second = await queue().claim()
    await stalled?.(GO_ON)
    expect(await notifiedOf(id)).toEqual([])
    await second?.(GO_ON)
    await stalled?.(GO_ON)
    await fireDue()
    expect(await notifiedOf(id)).toEqual([agency.advisor])
  })
  it('leaves neither notification nor mark when its transaction is taken back', async () => {
    const { id } = await make()
    await queue().claim()
    const [held] = await sql<{ leased_by: string }>('select leased_by from task_reminders where task_id = $1', [id])
    const dying = cell.deps.db.inAccount(agency.number, async (tx) => {
      await fireReminders(tx, held?.leased_by as string, [id])
      throw new Error('the process dies here')
    })
    await expect(dying).rejects.toThrow('dies here')
    expect([await notifiedOf(id), (await remindersOf(id))[0]?.fired]).toEqual([[], false])
    await expireLeases()
    await fireDue()
    expect(await notifiedOf(id)).toEqual([agency.advisor])
  })
  it('does not happen where the reminder was moved after the claim', async () => {
    const { id } = await make()
    const job = await queue().claim()
    await send('PATCH', `/tasks/${id}`, { due_at: ahead(2 * DAY) })
    await job?.(GO_ON)
    expect([await notifiedOf(id), (await remindersOf(id))[0]]).toEqual([
      [],
      { minutes: 60, ahead: true, fired: false, in_step: true },
    ])
  })
  it('notifies the other accounts when one fails, and that one later', async () => {
    const broken = await makeAgency(cell)
    const [theirs, ours] = [await make({}, broken), await make()]
    const failures: object[] = []
    const { inAccount, ...rest } = cell.deps.db
    const failing = {
      ...rest,
      inAccount: ((account, fn) =>
        account === broken.number ? Promise.reject(new Error('no')) : inAccount(account, fn)) as typeof inAccount,
    }
    const job = await reminderQueue({ db: failing, log: logTo(failures) }).claim()
    await job?.(GO_ON)
    expect([await notifiedOf(theirs.id), await notifiedOf(ours.id), failures]).toEqual([
      [],
      [agency.advisor],
      [{ err: new Error('no'), account: broken.number }],
    ])
    await expireLeases()
    await fireDue()
    expect(await notifiedOf(theirs.id)).toEqual([broken.advisor])
  })
})

const KILLS = byDepth(1, 3)
const REMINDERS = byDepth(1_000, 12_000)
it('a worker that is killed again and again while it fires loses no reminder and fires none twice', {
  timeout: 120_000,
}, async () => {
  const connection = await cloneDatabase()
  cell = await startCell({ deps: { count: uncounted }, connection })
  const of = await makeAgency(cell)
  await sql(
    `with made as (
       insert into tasks (account_id, subject, due_at, reminder_offsets, assigned_to_id)
       select $1, 'Task ' || n, now() + interval '1 hour', '{120}', $2 from generate_series(1, ${REMINDERS}) n returning account_id, id, due_at
     )
     insert into task_reminders (account_id, task_id, minutes_before, fire_at, next_attempt_at)
     select account_id, id, 120, due_at - interval '2 hours', now() from made`,
    [of.number, of.advisor],
  )
  const fired = async () =>
    (await sql<{ count: number }>('select count(*)::integer from task_reminders where fired_at is not null'))[0]
      ?.count ?? 0
  const hurry = await dawdle(cell, 'update', 'task_reminders', 0.1)
  let midway = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const before = await fired()
    const worker = await startMortalWorker(cell)
    while ((await fired()) === before) await sleep(2)
    await sleep(Math.random() * 30)
    await worker.kill()
    if ((await fired()) < REMINDERS) midway++
    await expireLeases()
  }
  expect(midway).toBeGreaterThan(0) // or the kills had proved nothing
  await hurry()
  await fireDue()
  const [notified] = await sql(
    `select count(*)::integer as all, count(distinct subject_id)::integer as tasks from notifications where kind = 'task_due'`,
  )
  expect(notified).toEqual({ all: REMINDERS, tasks: REMINDERS })
})
