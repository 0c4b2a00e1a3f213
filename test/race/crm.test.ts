import { beforeAll, describe, expect, it } from 'vitest'
import { notify } from '../../src/features/notifications/commands/notify.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { cloneDatabase, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { undeclared } from '../harness/undeclared.ts'

type Row = Record<string, unknown> & { id: string }
type Answer = { status: number; data: Row; unread_count: number }

/** Enough that eight writes of one account are under way at once, for a process lets only a few in. */
const PROCESSES = 3
const RACERS = 8
const ROUNDS = 4
let cells: TestCell[]
let agency: Agency
beforeAll(async () => {
  const connection = await cloneDatabase()
  cells = await Promise.all(
    Array.from({ length: PROCESSES }, () => startCell({ connection, deps: { count: uncounted } })),
  )
  agency = await makeAgency(cells[0] as TestCell)
})
const call = async (method: string, path: string, body?: object, racer = 0, key = agency.key) => {
  const answer = await (cells[racer % PROCESSES] as TestCell).call(method, path, { key, ...(body && { body }) })
  return { status: answer.status, ...(answer.body as object | null) } as Answer
}
const race = <T>(run: (racer: number) => Promise<T>) =>
  Promise.all(Array.from({ length: RACERS }, (_, racer) => run(racer)))
const rounds = async (run: (round: number) => Promise<void>) => {
  for (let round = 0; round < ROUNDS; round++) await run(round)
}
const makeCustomer = async (name: string) => (await call('POST', '/customers', { customer: { name } })).data.id
const merge = (id: string, into_id: string, racer: number) => call('POST', `/customers/${id}/merge`, { into_id }, racer)
const statusesOf = async (...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await call('GET', `/customers/${id}`)).status))
const tally = (answers: readonly Answer[]) =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, of]) => [status, of.length]),
  )
/** Customers that are named though they are gone. */
const dangling = undeclared<{ account: number }, { count: number }>(`
  select count(*)::integer as count from customers c where c.account_id = $account and c.deleted_at is not null and (
    exists (select from bookings b where b.account_id = c.account_id and b.customer_id = c.id and b.deleted_at is null)
    or exists (select from leads l where l.account_id = c.account_id and l.customer_id = c.id and l.deleted_at is null)
    or exists (select from customers o where o.account_id = c.account_id and o.merged_into_id = c.id))`)
const countDangling = async () => (await (cells[0] as TestCell).deps.db.reader(agency.number).one(dangling, {}))?.count

