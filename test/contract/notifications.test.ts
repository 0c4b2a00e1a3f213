import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Notification, notify } from '../../src/features/notifications/commands/notify.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'

type Shown = Record<string, unknown> & { id: string; title: string; unread: boolean; read_at: string | null }
type Page = { data: Shown[]; page: { next_cursor: string | null }; unread_count: number }
type Marked<T> = { data: T; unread_count: number }

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
const list = async (of: Agency, query = '') =>
  (await cell.call('GET', `/notifications?${query}`, { key: of.key })).body as Page
const mark = async <T>(of: Agency, path: string) => {
  const { status, body } = await cell.call('POST', `/notifications/${path}`, { key: of.key })
  return { status, ...(body as Marked<T>) }
}
const notificationFor = (seat: string, more: Partial<Notification> = {}): Notification => ({
  seat,
  kind: 'task_due',
  title: 'Task due: Call',
  body: null,
  priority: 'normal',
  subjectType: 'Task',
  subjectId: '01890000-0000-7000-8000-000000000000',
  subjectLabel: 'Call',
  ...more,
})
const notifyIn = (of: Agency, ...all: Notification[]) =>
  cell.deps.db.inAccount(of.number, async (tx) => notify(tx, ...all))
const fullCount = undeclared<{ account: number; seat: string }, { count: number }>(
  'select count(*)::integer from notifications where account_id = $account and seat_id = $seat and read_at is null',
)
const unread = async (of: Agency) => (await cell.deps.db.reader(of.number).one(fullCount, { seat: of.owner.id }))?.count

describe('notifications', () => {
  it('are those of the key’s principal alone, newest first, with who did it', async () => {
    const own = await makeAgency(cell)
    await notifyIn(own, notificationFor(own.advisor, { title: 'for the advisor' }))
    for (const title of ['one', 'two'])
      await notifyIn(own, notificationFor(own.owner.id, { title, actor: own.advisor }))
    const { data, unread_count } = await list(own)
    expect([data.map(({ title }) => title), unread_count]).toEqual([['two', 'one'], 2])
    expect(data[0]).toEqual({
      id: data[0]?.id,
      kind: 'task_due',
      title: 'two',
      body: null,
      subject_type: 'Task',
      subject_id: '01890000-0000-7000-8000-000000000000',
      subject_label: 'Call',
      priority: 'normal',
      actor: { id: own.advisor, name: 'Işıl Çağlar', email: 'advisor@agency.example' },
      read_at: null,
      unread: true,
      created_at: data[0]?.created_at,
    })
  })
  it('are marked as read once, each and all, and only by their seat', async () => {
    const own = await makeAgency(cell)
    await notifyIn(
      own,
      notificationFor(own.owner.id, { title: 'a' }),
      notificationFor(own.owner.id, { title: 'b' }),
      notificationFor(own.advisor),
    )
    const { data } = await list(own)
    const first = await mark<Shown>(own, `${data[0]?.id}/mark_read`)
    expect([first.data.unread, first.unread_count]).toEqual([false, 1])
    expect(await mark<Shown>(own, `${data[0]?.id}/mark_read`)).toEqual(first)
    expect(await mark(own, 'mark_all_read')).toMatchObject({ status: 200, data: { marked: 1 }, unread_count: 0 })
    expect(await mark(own, 'mark_all_read')).toMatchObject({ data: { marked: 0 }, unread_count: 0 })
    const advisors = undeclared<{ account: number; seat: string }, { id: string }>(
      'select id from notifications where account_id = $account and seat_id = $seat and read_at is null',
    )
    const [theirs] = await cell.deps.db.reader(own.number).all(advisors, { seat: own.advisor })
    expect((await mark(own, `${theirs?.id}/mark_read`)).status).toBe(404)
    expect((await mark(await makeAgency(cell), `${data[0]?.id}/mark_read`)).status).toBe(404)
  })
  it('are filtered by unread and kind, paged, and counted for all pages and filters', async () => {
    const own = await makeAgency(cell)
    const kinds = ['task_due', 'task_assigned', 'task_due', 'option_expiring', 'task_due'] as const
    await notifyIn(own, ...kinds.map((kind, at) => notificationFor(own.owner.id, { kind, title: `${at}` })))
    const whole = (await list(own)).data
    await mark(own, `${whole[1]?.id}/mark_read`)
    for (const [query, expected] of [
      ['', whole],
      ['scope=unread', whole.filter((_, at) => at !== 1)],
      ['kind=task_due', whole.filter(({ kind }) => kind === 'task_due')],
      ['kind=task_due&scope=unread', whole.filter(({ kind }, at) => kind === 'task_due' && at !== 1)],
      ['kind=report_ready', []],
    ] as const) {
      const walked: string[] = []
      for (let cursor = ''; ; ) {
        const { data, page, unread_count } = await list(own, `${query}&limit=2${cursor}`)
        expect(unread_count).toBe(4)
        walked.push(...data.map(({ id }) => id))
        if (page.next_cursor === null) break
        cursor = `&cursor=${page.next_cursor}`
      }
      expect([query, walked]).toEqual([query, expected.map(({ id }) => id)])
    }
    for (const query of ['scope=read', 'kind=nonesuch'])
      expect((await cell.call('GET', `/notifications?${query}`, { key: own.key })).status).toBe(422)
  })
})

