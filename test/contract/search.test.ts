import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { restrictTag } from '../../src/features/customers/commands/restrict-tag.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { type FullAgency, makeFullAgency } from '../harness/full-agency.ts'
import { ask } from '../harness/sql.ts'

type Found = {
  id: string
  kind: string
  type: string | null
  title: string | null
  subtitle: string | null
  parent_id: string | null
}
type Group = { kind: string; items: Found[] }

const MARK = 'Zzyzx'
const PEOPLE = ['Ayşe Işık', 'İbrahim Iğdırlı', 'Özlem Çağla Şimşek', 'Jürgen Groß', 'Anna', "Seán O'Neill 100%_"]

let cell: TestCell
let own: FullAgency
const sessions = new Map<string, string>()
const made = new Map<string, string>()
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  own = await makeFullAgency(cell, MARK)
  for (const name of PEOPLE) {
    const customer = {
      name,
      email: `p${made.size}@people.example`,
      phone: `+90532000${1000 + made.size}`,
      code: `P${made.size}`,
    }
    const { body } = await cell.call('POST', '/customers', { key: own.agency.key, body: { customer } })
    made.set(name, (body as { data: { id: string } }).data.id)
  }
  for (const role of Object.keys(BUILT_IN_ROLES)) {
    const seat = { name: role, email: `${role}@people.example`, role, branchId: null }
    const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, own.agency.number, seat))
    sessions.set(role, await signInAs(cell, own.agency.number, id))
  }
})

async function groups(q: string, role = 'owner', query = ''): Promise<Group[]> {
  const path = `/app/v1/search?q=${encodeURIComponent(q)}${query}`
  const { status, body, text } = await cell.call('GET', path, { session: sessions.get(role) ?? '' })
  expect([status, status === 200 ? '' : text]).toEqual([200, ''])
  return (body as { data: Group[] }).data
}
const found = async (q: string, kind: string, role = 'owner') =>
  (await groups(q, role, `&kind=${kind}&limit=50`)).flatMap(({ items }) => items)
const idsFor = async (...about: Parameters<typeof found>) => (await found(...about)).map(({ id }) => id)

/** The text that each record of a kind is found by, and its id. */
const BY_NUMBER: Readonly<Record<string, string>> = {
  customers: `select code as q, id from customers where code is not null and deleted_at is null and account_id = $1`,
  bookings:
    'select external_id as q, id from bookings where external_id is not null and deleted_at is null and account_id = $1',
  tickets: `select coalesce(pnr, gds_pnr) as q, t.id from tickets t join bookings b using (account_id, id)
    where coalesce(pnr, gds_pnr) is not null and b.deleted_at is null and account_id = $1`,
  trips: 'select reference_number as q, id from trips where account_id = $1',
  documents: `select number as q, id from customer_invoices where account_id = $1
    union all select bill_number, id from supplier_bills where account_id = $1 and deleted_at is null
    union all select invoice_number, id from operator_invoices where account_id = $1 and deleted_at is null`,
  suppliers: 'select code as q, id from suppliers where code is not null and deleted_at is null and account_id = $1',
}
const BY_NAME: Readonly<Record<string, string>> = {
  customers: 'select name as q, id from customers where name is not null and deleted_at is null and account_id = $1',
  travelers: `select concat_ws(' ', v.first_name, v.last_name) as q, v.id from travelers v
    join customers c on c.account_id = v.account_id and c.id = v.customer_id and c.deleted_at is null where v.account_id = $1`,
  trips: 'select title as q, id from trips where account_id = $1',
  leads: 'select name as q, id from leads where deleted_at is null and account_id = $1',
  suppliers: 'select name as q, id from suppliers where deleted_at is null and account_id = $1',
}
/** As many as have one answer: names that many records share are found by some of these. */
const few = async (sql: string) =>
  await ask<{ q: string; id: string }>(
    cell,
    `select * from (${sql}) k where length(q) between 1 and 40 order by id desc`,
    [own.agency.number],
  )
const FEW = 30

