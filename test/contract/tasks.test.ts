import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { listTasks } from '../../src/features/tasks/tasks.store.ts'
import { BUILT_IN_ROLES, policySet } from '../../src/platform/access/policies.ts'
import { dayBounds, dayIn } from '../../src/platform/time.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { restrictTagOf, saveRoleOf, updateAccountOf } from '../harness/settings.ts'
import { undeclared } from '../harness/undeclared.ts'

type Seat = { id: string; name: string; email: string }
type Task = Record<string, unknown> & {
  id: string
  subject: string
  assigned_to: Seat | null
  completed_by: Seat | null
}
type Answer = { status: number; code: string; details: Record<string, string[]>; data: Task }
type Page = { data: Task[]; page: { next_cursor: string | null } }

const HOUR = 3_600_000
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const call = async (method: string, path: string, task?: object, key = agency.key) => {
  const answer = await cell.call(method, path, { key, ...(task && { body: { task } }) })
  return { status: answer.status, ...(answer.body as object | null) } as Answer
}
const make = async (task: object, of = agency) => {
  const answer = await call('POST', '/tasks', { subject: 'Call', ...task }, of.key)
  expect(answer.status).toBe(201)
  return answer.data
}
const list = async (query: string, key = agency.key) =>
  (await cell.call('GET', `/tasks?${query}`, { key })).body as Page
const subjects = async (query: string, of: Agency) => (await list(query, of.key)).data.map(({ subject }) => subject)
const at = (ms: number) => new Date(ms).toISOString()

