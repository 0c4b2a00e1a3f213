import { beforeAll, describe, expect, it } from 'vitest'
import { timelineOfCustomer } from '../../src/features/timeline/timeline.view.ts'
import { ALL_POLICIES } from '../../src/platform/access/policies.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { importRows } from '../harness/agency.ts'
import { restrictTagOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { withTripEditors } from '../harness/trip-editing.ts'

const { the, trips, sessionOf } = withTripEditors()
type Entry = { kind: string; id: string; at: string; title: string | null; amount: string | null }
type Page = { data: Entry[]; page: { next_cursor: string | null } }
const KINDS = ['booking', 'trip', 'message', 'note', 'document', 'task']

let customer: string
beforeAll(async () => {
  await importRows(the.cell, the.agency.key, 'customers', [{ external_id: 'T', name: 'Zeynep Kaya' }])
  const [found] = await ask<{ id: string }>(
    the.cell,
    `update customers set tags = '{vip}' where external_id = 'T' returning id`,
    [],
  )
  customer = found?.id ?? 'none'
  const stay = { external_id: 'H', customer_external_id: 'T', check_in_on: '2031-05-10', check_out_on: '2031-05-11' }
  const { rows } = await importRows(the.cell, the.agency.key, 'hotel_stays', [stay])
  await trips.make(the.agency, { title: 'Rome' }, customer)
  const post = (path: string, body: object) => the.cell.call('POST', path, { key: the.agency.key, body })
  await post(`/customers/${customer}/notes`, { note: { body: 'Prefers windows' } })
  await post('/communications', {
    communication: { channel: 'phone', direction: 'internal', customer_id: customer, body_plain: 'Called' },
  })
  await post('/tasks', { task: { subject: 'Call back', taskable_type: 'Customer', taskable_id: customer } })
  await ask(
    the.cell,
    `insert into customer_invoices (account_id, company_id, document_type, number, booking_id, customer_id, currency, issued_on, due_on, lines, net, vat, gross, tax_point_on)
     select account_id, company_id, 'invoice', 'INV-1', id, customer_id, 'EUR', '2026-01-01', '2026-01-01', '[]', 100, 20, 120, '2026-01-01' from bookings where id = $1`,
    [rows[0]?.id],
  )
})
const read = async (of: string, query = '', session = the.owner) => {
  const answer = await the.cell.call('GET', `/app/v1/customers/${of}/timeline?${query}`, { session })
  return answer.body as Page
}
async function walk(of: string, query: string): Promise<Entry[]> {
  const all: Entry[] = []
  for (let cursor = ''; ; ) {
    const { data, page } = await read(of, `${query}${cursor && `&cursor=${cursor}`}`)
    all.push(...data)
    if (page.next_cursor === null) return all
    cursor = page.next_cursor
  }
}

/** How PostgreSQL reads the first page, as a role of the program under row-level security. */
const planOf = (of: string) =>
  withClient({ ...the.cell.connection, user: 'postgres' }, async (client) => {
    await client.query('analyze')
    await client.query('set role backdesk_app')
    await client.query(`select set_config('app.account', $1, false)`, [String(the.agency.number)])
    const statement = timelineOfCustomer(ALL_POLICIES, false)
    const input = { account: the.agency.number, customer: of, kinds: KINDS, limit: 50, after: null }
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${statement.text}`,
      statement.values(input),
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })

describe('the timeline of a customer', () => {
  it('has every kind, newest first, and the same in pages of any size', async () => {
    const { data } = await read(customer)
    expect(data.map(({ kind }) => kind).toSorted()).toEqual(KINDS.toSorted())
    expect(data.map(({ at }) => at)).toEqual(
      data
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    for (const limit of [1, 2, 5]) expect(await walk(customer, `limit=${limit}`)).toEqual(data)
    for (const kind of KINDS)
      expect((await read(customer, `kinds=${kind}`)).data).toEqual(data.filter((entry) => entry.kind === kind))
    const two = await walk(customer, 'limit=1&kinds=note,task')
    expect(two).toEqual(data.filter(({ kind }) => ['note', 'task'].includes(kind)))
  })
  it('shows each role what it sees elsewhere', async () => {
    const seen = async (session: string) =>
      Object.fromEntries(
        (await read(customer, '', session)).data.map(({ kind, title, amount }) => [kind, [title, amount]]),
      )
    expect(await seen(the.owner)).toMatchObject({
      note: ['Prefers windows', null],
      message: ['Called', null],
      document: ['INV-1', '120.00'],
      trip: ['Rome', null],
    })
    expect(await seen(await sessionOf('viewer'))).toMatchObject({
      note: [null, null],
      message: [null, null],
      document: ['INV-1', null],
    })
    await restrictTagOf(the.cell, the.agency.number, 'vip')
    expect(await seen(the.advisor)).toMatchObject({
      note: [null, null],
      message: [null, null],
      document: ['INV-1', '120.00'],
    })
    await restrictTagOf(the.cell, the.agency.number, 'vip', false)
  })
  it('is refused for an unknown kind, and not found for another account', async () => {
    const status = async (path: string) => (await the.cell.call('GET', path, { session: the.owner })).status
    expect(await status(`/app/v1/customers/${customer}/timeline?kinds=note,leads`)).toBe(422)
    expect(await status('/app/v1/customers/01890000-0000-7000-8000-000000000000/timeline')).toBe(404)
  })
  it('of 10,000 entries is walked without loss, and read by a page of each kind', async () => {
    const many = await trips.customer(the.agency, { name: 'Many' })
    await ask(
      the.cell,
      `insert into customer_notes (account_id, customer_id, source, body, created_at)
       select $1, $2, 'api', 'N' || nth, now() - nth * interval '1 minute' from generate_series(1, 5000) nth`,
      [the.agency.number, many],
    )
    await ask(
      the.cell,
      `insert into tasks (account_id, subject, taskable_type, taskable_id, created_at)
       select $1, 'T' || nth, 'Customer', $2, now() - nth * interval '1 minute' from generate_series(1, 5000) nth`,
      [the.agency.number, many],
    )
    const all = await walk(many, 'limit=100')
    expect(new Set(all.map(({ id }) => id)).size).toBe(10_000)
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    const plan = await planOf(many)
    for (const table of ['customer_notes', 'tasks'])
      expect(plan).toMatch(new RegExp(`Index Scan Backward using \\w+ on ${table} r\\w* \\(actual rows=51\\b`))
  }, 60_000)
})