describe('the search', () => {
  it.each(Object.entries(BY_NUMBER))('finds %s by their number, in any case', async (kind, sql) => {
    const all = await few(sql)
    expect(all.length).toBeGreaterThan(0)
    for (const { q, id } of all.slice(0, FEW)) {
      const same = all.filter((other) => other.q.toUpperCase() === q.toUpperCase()).length
      if (same <= FEW) expect([q, await idsFor(q.toLowerCase(), kind)]).toEqual([q, expect.arrayContaining([id])])
    }
  })
  it.each(Object.entries(BY_NAME))('finds %s by their name', async (kind, sql) => {
    const all = await few(sql)
    expect(all.length).toBeGreaterThan(0)
    for (const { q, id } of all.slice(0, FEW)) {
      const same = all.filter((other) => other.q.toUpperCase().startsWith(q.toUpperCase())).length
      if (same <= FEW) expect([q, await idsFor(q, kind)]).toEqual([q, expect.arrayContaining([id])])
    }
  })

  it('finds tickets by every number, with a dash, with spaces, and without the airline', async () => {
    const numbers = await ask<{ number: string; booking_id: string }>(
      cell,
      `select number, booking_id from ticket_numbers n join bookings b on b.account_id = n.account_id and b.id = n.booking_id
       where b.deleted_at is null and n.account_id = $1`,
      [own.agency.number],
    )
    expect(numbers.length).toBeGreaterThan(0)
    for (const { number, booking_id } of numbers.slice(0, FEW)) {
      const [airline, rest] = [number.slice(0, 3), number.slice(3)]
      for (const q of [number, `${airline}-${rest}`, `${airline} ${rest}`, rest, number.slice(0, 11), `${number}0`])
        expect([q, await idsFor(q, 'tickets')]).toEqual([q, expect.arrayContaining([booking_id])])
      expect((await found(number, 'tickets')).find(({ id }) => id === booking_id)?.title).toBe(`${airline}-${rest}`)
    }
  })

  it('finds a person by the beginning of any name order, whatever its case and accents', async () => {
    const plain = (text: string) => text.replaceAll('ı', 'i').normalize('NFD').replace(/\p{M}/gu, '')
    const letters = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toLocaleUpperCase('tr'),
      (text) => text.toLocaleLowerCase('tr'),
      (text) => plain(text).toUpperCase(),
      plain,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PEOPLE),
        fc.nat(),
        fc.boolean(),
        letters,
        async (name, cut, isLast, spelt) => {
          const of = isLast ? (name.split(' ').at(-1) as string) : name
          const q = spelt(of.slice(0, 2 + (cut % of.length)))
          expect([q, await idsFor(q, 'customers')]).toEqual([q, expect.arrayContaining([made.get(name)])])
        },
      ),
      { numRuns: 60 },
    )
  })

  it('finds a person by e-mail, by parts of it, and by a phone number as people write it', async () => {
    const anna = made.get('Anna')
    const at = PEOPLE.indexOf('Anna')
    for (const q of [`p${at}@people.example`, `p${at}@PEO`, `0532 000 1${'00'}${at}`, `32000100${at}`])
      expect([q, await idsFor(q, 'customers')]).toEqual([q, expect.arrayContaining([anna])])
  })

  it('answers at most as many as asked, each once, the group with an exact match first', async () => {
    const all = await groups('a')
    expect(all.length).toBeGreaterThan(2)
    for (const { kind, items } of all) {
      expect(items.length).toBeLessThanOrEqual(5)
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
      expect(items.map((item) => item.kind)).toEqual(items.map(() => kind))
      expect(await groups('a', 'owner', `&kind=${kind}&limit=1`)).toEqual([{ kind, items: [expect.anything()] }])
    }
    const [{ q } = { q: '' }] = await few(BY_NUMBER.documents as string)
    expect((await groups(q))[0]?.kind).toBe('documents')
  })

  it('answers nothing to blanks, and to any text without an error', async () => {
    expect(await groups('   ')).toEqual([])
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), async (q) => {
        const { status } = await cell.call('GET', `/app/v1/search?q=${encodeURIComponent(q)}`, {
          session: sessions.get('owner') ?? '',
        })
        expect([200, 400, 422]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })

  it('finds nothing of another account', async () => {
    const other = await makeAgency(cell)
    const stranger = await signInAs(cell, other.number, other.owner.id)
    for (const q of [MARK, 'a', 'Ayşe', ...(await few(BY_NUMBER.documents as string)).map(({ q }) => q)]) {
      const { text } = await cell.call('GET', `/app/v1/search?q=${encodeURIComponent(q)}`, { session: stranger })
      expect([q, text]).toEqual([q, '{"data":[]}'])
    }
  })
})

describe.each(Object.entries(BUILT_IN_ROLES))('the search of %s', (role, policies) => {
  it('finds people by their identity only with personal data', async () => {
    for (const kind of ['customers', 'travelers', 'leads']) {
      const [{ q } = { q: '' }] = await few(BY_NAME[kind] as string)
      for (const text of kind === 'customers' ? [q, 'p0@people.example', '0532 000 1000'] : [q])
        expect([kind, text, (await found(text, kind, role)).length > 0]).toEqual([
          kind,
          text,
          policies.has('view_personal_data'),
        ])
    }
  })
  it('shows a record that it finds by a number with what the role sees of it', async () => {
    const [customer] = await found('P0', 'customers', role)
    const sees = policies.has('view_personal_data')
    expect(customer).toMatchObject({ id: made.get('Ayşe Işık'), title: sees ? 'Ayşe Işık' : null })
    const text = JSON.stringify(await found('P0', 'customers', role))
    expect(text.includes('people.example')).toBe(sees)
  })
  it('has trips, invoices and bills only where the role has', async () => {
    const [trip] = await few(BY_NUMBER.trips as string)
    expect((await found(trip?.q ?? '', 'trips', role)).length > 0).toBe(policies.has('view_trips'))
    const types = new Set<string | null>()
    for (const { q } of await few(BY_NUMBER.documents as string))
      for (const { type } of await found(q, 'documents', role)) types.add(type)
    expect(types.has('customer_invoice')).toBe(policies.has('view_money'))
    expect(types.has('supplier_bill') || types.has('operator_invoice')).toBe(
      policies.has('view_money') && policies.has('view_costs'),
    )
  })
  it('finds customers with a restricted tag by their name only if the role may know them', async () => {
    const name = 'Özlem Çağla Şimşek'
    const id = made.get(name) ?? ''
    await ask(cell, `update customers set tags = '{hidden}' where id = $1`, [id])
    await cell.deps.db.inAccount(own.agency.number, (tx) => restrictTag(tx, 'hidden', true))
    const sees = policies.has('view_personal_data') && policies.has('view_restricted_customers')
    for (const q of [name, 'Şimşek', 'Çağla', 'p2@people.example', '0532 000 1002'])
      expect([q, (await idsFor(q, 'customers', role)).includes(id)]).toEqual([q, sees])
    expect((await found('P2', 'customers', role))[0]).toMatchObject({ id, title: sees ? name : null })
    await cell.deps.db.inAccount(own.agency.number, (tx) => restrictTag(tx, 'hidden', false))
  })
})
