import { describe, expect, it } from 'vitest'
import { fakeTx } from '../../../../test/harness/fake-tx.ts'
import type { Values } from '../../../catalogue/read-cells.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import { changeTask, createTask } from './save-task.ts'

const [ME, OTHER, THIRD] = ['1', '2', '3'].map((digit) => `0197a3f0-0000-7000-8000-00000000000${digit}`)
const CUSTOMER = '0197a3f0-0000-7000-8000-00000000000c'
const ACTOR = {
  account: 1,
  timeZone: 'UTC',
  seat: ME,
  homeBranch: null,
  companies: [{ id: 'c', isDefault: true, active: true, country: 'TR', currency: 'TRY' }],
  branches: [],
} as unknown as Actor
const STORED: Values = {
  subject: 'Call',
  body: null,
  priority: 'normal',
  due_at: null,
  reminder_offsets: [],
  assigned_to_id: OTHER,
  taskable_type: null,
  taskable_id: null,
}

/** The writes of saving a task, in an account with these seats and this customer. */
async function write(given: Values, stored?: Values | null) {
  const { tx, sentTo } = fakeTx((text, { id }) => {
    if (text.includes('for no key update')) return stored && id === 'task' ? [{ ...stored, version: 1 }] : []
    if (text.includes('from seats')) return [ME, OTHER, THIRD].includes(String(id)) ? [{ id }] : []
    return [{ found: id === CUSTOMER ? id : null }]
  })
  const answer = stored === undefined ? await createTask(tx, ACTOR, given) : await changeTask(tx, ACTOR, 'task', given)
  const [written] = [...sentTo('insert into tasks'), ...sentTo('update tasks')]
  return {
    answer,
    owner: written?.owner,
    record: written && (JSON.parse(String(written.values)) as Values),
    reminders: sentTo('task_reminders').map(({ id }) => id),
    numbers: sentTo('change_number').length,
    notified: sentTo('insert into notifications').flatMap(({ given }) => JSON.parse(String(given))),
  }
}
const refused = async (given: Values, stored?: Values) => {
  const details = await write(given, stored).then(
    () => ({}),
    (error) => error.details,
  )
  for (const reasons of Object.values(details)) expect(reasons).toEqual([expect.stringMatching(/^\w+ \w+ \w+/)])
  return Object.keys(details)
}

describe('a new task', () => {
  it('belongs to its author, has defaults, and gets its reminders', async () => {
    const { answer, owner, record, reminders, notified } = await write({ subject: 'Call' })
    expect(record).toEqual({ ...STORED, assigned_to_id: null })
    expect([owner, reminders, notified]).toEqual([ME, [answer], []])
    expect(answer).toMatch(/^[\da-f-]{36}$/)
  })
  it('needs a subject, an existing seat, and an existing record with type and id', async () => {
    const about = { taskable_type: 'Customer', taskable_id: CUSTOMER }
    expect(await refused({})).toEqual(['subject'])
    expect(await refused({ subject: 'Call', assigned_to_id: CUSTOMER })).toEqual(['assigned_to_id'])
    expect(await refused({ subject: 'Call', ...about, taskable_id: ME })).toEqual(['taskable_id'])
    for (const half of ['taskable_type', 'taskable_id'] as const)
      expect(await refused({ subject: 'Call', [half]: about[half] })).toEqual(['taskable_type', 'taskable_id'])
    expect(await refused({ subject: 'Call', ...about, taskable_id: null })).toEqual(['taskable_type', 'taskable_id'])
    expect(await write({ subject: 'Call', ...about })).toMatchObject({ record: about, numbers: 1 })
  })
  it('notifies the assignee, unless they assigned it themselves', async () => {
    const { answer, notified } = await write({ subject: 'Call', priority: 'urgent', assigned_to_id: OTHER })
    expect(notified).toEqual([
      {
        seat: OTHER,
        kind: 'task_assigned',
        title: 'Task assigned to you: Call',
        body: null,
        priority: 'high',
        subjectType: 'Task',
        subjectId: answer,
        subjectLabel: 'Call',
        actor: ME,
      },
    ])
    expect((await write({ subject: 'Call', assigned_to_id: ME })).notified).toEqual([])
  })
})

describe('a task that is changed', () => {
  it('keeps absent attributes, and its reminders are updated', async () => {
    const { answer, record, reminders, notified, numbers } = await write({ body: 'At noon.' }, STORED)
    expect(record).toEqual({ ...STORED, body: 'At noon.' })
    expect([answer, reminders, notified, numbers]).toEqual([true, ['task'], [], 0])
  })
  it('is not written without changes, and not found if it does not exist', async () => {
    expect(await write({ subject: 'Call', priority: null }, STORED)).toMatchObject({ answer: true, reminders: [] })
    expect((await write({}, STORED)).record).toBeUndefined()
    expect(await write({ subject: 'x' }, null)).toMatchObject({ answer: false, reminders: [] })
  })
  it('notifies only the new assignee', async () => {
    const notifiedSeats = async (seat: string | null | undefined) =>
      (await write({ subject: 'Ring', assigned_to_id: seat }, STORED)).notified.map(({ seat: to }) => to)
    expect([
      await notifiedSeats(THIRD),
      await notifiedSeats(OTHER),
      await notifiedSeats(ME),
      await notifiedSeats(null),
    ]).toEqual([[THIRD], [], [], []])
  })
  it('may keep a reference to a deleted record, but cannot get a new one', async () => {
    const gone = { ...STORED, assigned_to_id: CUSTOMER, taskable_type: 'Customer', taskable_id: ME }
    expect((await write({ subject: 'Ring' }, gone)).answer).toBe(true)
    expect((await write({ taskable_type: 'Customer', taskable_id: ME, subject: 'Ring' }, gone)).numbers).toBe(0)
    expect(await refused({ taskable_type: 'Lead', taskable_id: ME }, gone)).toEqual(['taskable_id'])
    expect(await refused({ taskable_type: 'Customer', taskable_id: OTHER }, gone)).toEqual(['taskable_id'])
    expect((await write({ taskable_type: null, taskable_id: null }, gone)).record).toMatchObject({ taskable_id: null })
  })
})