describe('a task', () => {
  it('is created, read, changed by PATCH and PUT alike, and deleted once', async () => {
    const made = await make({ due_at: '2031-05-01T10:00:00+03:00', reminder_offsets: [60, 0, 60, 1440] })
    expect(made).toEqual({
      id: made.id,
      subject: 'Call',
      body: null,
      priority: 'normal',
      due_at: '2031-05-01T07:00:00.000000Z',
      reminder_offsets: [0, 60, 1440],
      overdue: false,
      completed_at: null,
      completed_by: null,
      taskable_type: null,
      taskable_id: null,
      taskable_label: null,
      assigned_to: null,
      owner: { id: agency.owner.id, name: 'Owner', email: 'owner@agency.example' },
      created_at: made.created_at,
      updated_at: made.created_at,
    })
    const path = `/tasks/${made.id}`
    expect((await call('GET', path)).data).toEqual(made)
    expect((await call('PATCH', path, {})).data).toEqual(made)
    for (const method of ['PATCH', 'PUT'])
      expect((await call(method, path, { body: method })).data).toMatchObject({
        body: method,
        reminder_offsets: [0, 60, 1440],
      })
    expect([(await call('DELETE', path)).status, (await call('DELETE', path)).status]).toEqual([204, 404])
    for (const [method, at, task] of [
      ['GET', path],
      ['PATCH', path, {}],
      ['PATCH', `${path}/complete`],
      ['PATCH', `${path}/reopen`],
    ] as const)
      expect([method, at, (await call(method, at, task)).status]).toEqual([method, at, 404])
  })
  it.each([
    ['subject', 'Ring', null, 'required'],
    ['body', 'Text', null, null],
    ['priority', 'urgent', null, 'normal'],
    ['due_at', '2031-05-01T07:00:00.000000Z', null, null],
    ['reminder_offsets', [5, 10], null, []],
  ])('%s: absent stays, a value replaces, null empties', async (name, value, empty, emptied) => {
    const { id } = await make({ [name]: value })
    const path = `/tasks/${id}`
    expect((await call('PATCH', path, { id })).data[name]).toEqual(value)
    const answer = await call('PATCH', path, { [name]: empty })
    if (emptied === 'required') expect(Object.keys(answer.details)).toEqual([name])
    else expect(answer.data[name]).toEqual(emptied)
  })
  it.each([
    ['subject', {}],
    ['subject', { subject: ' ' }],
    ['subject', { subject: 'x'.repeat(301) }],
    ['priority', { priority: 'burning' }],
    ['due_at', { due_at: '2026-02-30T10:00' }],
    ['due_at', { due_at: '2026-05-01' }],
    ['reminder_offsets', { reminder_offsets: [43_201] }],
    ['reminder_offsets', { reminder_offsets: [-1] }],
    ['reminder_offsets', { reminder_offsets: Array.from({ length: 11 }, (_, at) => at) }],
    ['reminder_offsets', { reminder_offsets: 15 }],
    ['assigned_to_id', { assigned_to_id: '01890000-0000-7000-8000-000000000000' }],
    ['assigned_to_id', { assigned_to_id: 'me' }],
    ['taskable_type', { taskable_type: 'User', taskable_id: '01890000-0000-7000-8000-000000000000' }],
    ...['Trip', 'Lead', 'Customer', 'Booking', 'Communication'].map(
      (taskable_type) =>
        ['taskable_id', { taskable_type, taskable_id: '01890000-0000-7000-8000-000000000000' }] as const,
    ),
  ] as [string, object][])('is refused for its %s: %j', async (attribute, task) => {
    const given = attribute === 'subject' ? task : { subject: 'Call', ...task }
    const answer = await call('POST', '/tasks', given)
    expect([answer.status, answer.code, Object.keys(answer.details)]).toEqual([422, 'validation_failed', [attribute]])
  })
  it('takes its link whole or not at all', async () => {
    const [customer] = (await importRows(cell, agency.key, 'customers', [{ external_id: 'half', name: 'Half' }])).rows
    const whole = { taskable_type: 'Customer', taskable_id: customer?.id }
    const { id } = await make(whole)
    const halves = [
      { taskable_type: 'Lead' },
      { taskable_id: customer?.id },
      { taskable_type: null },
      { ...whole, taskable_id: null },
    ]
    for (const half of halves) {
      expect(Object.keys((await call('PATCH', `/tasks/${id}`, half)).details)).toEqual(['taskable_type', 'taskable_id'])
      expect((await call('POST', '/tasks', { subject: 'x', ...half })).status).toBe(422)
    }
    expect(
      (await call('PATCH', `/tasks/${id}`, { taskable_type: null, taskable_id: null })).data.taskable_id,
    ).toBeNull()
  })
  it('names seats and records of its own account alone, and seats that are active', async () => {
    const other = await makeAgency(cell)
    const [theirs] = (await importRows(cell, other.key, 'customers', [{ external_id: 'T', name: 'Theirs' }])).rows
    expect((await call('POST', '/tasks', { subject: 'x', assigned_to_id: other.advisor })).status).toBe(422)
    const link = { taskable_type: 'Customer', taskable_id: theirs?.id }
    expect((await call('POST', '/tasks', { subject: 'x', ...link })).status).toBe(422)
    const { id } = await make({ assigned_to_id: other.advisor, ...link }, other)
    expect((await call('GET', `/tasks/${id}`)).status).toBe(404)
    await cell.deps.db.inAccount(other.number, (tx) =>
      tx.all(
        undeclared<{ account: number; id: string }, never>(
          'update seats set active = false where account_id = $account and id = $id',
        ),
        { id: other.advisor },
      ),
    )
    expect((await call('POST', '/tasks', { subject: 'x', assigned_to_id: other.advisor }, other.key)).status).toBe(422)
    // A deactivated seat keeps the task, which can still be changed.
    expect((await call('PATCH', `/tasks/${id}`, { assigned_to_id: other.advisor, body: 'b' }, other.key)).status).toBe(
      200,
    )
  })
  it('is completed and reopened by their routes alone, eight at once as well', async () => {
    const { id } = await make({ due_at: at(Date.now() - HOUR) })
    const path = `/tasks/${id}`
    const ignored = { completed_at: at(Date.now()), completed_by: agency.owner.id, overdue: false }
    expect((await call('PATCH', path, ignored)).data).toMatchObject({
      completed_at: null,
      completed_by: null,
      overdue: true,
    })
    const all = await Promise.all(Array.from({ length: 8 }, () => call('PATCH', `${path}/complete`)))
    expect(new Set(all.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(all[0]?.data).toMatchObject({ overdue: false, completed_by: { id: agency.owner.id } })
    expect((await call('PATCH', path, ignored)).data.completed_at).toBe(all[0]?.data.completed_at)
    for (let twice = 0; twice < 2; twice++)
      expect((await call('PATCH', `${path}/reopen`)).data).toMatchObject({
        completed_at: null,
        completed_by: null,
        overdue: true,
      })
  })
})

describe('the record that a task is about', () => {
  it('is shown as it is now, to roles that may know who it is', async () => {
    const own = await makeAgency(cell)
    const ids = new Map<string, unknown>()
    const stay = {
      external_id: 'H-1',
      check_in_on: '2026-07-10',
      check_out_on: '2026-07-11',
      customer_external_id: 'C',
    }
    for (const [entity, type, row] of [
      ['customers', 'Customer', { external_id: 'C', name: 'Ayşe Su' }],
      ['leads', 'Lead', { external_id: 'L', name: 'Ayşe, a lead', customer_external_id: 'C' }],
      ['hotel_stays', 'Booking', stay],
    ] as const)
      ids.set(type, (await importRows(cell, own.key, entity, [row])).rows[0]?.id)
    const trip = undeclared<{ account: number; company: string }, { id: string }>(`
      insert into trips (account_id, company_id, reference_number, title, status, settings)
      values ($account, $company, 'T-1', 'Roma', 'draft', '{}') returning id`)
    ids.set('Trip', (await cell.deps.db.inAccount(own.number, (tx) => tx.one(trip, { company: own.company.id })))?.id)
    for (const [taskable_type, taskable_id] of ids)
      await make({ subject: taskable_type, taskable_type, taskable_id }, own)

    const seen = async (role: string) => {
      const { key } = await own.makeKey({ role })
      return Object.fromEntries(
        (await list('', key)).data.map(({ subject, taskable_label }) => [subject, taskable_label]),
      )
    }
    const labels = { Customer: 'Ayşe Su', Lead: 'Ayşe, a lead', Booking: 'Hotel Stay H-1', Trip: 'Roma' }
    const none = { Customer: null, Lead: null, Booking: null, Trip: null }
    for (const [role, policies] of Object.entries(BUILT_IN_ROLES))
      expect([role, await seen(role)]).toEqual([role, policies.has('view_personal_data') ? labels : none])

    await cell.call('PATCH', `/customers/${ids.get('Customer')}`, {
      key: own.key,
      body: { customer: { name: 'Nur Su', tags: ['vip'] } },
    })
    expect(await seen('admin')).toEqual({ ...labels, Customer: 'Nur Su' })
    await restrictTagOf(cell, own.number, 'vip')
    expect(await seen('admin')).toEqual({ ...labels, Customer: null, Lead: null })
    expect(await seen('owner')).toEqual({ ...labels, Customer: 'Nur Su' })
    const roles = [
      ['no_trips', ['view_personal_data', 'view_restricted_customers'], { ...labels, Customer: 'Nur Su', Trip: null }],
      ['trips', ['view_trips'], none],
    ] as const
    for (const [name, policies, labels] of roles) {
      await saveRoleOf(cell, own.number, name, policies)
      expect([name, await seen(name)]).toEqual([name, labels])
    }
  })
  it('is the survivor where it was merged into another customer', async () => {
    const people = ['Loser', 'Survivor'].map((name) => ({ external_id: `M ${name}`, name }))
    const [loser, survivor] = (await importRows(cell, agency.key, 'customers', people)).rows.map((row) => row.id)
    const { id } = await make({ taskable_type: 'Customer', taskable_id: loser })
    await cell.call('POST', `/customers/${loser}/merge`, { key: agency.key, body: { into_id: survivor } })
    const { data } = await call('GET', `/tasks/${id}`)
    expect([data.taskable_id, data.taskable_label]).toEqual([survivor, 'Survivor'])
  })
  it('leaves a task without a label when it is gone, and the task can be changed', async () => {
    const { body } = await cell.call('POST', '/customers', { key: agency.key, body: { customer: { name: 'Gone' } } })
    const taskable_id = (body as { data: Task }).data.id
    const { id } = await make({ taskable_type: 'Customer', taskable_id })
    await cell.call('DELETE', `/customers/${taskable_id}`, { key: agency.key })
    const changed = await call('PATCH', `/tasks/${id}`, { body: 'b', taskable_type: 'Customer', taskable_id })
    expect([changed.status, changed.data.taskable_label, changed.data.taskable_id]).toEqual([200, null, taskable_id])
  })
})

describe('the list of tasks', () => {
  it('is walked completely, soonest due first, those without a due date last, whatever the size of a page', async () => {
    const own = await makeAgency(cell)
    const due = fc.constantFrom(null, '2031-01-01T00:00:00Z', '2031-01-01T00:00:00.000001Z', '2020-06-01T00:00:00Z')
    await fc.assert(
      fc.asyncProperty(
        fc.array(due, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        async (dues, limit) => {
          for (const due_at of dues) await make({ due_at }, own)
          const walked: Task[] = []
          for (let cursor = ''; ; ) {
            const { data, page } = await list(`limit=${limit}${cursor}`, own.key)
            walked.push(...data)
            if (page.next_cursor === null) break
            cursor = `&cursor=${page.next_cursor}`
          }
          const order = walked.map(({ due_at, id }) => `${(due_at as string | null) ?? 'never'} ${id}`)
          expect(order).toEqual([...order].sort())
          const { data } = await list('limit=100', own.key)
          expect(walked.map(({ id }) => id)).toEqual(data.map(({ id }) => id))
        },
      ),
      { numRuns: 8 },
    )
  })
  it('follows scope, priority, assignee and words together', async () => {
    const own = await makeAgency(cell)
    const now = Date.now()
    const day = dayBounds('Europe/Istanbul', now)
    await make({ subject: 'late', due_at: at(now - 48 * HOUR), priority: 'high', assigned_to_id: own.owner.id }, own)
    await make({ subject: 'first of today', due_at: day.today, assigned_to_id: own.advisor }, own)
    await make({ subject: 'last of today', due_at: at(Date.parse(day.tomorrow) - 1), body: 'IŞIL 100%' }, own)
    await make({ subject: 'first of tomorrow', due_at: day.tomorrow, assigned_to_id: own.owner.id }, own)
    await make({ subject: 'some day', assigned_to_id: own.owner.id, priority: 'high' }, own)
    const done = await make({ subject: 'done', due_at: at(now - HOUR), assigned_to_id: own.owner.id }, own)
    await call('PATCH', `/tasks/${done.id}/complete`, undefined, own.key)
    for (const [query, expected] of [
      ['', ['late', 'first of today', 'last of today', 'first of tomorrow', 'some day']],
      ['scope=mine', ['late', 'first of tomorrow', 'some day']],
      ['scope=overdue', ['late', 'first of today']],
      ['scope=due_today', ['first of today', 'last of today']],
      ['scope=upcoming', ['first of tomorrow']],
      ['scope=completed', ['done']],
      ['priority=high', ['late', 'some day']],
      ['scope=mine&priority=high', ['late', 'some day']],
      [`assigned_to_id=${own.advisor}`, ['first of today']],
      [`scope=mine&assigned_to_id=${own.advisor}`, []],
      [`scope=completed&assigned_to_id=${own.owner.id}`, ['done']],
      ['q=isil', ['last of today']],
      ['q=100%25', ['last of today']],
      ['q=TODAY&scope=due_today', ['first of today', 'last of today']],
      ['q=_', []],
      ['q=%20', ['late', 'first of today', 'last of today', 'first of tomorrow', 'some day']],
    ] as const)
      expect([query, await subjects(query, own)]).toEqual([query, expected])
    for (const query of ['scope=all', 'priority=x', 'assigned_to_id=x', 'limit=0'])
      expect((await cell.call('GET', `/tasks?${query}`, { key: own.key })).status).toBe(422)
    const overdue = (await list('', own.key)).data.filter((task) => task.overdue).map(({ subject }) => subject)
    expect(overdue).toEqual(await subjects('scope=overdue', own))
  })
  it.each([
    ['Europe/Berlin', '2031-03-30', 23],
    ['Europe/Berlin', '2031-10-26', 25],
    ['America/New_York', '2031-03-09', 23],
    ['America/New_York', '2031-11-02', 25],
    ['Europe/Istanbul', '2031-03-30', 24],
  ])('knows the day of %s on %s, which has %i hours', async (zone, day, hours) => {
    const own = await makeAgency(cell)
    await updateAccountOf(cell, own.number, { timeZone: zone })
    const { key } = await own.makeKey()
    const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString()
    const before = Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()
    const dues = [`${before}T23:59:59.999999`, `${day}T00:00:00`, `${day}T23:59:59.999999`, `${next}T00:00:00`]
    for (const due_at of dues) expect((await call('POST', '/tasks', { subject: due_at, due_at }, key)).status).toBe(201) // by the account's clock
    const bounds = dayBounds(zone, Temporal.PlainDateTime.from(`${day}T12:00`).toZonedDateTime(zone).epochMilliseconds)
    expect(Date.parse(bounds.tomorrow) - Date.parse(bounds.today)).toBe(hours * HOUR)
    const found = async (scope: string) => {
      const reader = cell.deps.db.reader(own.number)
      const page = await listTasks(reader, policySet([]), { limit: 10, after: null }, { [scope]: true }, bounds)
      return (JSON.parse(page?.items ?? '[]') as Task[]).map(({ subject }) => subject)
    }
    expect(await found('due_today')).toEqual(dues.slice(1, 3))
    expect(await found('upcoming')).toEqual(dues.slice(3))
  })
  it('reads a day from its first instant to that of the next, in every zone', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Asia/Beirut',
      'America/Sao_Paulo',
      'Pacific/Apia',
      'Australia/Lord_Howe',
      'UTC',
    )
    const instants = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2037, 0) })
    fc.assert(
      fc.property(zones, instants, (zone, now) => {
        const [today, tomorrow] = [dayBounds(zone, now).today, dayBounds(zone, now).tomorrow].map((instant) =>
          Date.parse(instant),
        ) as [number, number]
        expect(today <= now && now < tomorrow).toBe(true)
        expect([dayIn(zone, today), dayIn(zone, tomorrow - 1)]).toEqual([dayIn(zone, now), dayIn(zone, now)])
        expect([dayIn(zone, today - 1), dayIn(zone, tomorrow)]).not.toContain(dayIn(zone, now))
      }),
      { numRuns: 2000 },
    )
  })
})
