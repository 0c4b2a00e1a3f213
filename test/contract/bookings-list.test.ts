import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'

import { POLICIES } from '../../src/platform/access/policies.ts'
import { importables } from '../../src/registry.ts'
import { runsOf } from '../fuzz/settings.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { saveRoleOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

type Item = Record<string, unknown> & {
  id: string
  vertical: string
  status: string
  travels_on: string | null
  transaction_date: string
  option_date: string | null
  invoiced: boolean
  customer: { id: string; name: string | null } | null
  supplier: { id: string } | null
  external_id: string
}
let cell: TestCell
let agency: Agency
let owner: string
let all: Item[]

const STATUSES = ['draft', 'option', 'confirmed', 'cancelled']
const day = (nth: number) => `2026-0${1 + (nth % 9)}-1${nth % 7}`
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  const send = (entity: string, rows: readonly object[]) => importRows(cell, agency.key, entity, [...rows])
  for (const { entity } of importables) await send(entity.key, entity.sample.rows)
  await send('customers', [
    { external_id: 'C-2', name: 'Ömer Şahin' },
    { external_id: 'C-3', name: 'Gizli Kişi' },
  ])
  await ask(cell, `insert into restricted_tags (account_id, name) values ($1, 'secret')`, [agency.number])
  await ask(cell, `update customers set tags = '{secret}' where account_id = $1 and external_id = 'C-3'`, [
    agency.number,
  ])
  const stays = Array.from({ length: 40 }, (_, nth) => ({
    external_id: `H-${nth}`,
    customer_external_id: ['C-1001', 'C-2', 'C-3', null][nth % 4],
    supplier_external_id: nth % 3 === 0 ? 'S-501' : null,
    assigned_to_email: nth % 5 === 0 ? 'advisor@agency.example' : null,
    check_in_on: day(nth),
    check_out_on: day(nth).replace(/-1/, '-2'),
    status: STATUSES[nth % STATUSES.length],
    option_date: nth % STATUSES.length === 1 ? day(nth + 3) : null,
    transaction_date: day(nth * 5),
    invoice_date: nth % 2 === 0 ? '2026-03-01' : null,
    sell_lines: [{ kind: 'other', amount: String(100 + nth) }],
    cost_lines: [{ kind: 'other', amount: String(80 + nth) }],
  }))
  await send('hotel_stays', stays)
  all = await walk({})
})

type Query = Readonly<Record<string, string>>
const page = async (query: Query, session = owner) => {
  const { status, body } = await cell.call('GET', `/app/v1/bookings?${new URLSearchParams(query)}`, { session })
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as { data: Item[]; page: { next_cursor: string | null } }
}
async function walk(query: Query, limit = 100): Promise<Item[]> {
  const found: Item[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, page: at } = await page({ ...query, limit: String(limit), ...(cursor && { cursor }) })
    found.push(...data)
    cursor = at.next_cursor
  }
  return found
}

const within = (value: string | null, from?: string, to?: string) =>
  value !== null && (from === undefined || value >= from) && (to === undefined || value <= to)
/** The filters again, over items as they are shown. */
const FITS: Readonly<Record<string, (item: Item, value: string) => boolean>> = {
  vertical: ({ vertical }, value) => value.split(',').includes(vertical),
  status: ({ status }, value) => value.split(',').includes(status),
  customer_id: ({ customer }, value) => customer?.id === value,
  supplier_id: ({ supplier }, value) => supplier?.id === value,
  advisor_id: ({ advisor }, value) => (advisor as { id: string } | null)?.id === value,
  branch_id: ({ branch_id }, value) => branch_id === value,
  travels_from: ({ travels_on }, value) => within(travels_on, value),
  travels_to: ({ travels_on }, value) => within(travels_on, undefined, value),
  transaction_from: ({ transaction_date }, value) => within(transaction_date, value),
  transaction_to: ({ transaction_date }, value) => within(transaction_date, undefined, value),
  option_before: ({ status, option_date }, value) => status === 'option' && option_date !== null && option_date < value,
  invoiced: ({ invoiced }, value) => String(invoiced) === value,
}
const keyOf: Readonly<Record<string, (item: Item) => string>> = {
  travels_on: ({ travels_on, id }) => `${travels_on ?? ''} ${id}`,
  transaction_date: ({ transaction_date, id }) => `${transaction_date} ${id}`,
  created_at: ({ id }) => id,
}