it('a deleted task deletes its notifications, of each seat, and no others', async () => {
  const own = await makeAgency(cell)
  const task = async () => {
    const { body } = await cell.call('POST', '/tasks', { key: own.key, body: { task: { subject: 'Call' } } })
    return (body as { data: { id: string } }).data.id
  }
  const [gone, kept] = [await task(), await task()]
  for (const subjectId of [gone, kept])
    for (const seat of [own.owner.id, own.advisor]) await notifyIn(own, notificationFor(seat, { subjectId }))
  await notifyIn(own, notificationFor(own.owner.id, { subjectId: gone, subjectType: 'Lead' }))
  await cell.call('DELETE', `/tasks/${gone}`, { key: own.key })
  const { data, unread_count } = await list(own)
  expect([data.map(({ subject_type, subject_id }) => [subject_type, subject_id]), unread_count]).toEqual([
    [
      ['Lead', gone],
      ['Task', kept],
    ],
    2,
  ])
  expect((await cell.deps.db.reader(own.number).one(fullCount, { seat: own.advisor }))?.count).toBe(1)
})

describe('the unread count', () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant('tell' as const), many: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ does: fc.constant('mark' as const), nth: fc.nat(20) }),
    fc.record({ does: fc.constant('mark all' as const) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

  async function take(own: Agency, at: Step): Promise<number> {
    if (at.does === 'tell') {
      await notifyIn(own, ...Array.from({ length: at.many }, () => notificationFor(own.owner.id)))
      return (await list(own, 'limit=1')).unread_count
    }
    if (at.does === 'mark all') return (await mark(own, 'mark_all_read')).unread_count
    const { data, unread_count } = await list(own)
    const chosen = data[at.nth % data.length]
    return chosen ? (await mark(own, `${chosen.id}/mark_read`)).unread_count : unread_count
  }

  it('agrees with a full count after every step', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const own = await makeAgency(cell)
        for (const at of steps) expect(await take(own, at)).toBe(await unread(own))
      }),
      { numRuns: 15 },
    )
  })
  it('agrees with a full count under concurrent reads and notifications', async () => {
    const own = await makeAgency(cell)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        await Promise.all(steps.map((at) => take(own, at)))
        expect((await list(own, 'limit=1')).unread_count).toBe(await unread(own))
        const { data } = await list(own, 'limit=100&scope=unread')
        if (data.length < 100) expect(data.length).toBe(await unread(own))
      }),
      { numRuns: 15 },
    )
  })
})
