import { beforeAll, describe, expect, it } from 'vitest'
import { nextWorkdaySql } from '../../src/features/surveys/commands/follow-up.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { english } from '../harness/sample-trips.ts'
import { surveysOf } from '../harness/surveys.ts'

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { sql, invite, open, send, kept } = surveysOf(() => cell)

describe('a detractor', () => {
  type Opened = { task: Record<string, unknown>; notified: Record<string, unknown>[] }
  async function opened(trip: string): Promise<Opened> {
    const [task] = await sql<Record<string, unknown>>(
      `select id, subject, priority, assigned_to_id, owner_id, taskable_type, due_at from tasks where taskable_id = $1`,
      [trip],
    )
    const notified = await sql<Record<string, unknown>>(
      `select seat_id, kind, title, priority, subject_type from notifications where subject_id = $1`,
      [trip],
    )
    return { task: task as Opened['task'], notified }
  }
  it.each([
    [0, true],
    [6, true],
    [7, false],
    [10, false],
  ])('answers up to 6: %i', async (likelihood, expected) => {
    const survey = await invite(agency, english)
    await send(survey.path, { likelihood: String(likelihood) })
    const { task, notified } = await opened(survey.trip)
    expect([task !== undefined, notified.length, (await kept(survey)).task]).toEqual([
      expected,
      expected ? 1 : 0,
      expected ? task.id : null,
    ])
  })
  it('creates a task for the advisor, or the owner, once, without the customer’s name', async () => {
    const survey = await invite(agency, english, { columns: { advisor_id: agency.advisor } })
    for (const likelihood of ['9', '2', '8', '0']) await send(survey.path, { likelihood, comment: 'Ayşe is angry' })
    const { task, notified } = await opened(survey.trip)
    expect(task).toMatchObject({
      priority: 'high',
      assigned_to_id: agency.advisor,
      owner_id: null,
      taskable_type: 'Trip',
    })
    expect(notified).toMatchObject([
      { seat_id: agency.advisor, kind: 'survey_detractor', priority: 'high', subject_type: 'Trip' },
    ])
    expect(JSON.stringify([task, notified])).not.toMatch(/Ayşe|angry|Rome/)
    const [reference] = await sql<{ reference_number: string }>('select reference_number from trips where id = $1', [
      survey.trip,
    ])
    expect(task.subject).toBe(`Talk to the customer of ${reference?.reference_number}`)

    const own = await makeAgency(cell)
    await sql('update seats set active = false where id = $1', [own.advisor])
    const left = await invite(own, english, { columns: { advisor_id: own.advisor } })
    await send(left.path, { likelihood: '2' })
    expect(await opened(left.trip)).toMatchObject({
      task: { assigned_to_id: own.owner.id },
      notified: [{ seat_id: own.owner.id }],
    })
  })
  it('is called on the morning of the next working day of the account', async () => {
    const survey = await invite(agency, english)
    const dayAfterNow = async () => {
      const next = nextWorkdaySql(`(now() at time zone 'Europe/Istanbul')::date`)
      return (await sql<{ day: string }>(`select (${next})::text as day`))[0]?.day
    }
    const before = await dayAfterNow()
    await send(survey.path, { likelihood: '2' })
    const { due_at } = (await opened(survey.trip)).task
    const due = Temporal.Instant.from((due_at as Date).toISOString()).toZonedDateTimeISO('Europe/Istanbul')
    expect([before, await dayAfterNow()]).toContain(due.toPlainDate().toString())
    expect(due.toPlainTime().toString()).toBe('09:00:00')
  })
  it.each([
    ['Thursday', '2031-05-08', '2031-05-09'],
    ['Friday', '2031-05-09', '2031-05-12'],
    ['Saturday', '2031-05-10', '2031-05-12'],
    ['Sunday', '2031-05-11', '2031-05-12'],
    ['Monday', '2031-05-12', '2031-05-13'],
  ])('of a %s is called on the next day from Monday to Friday', async (_, day, next) => {
    expect(await sql(`select (${nextWorkdaySql('$1::date')})::text as next`, [day])).toEqual([{ next }])
  })
  it('stays without a second task when the first was deleted and the answer is changed', async () => {
    const survey = await invite(agency, english)
    await send(survey.path, { likelihood: '2' })
    await sql('delete from tasks where taskable_id = $1', [survey.trip])
    await send(survey.path, { likelihood: '1' })
    expect([(await opened(survey.trip)).task, (await kept(survey)).nps]).toEqual([undefined, 1])
  })
})

describe('a merge of customers', () => {
  it('takes the surveys along', async () => {
    const survey = await invite(agency, english)
    const other = await invite(agency, english)
    const { status } = await cell.call('POST', `/customers/${survey.customer}/merge`, {
      key: agency.key,
      body: { into_id: other.customer },
    })
    expect(status).toBeLessThan(300)
    const [{ customer_id } = {}] = await sql<{ customer_id: string }>('select customer_id from surveys where id = $1', [
      survey.id,
    ])
    expect(customer_id).toBe(other.customer)
    expect((await open(survey.path)).statusCode).toBe(200)
  })
})