describe('the list of bookings', () => {
  it('has every vertical that the account has', () => {
    expect(new Set(all.map(({ vertical }) => vertical)).size).toBe(6)
    expect(all.length).toBe(46)
  })
  it('answers with any filters, in any order and in pages of any size what these mean', async () => {
    const ids = (of: (item: Item) => string | undefined) => [...new Set(all.flatMap((item) => of(item) ?? []))]
    const some = (values: readonly string[]) =>
      fc.subarray([...values], { minLength: 1 }).map((names) => names.join(','))
    const days = fc.constantFrom(...Array.from({ length: 20 }, (_, nth) => day(nth)))
    const filters = fc.record(
      {
        vertical: some(ids(({ vertical }) => vertical)),
        status: some(ids(({ status }) => status)),
        customer_id: fc.constantFrom(...ids(({ customer }) => customer?.id)),
        supplier_id: fc.constantFrom(...ids(({ supplier }) => supplier?.id)),
        advisor_id: fc.constantFrom(agency.advisor, agency.owner.id),
        branch_id: fc.constantFrom(agency.branch.id, agency.otherBranch),
        travels_from: days,
        travels_to: days,
        transaction_from: days,
        transaction_to: days,
        option_before: days,
        invoiced: fc.constantFrom('true', 'false'),
      },
      { requiredKeys: [] },
    )
    const sorts = fc.constantFrom('travels_on', '-travels_on', 'transaction_date', '-transaction_date', 'created_at')
    await fc.assert(
      fc.asyncProperty(filters, sorts, fc.integer({ min: 3, max: 50 }), async (given, sort, limit) => {
        const chosen = Object.entries(given) as [string, string][]
        const key = keyOf[sort.replace('-', '')] as (item: Item) => string
        const expected = all
          .filter((item) => chosen.every(([name, value]) => FITS[name]?.(item, value)))
          .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
        if (sort.startsWith('-')) expected.reverse()
        const found = await walk({ ...given, sort } as Query, limit)
        expect(found.map(({ external_id }) => external_id)).toEqual(expected.map(({ external_id }) => external_id))
      }),
      { numRuns: runsOf(60) },
    )
  })
  it.each([
    ['H-7', ['H-7']],
    ['h-7', ['H-7']],
    ['k7qw2m', ['TK-5001']],
    ['235-2403123456', ['TK-5001']],
    ['omer sah', ['H-1', 'H-13', 'H-17', 'H-21', 'H-25', 'H-29', 'H-33', 'H-37', 'H-5', 'H-9']],
    ['nothing of the kind', []],
    ["%_'", []],
  ])('finds by %j', async (q, expected) => {
    expect((await walk({ q })).map(({ external_id }) => external_id).toSorted()).toEqual(expected)
  })
  it('finds no ticket number and no name for a role that sees no personal data', async () => {
    const viewer = await sessionOf('viewer')
    const found = async (q: string) => (await page({ q }, viewer)).data.map(({ external_id }) => external_id)
    expect([await found('omer sah'), await found('235-2403123456'), await found('K7QW2M')]).toEqual([
      [],
      [],
      ['TK-5001'],
    ])
  })
  it('hides who a restricted customer is, and does not find it', async () => {
    const manager = await sessionOf('manager')
    expect((await page({ q: 'gizli' }, manager)).data).toEqual([])
    expect((await page({ q: 'gizli' })).data.length).toBe(10)
    const shown = (await page({ limit: '100' }, manager)).data.find(({ external_id }) => external_id === 'H-2')
    expect(shown?.customer).toMatchObject({ external_id: 'C-3', name: null })
  })
  it.each([
    ['status=sold', 'status'],
    ['vertical=hotels', 'vertical'],
    ['vertical=', 'vertical'],
    ['travels_from=soon', 'travels_from'],
    ['sort=price', 'sort'],
    ['customer_id=C-1001', 'customer_id'],
    ['invoiced=perhaps', 'invoiced'],
  ])('refuses %s', async (query, name) => {
    const { status, body } = await cell.call('GET', `/app/v1/bookings?${query}`, { session: owner })
    expect([status, Object.keys((body as { details: object }).details)]).toEqual([422, [name]])
  })
})

