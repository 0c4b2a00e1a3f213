import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { type FullAgency, makeFullAgency } from '../harness/full-agency.ts'
import { ask } from '../harness/sql.ts'

type List = { key: string; query: Record<string, string> }
type Counted = { count: number; list: List }
type Amounts = Counted & {
  base: { currency: string; amount: string | null } | null
  by_currency: { currency: string; amount: string | null }[]
}
type Travels = { count: number; items: { id: string; customer: string | null }[] } | null
type Today = Record<string, Counted | null> & {
  day: string
  departures: Travels
  arrivals: Travels
  failed_deliveries: (Counted & { webhook_id: string })[] | null
}
type Totals = { documents?: number; base: Record<string, string> | null; by_currency: Record<string, string>[] }

let cell: TestCell
let own: FullAgency
const seats = new Map<string, { id: string; session: string }>()
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  own = await makeFullAgency(cell, 'Zzyzx')
  const { number } = own.agency
  for (const role of Object.keys(BUILT_IN_ROLES)) {
    const seat = { name: role, email: `${role}@today.example`, role, branchId: null }
    const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, number, seat))
    seats.set(role, { id, session: await signInAs(cell, number, id) })
    await ask(
      cell,
      `insert into tasks (account_id, subject, assigned_to_id) select $1, 'Call', $2 from generate_series(1, 3)`,
      [number, id],
    )
  }
  const today = `(now() at time zone 'Europe/Istanbul')::date`
  await ask(cell, `update bookings set transaction_date = ${today} where account_id = $1 and entity <> 'tickets'`, [
    number,
  ])
  await ask(cell, `update bookings set option_date = ${today} + 2 where account_id = $1 and status = 'option'`, [
    number,
  ])
  await ask(
    cell,
    `update trips set status = 'confirmed', start_date = ${today} + 2, end_date = ${today} + 5 where account_id = $1`,
    [number],
  )
  await ask(cell, `update import_batches set status = 'failed' where account_id = $1 and entity = 'suppliers'`, [
    number,
  ])
})

const read = async <T>(path: string, role: string) => {
  const { status, body, text } = await cell.call('GET', `/app/v1/${path}`, { session: seats.get(role)?.session ?? '' })
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
  return body as T
}
const today = async (role: string) => (await read<{ data: Today }>('today', role)).data
const pathOf = ({ key, query }: List) => `${key}?${new URLSearchParams(query)}`
/** Every page of a list. */
async function count(list: List, role: string): Promise<number> {
  let [found, cursor] = [0, '']
  for (;;) {
    const path = `${pathOf(list)}&limit=100${cursor && `&cursor=${cursor}`}`
    const { data, page } = await read<{ data: unknown[]; page: { next_cursor: string | null } }>(path, role)
    found += data.length
    if (!page.next_cursor) return found
    cursor = page.next_cursor
  }
}

describe.each(Object.entries(BUILT_IN_ROLES))('today of %s', (role, policies) => {
  it('counts what its lists hold', async () => {
    const data = await today(role)
    for (const name of ['trips', 'tasks', 'messages', 'notifications', 'failed_imports']) {
      const figure = data[name]
      if (figure) expect([name, figure.count]).toEqual([name, await count(figure.list, role)])
    }
    for (const figure of data.failed_deliveries ?? []) expect(figure.count).toBe(await count(figure.list, role))
    if (data.failed_captures) {
      const groups = await read<{ data: { count: number }[] }>('ticket_imports/failures', role)
      expect(data.failed_captures.count).toBe(groups.data.reduce((sum, group) => sum + group.count, 0))
    }
    expect(data.tasks?.count).toBe(3)
  })
  it('adds up what its reports add up', async () => {
    const data = await today(role)
    for (const [name, column] of [
      ['sales', 'sell'],
      ['margin', 'margin'],
      ['owed', 'open'],
      ['due', 'open'],
    ] as const) {
      const figure = data[name] as Amounts | null
      if (!figure) continue
      const { totals, summary } = await read<{ totals: Totals; summary: { bookings?: number } }>(
        pathOf(figure.list),
        role,
      )
      expect([name, figure.count]).toEqual([name, summary.bookings ?? totals.documents])
      expect(figure.by_currency).toEqual(
        totals.by_currency.map((of) => ({ currency: of.currency, amount: of[column] })),
      )
      expect(figure.base).toEqual(totals.base && { currency: totals.base.currency, amount: totals.base[column] })
    }
    if (data.options) {
      const { summary } = await read<{ summary: { rows: number } }>(pathOf(data.options.list), role)
      expect(data.options.count).toBe(summary.rows)
    }
  })
  it('has the sections that the role has the lists of, and no other', async () => {
    const data = await today(role)
    const has = (...needed: Parameters<typeof policies.has>[0][]) => needed.every((policy) => policies.has(policy))
    const expected = {
      sales: has('view_reports', 'view_money'),
      margin: has('view_reports', 'view_money', 'view_costs'),
      owed: has('view_reports', 'view_money'),
      due: has('view_reports', 'view_money', 'view_costs'),
      options: has('view_reports'),
      departures: has('view_trips'),
      arrivals: has('view_trips'),
      trips: has('view_trips'),
      failed_imports: has('import_records'),
      failed_captures: has('import_tickets'),
      failed_deliveries: has('manage_webhooks'),
    }
    for (const [name, isThere] of Object.entries(expected)) expect([name, data[name] !== null]).toEqual([name, isThere])
    for (const { customer } of data.departures?.items ?? []) if (!has('view_personal_data')) expect(customer).toBeNull()
    if (data.departures)
      expect([data.departures.count > 0, data.departures.count]).toEqual([true, data.arrivals?.count])
  })
})