describe('one task', () => {
  it('is completed once by eight who complete it at once', () =>
    rounds(async () => {
      const { id } = (await call('POST', '/tasks', { task: { subject: 'Call' } })).data
      const answers = await race((racer) => call('PATCH', `/tasks/${id}/complete`, undefined, racer))
      expect(tally(answers)).toEqual({ 200: RACERS })
      expect(new Set(answers.map(({ data }) => data.completed_at)).size).toBe(1)
    }))
  it('is consistently pending or completed under concurrent completing, reopening, changing and deleting', () =>
    rounds(async (round) => {
      const task = { subject: 'Call', due_at: '2040-01-01T00:00:00Z', assigned_to_id: agency.advisor }
      const { id } = (await call('POST', '/tasks', { task })).data
      const path = `/tasks/${id}`
      const answers = await race((racer) => {
        if (racer % 4 === 0) return call('PATCH', path, { task: { reminder_offsets: [racer] } }, racer)
        return call('PATCH', `${path}/${racer % 2 === 0 ? 'complete' : 'reopen'}`, undefined, racer)
      })
      expect(tally(answers)).toEqual({ 200: RACERS })
      for (const { data } of answers) expect(data.completed_at === null).toBe(data.completed_by === null)
      const last = await race((racer) =>
        racer === round % RACERS
          ? call('DELETE', path, undefined, racer)
          : call('PATCH', `${path}/complete`, undefined, racer),
      )
      expect(last[round % RACERS]?.status).toBe(204)
      expect(last.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([])
      expect((await call('GET', path)).status).toBe(404)
    }))
})

describe('one customer', () => {
  it('is merged into one of two by eight who merge it at once', () =>
    rounds(async () => {
      const [loser, one, other] = [await makeCustomer('Loser'), await makeCustomer('One'), await makeCustomer('Other')]
      const answers = await race((racer) => merge(loser, racer % 2 === 0 ? one : other, racer))
      expect(tally(answers)).toEqual({ 200: 1, 404: RACERS - 1 })
      expect(await statusesOf(loser, one, other)).toEqual([404, 200, 200])
    }))
  it('and another are one of the two, when each is merged into the other at once', () =>
    rounds(async () => {
      const [one, other] = [await makeCustomer('One'), await makeCustomer('Other')]
      const answers = await race((racer) => (racer % 2 === 0 ? merge(one, other, racer) : merge(other, one, racer)))
      const tallied = tally(answers)
      expect([tallied[200], (tallied[404] ?? 0) + (tallied[422] ?? 0)]).toEqual([1, RACERS - 1])
      expect((await statusesOf(one, other)).sort()).toEqual([200, 404])
      expect(await countDangling()).toBe(0)
    }))
  it('of a ring of eight is left, when each is merged into the next at once', () =>
    rounds(async () => {
      const ring = await race((racer) => makeCustomer(`Ring ${racer}`))
      const answers = await race((racer) => merge(ring[racer] as string, ring[(racer + 1) % RACERS] as string, racer))
      expect(answers.filter(({ status }) => ![200, 404, 422].includes(status))).toEqual([])
      const merged = answers.filter(({ status }) => status === 200).length
      const left = (await statusesOf(...ring)).filter((status) => status === 200).length
      expect([merged > 0, left]).toEqual([true, RACERS - merged])
      expect(await countDangling()).toBe(0)
    }))
  it('is deleted or merged, and never both', () =>
    rounds(async () => {
      const [loser, survivor] = [await makeCustomer('Loser'), await makeCustomer('Survivor')]
      const answers = await race((racer) =>
        racer % 2 === 0 ? merge(loser, survivor, racer) : call('DELETE', `/customers/${loser}`, undefined, racer),
      )
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
      expect(answers.filter(({ status }) => status >= 300 && status !== 404)).toEqual([])
      expect(await statusesOf(loser, survivor)).toEqual([404, 200])
    }))
  it('that takes over an open booking is not deleted with it', () =>
    rounds(async (round) => {
      const names = [`L${round}`, `S${round}`].map((name) => ({ external_id: name, name }))
      const { rows } = await importRows(cells[0] as TestCell, agency.key, 'customers', names)
      const [loser, survivor] = rows.map(({ id }) => String(id)) as [string, string]
      const stay = { check_in_on: '2026-07-10', check_out_on: '2026-07-11', status: 'confirmed' }
      const booking = { external_id: `H${round}`, customer_external_id: `L${round}`, ...stay }
      await importRows(cells[0] as TestCell, agency.key, 'hotel_stays', [booking])
      const answers = await race((racer) =>
        racer % 2 === 0 ? merge(loser, survivor, racer) : call('DELETE', `/customers/${survivor}`, undefined, racer),
      )
      expect(answers.filter(({ status }) => ![200, 204, 404, 422].includes(status))).toEqual([])
      const [left, kept] = await statusesOf(loser, survivor)
      expect([
        [404, 200],
        [200, 404],
      ]).toContainEqual([left, kept])
      expect(await countDangling()).toBe(0)
    }))
  it('is merged and found by conversions, changes, notes and tasks at once', () =>
    rounds(async () => {
      const [loser, survivor] = [await makeCustomer('Loser'), await makeCustomer('Survivor')]
      const lead = (await call('POST', '/leads', { lead: { name: 'Loser' } })).data.id
      const answers = await race((racer) => {
        const steps = [
          () => merge(loser, survivor, racer),
          () => call('POST', `/leads/${lead}/convert`, { customer_id: loser }, racer),
          () => call('PATCH', `/customers/${loser}`, { customer: { code: `K${racer}` } }, racer),
          () => call('POST', `/customers/${loser}/notes`, { note: { body: 'x' } }, racer),
        ]
        return (steps[racer % steps.length] as () => Promise<Answer>)()
      })
      expect(answers.filter(({ status }) => ![200, 201, 404, 422].includes(status))).toEqual([])
      expect(answers.filter(({ status }, racer) => status === 200 && racer % 4 === 0)).toHaveLength(1)
      expect(await countDangling()).toBe(0)
    }))
})

describe('the unread count', () => {
  const count = undeclared<{ account: number; seat: string }, { count: number }>(
    'select count(*)::integer as count from notifications where account_id = $account and seat_id = $seat and read_at is null',
  )
  it('agrees with a full count, and each is marked once, under eight concurrent readers and new ones', async () => {
    const own = await makeAgency(cells[0] as TestCell)
    const seat = own.owner.id
    const notification = { seat, kind: 'task_due', title: 'Task due', body: null, priority: 'normal' } as const
    const tell = (racer: number) =>
      (cells[racer % PROCESSES] as TestCell).deps.db.inAccount(own.number, async (tx) =>
        notify(tx, { ...notification, subjectType: 'Task', subjectId: own.advisor, subjectLabel: 'Call' }),
      )
    const mark = (path: string, racer: number) => call('POST', `/notifications/${path}`, undefined, racer, own.key)
    const list = async (query: string) =>
      (await call('GET', `/notifications?limit=100&${query}`, undefined, 0, own.key)) as unknown as {
        data: Row[]
        unread_count: number
      }
    let unread = 0
    await rounds(async () => {
      await race(tell)
      const { data, unread_count } = await list('scope=unread')
      expect([unread_count, data.length]).toEqual([unread + RACERS, unread + RACERS])
      const answers = await race(async (racer) => {
        await tell(racer)
        return racer % 2 === 0 ? mark('mark_all_read', racer) : mark(`${data[racer]?.id}/mark_read`, racer)
      })
      expect(tally(answers)).toEqual({ 200: RACERS })
      for (const { unread_count } of answers) expect(unread_count).toBeLessThan(data.length + RACERS)
      const after = await list('scope=unread')
      unread = (await (cells[0] as TestCell).deps.db.reader(own.number).one(count, { seat }))?.count as number
      expect([after.unread_count, after.data.length]).toEqual([unread, unread])
    })
    expect(await mark('mark_all_read', 0)).toMatchObject({ data: { marked: unread }, unread_count: 0 })
  })
})