const sessions = new Map<string, string>()
async function sessionOf(role: string): Promise<string> {
  const known = sessions.get(role)
  if (known) return known
  const seat = { name: role, email: `${role}@agency.example`, role, branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  const session = await signInAs(cell, agency.number, id)
  sessions.set(role, session)
  return session
}

describe('a booking', () => {
  const read = async (id: string, session = owner) => {
    const { status, body } = await cell.call('GET', `/app/v1/bookings/${id}`, { session })
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    return (body as { data: Record<string, unknown> & { record: Record<string, unknown> } }).data
  }
  it.each(['no_view_money', 'no_view_costs', 'no_view_personal_data', 'no_view_trips', 'no_import_tickets', 'none'])(
    'of every vertical shows the role %s what the feed shows it, and no more',
    async (role) => {
      const policies = role === 'none' ? [] : POLICIES.filter((policy) => `no_${policy}` !== role)
      await saveRoleOf(cell, agency.number, role, policies)
      const session = await sessionOf(role)
      for (const { id, vertical, external_id } of new Map(all.map((item) => [item.vertical, item])).values()) {
        const { record, trips, captures, documents } = await read(id, session)
        const feed = await cell.call('GET', `/app/v1/imports/${vertical}/records/${external_id}`, { session })
        expect(record).toEqual((feed.body as { data: object }).data)
        expect([trips === null, captures === null]).toEqual([
          !policies.includes('view_trips'),
          !policies.includes('import_tickets'),
        ])
        for (const { type, gross } of documents as { type: string; gross: string | null }[]) {
          const isSeen =
            policies.includes('view_money') && (type !== 'supplier_bill' || policies.includes('view_costs'))
          expect(gross !== null).toBe(isSeen)
        }
      }
      const { data } = await page({ limit: '100' }, session)
      const shows = (name: string) => data.some((item) => item[name] !== null)
      const [money, costs] = [policies.includes('view_money'), policies.includes('view_costs')]
      expect(['sell', 'vat', 'cost', 'margin'].map(shows)).toEqual([money, money, money && costs, money && costs])
      expect(data.some(({ customer }) => customer?.name)).toBe(policies.includes('view_personal_data'))
    },
  )
  it('says which documents it has, what can be changed and what it can become', async () => {
    const of = async (external_id: string) => read(String(all.find((item) => item.external_id === external_id)?.id))
    expect(await of('H-6')).toMatchObject({
      record: { status: 'confirmed', invoiced: true },
      next_statuses: ['in_house', 'cancelled', 'no_show'],
      locked: 'invoiced',
      editable: ['notes'],
      priced_by: [],
      documents: [
        { type: 'supplier_bill', gross: '86.00', status: 'open' },
        { type: 'invoice', gross: '106.00', paid: '0.00', status: 'posted', reverses_id: null },
      ].toSorted(),
    })
    const draft = await of('H-4')
    expect(draft).toMatchObject({ locked: null, next_statuses: ['option', 'confirmed', 'cancelled'], documents: [] })
    expect(draft.editable).toEqual(expect.arrayContaining(['check_in_on', 'customer_id', 'rooms', 'notes']))
    expect(draft.priced_by).toEqual(expect.arrayContaining(['sell_lines', 'cost_lines', 'rate_basis', 'rooms']))
    expect((await of('H-3')).locked).toBe('cancelled')
  })
  it('of another account, or that was deleted, is not found', async () => {
    const other = await makeAgency(cell)
    const stranger = await signInAs(cell, other.number, other.owner.id)
    const [item] = all
    const { status } = await cell.call('GET', `/app/v1/bookings/${item?.id}`, { session: stranger })
    expect(status).toBe(404)
    expect((await cell.call('GET', `/app/v1/bookings`, { session: stranger })).body).toMatchObject({ data: [] })
  })
})
