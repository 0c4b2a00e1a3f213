import { insertCustomer, listCustomers, readCustomer } from '../../src/features/customers/customers.store.ts'
import { BUILT_IN_ROLES, type Policies } from '../../src/platform/access/policies.ts'
import type { AccountReader } from '../../src/platform/db/account-tx.ts'
import type { Statement } from '../../src/platform/db/statement.ts'
import type { Agency } from '../agencies.ts'
import type { BareRoute, BareSql } from '../bare.ts'
import { startBare } from '../bare-client.ts'
import { bearer, get, loadByAccount, loadInTurns, type Turn } from '../http.ts'
import { alternate, ratioOf, type Target } from '../measure.ts'
import type { World } from '../world.ts'
import type { Case } from './case.ts'

const PAGE = 25
const DEEP_PAGE = 1_000
const WALKED_AT_ONCE = 100
const OWNER = BUILT_IN_ROLES.owner as Policies
const JSON_TYPE = { 'content-type': 'application/json' }

/** The statement with its parameters by name, for the bare server to fill in. */
function sqlOf<I>({ text, values }: Statement<I, unknown>): BareSql {
  const byName = new Proxy({}, { get: (_, name) => `$${String(name)}` })
  return { text, values: values(byName as I) }
}
/** The statements that find the first page, in a case in which none finds anything. */
async function listed(q?: string): Promise<BareSql[]> {
  const sent: BareSql[] = []
  const one = async (statement: Statement<unknown, unknown>) => void sent.push(sqlOf(statement))
  await listCustomers({ one } as unknown as AccountReader, OWNER, { limit: PAGE, after: null }, q, {})
  return sent
}

/** Everything that a row needs, so that both sides store the same. */
const customer = {
  name: 'Ayşe Yılmaz',
  first_name: 'Ayşe',
  last_name: 'Yılmaz',
  email: 'ayse.yilmaz@example.com',
  phone: '+905321234567',
  customer_type: 'individual',
  opted_in_marketing: false,
  active: true,
  address: { city: 'İstanbul', line: 'Bağdat Caddesi 101' },
  tags: [],
}

const routes: BareRoute[] = [
  { path: '/page', page: await listed() },
  { path: '/customer', item: sqlOf(readCustomer(OWNER)) },
  { path: '/search', page: await listed('abc') },
  { path: '/create', insert: sqlOf(insertCustomer) },
]

/** A customer of each account, and the cursor of its page 1,000. */
type Place = { readonly id: string; readonly cursor: string }
type Page = { data: { id: string }[]; page: { next_cursor: string } }

/** Walks in long pages, which takes few of the requests that an account may send. */
async function placeIn(url: string, key: string, depth: number): Promise<Place> {
  let place: Place | undefined
  for (let passed = 0; passed < depth; ) {
    const limit = Math.min(WALKED_AT_ONCE, depth - passed)
    const after = place ? `&cursor=${place.cursor}` : ''
    const { data, page } = JSON.parse(await get(`${url}/api/v1/customers?limit=${limit}${after}`, key)) as Page
    place = { id: data[0]?.id as string, cursor: page.next_cursor }
    passed += limit
  }
  return place as Place
}

async function run({ filled, rounds, customersEach }: World) {
  const { cell, connection, all, reads } = await filled()
  const bare = await startBare({ connection, routes })
  // Page 1,000 exists in every account: of 25 at 25,000 customers each, of fewer where there are fewer.
  const deepLimit = Math.max(1, Math.min(PAGE, Math.floor((customersEach - 1) / DEEP_PAGE)))
  const deep = new Map<Agency, Place>()
  for (const agency of all.slice(1)) deep.set(agency, await placeIn(cell.url, agency.key, (DEEP_PAGE - 1) * deepLimit))
  const placeOf = (agency: Agency) => deep.get(agency) as Place

  const product = (path: (agency: Agency) => string, body?: object) => () =>
    loadByAccount(cell.url, reads, (agency) => turn(`/api/v1/customers${path(agency)}`, bearer(agency.key), body))
  let nth = 0
  const ceiling = (path: string, more: (agency: Agency) => Record<string, string>, body?: object) => () =>
    loadInTurns(bare, () => {
      const agency = all[1 + (nth++ % (all.length - 1))] as Agency
      const query = new URLSearchParams({ account: String(agency.account), ...more(agency) })
      return turn(`${path}?${query}`, {}, body)
    })
  const compare = async (name: string, target: Target | null, sides: Sides) => {
    await alternate(1, sides) // warms both up
    const at = await alternate(rounds, sides)
    return ratioOf({ name, unit: 'requests/s', target }, at.product, at.ceiling)
  }
  const search = (q: string) => ({
    product: product(() => `?limit=${PAGE}&q=${encodeURIComponent(q)}`),
    ceiling: ceiling('/search', () => ({ limit: String(PAGE), q })),
  })
  const rare = `yilmaz ${Math.ceil(customersEach * 0.7)}`
  return [
    await compare(
      `GET /customers?limit=${PAGE}`,
      { atLeast: 0.8 },
      {
        product: product(() => `?limit=${PAGE}`),
        ceiling: ceiling('/page', () => ({ limit: String(PAGE) })),
      },
    ),
    await compare(
      `GET /customers, page 1,000 against page 1, ${deepLimit} a page`,
      { atLeast: 0.9 },
      {
        product: product((agency) => `?limit=${deepLimit}&cursor=${placeOf(agency).cursor}`),
        ceiling: product(() => `?limit=${deepLimit}`),
      },
    ),
    await compare(
      'GET /customers/{id}',
      { atLeast: 0.85 },
      {
        product: product((agency) => `/${placeOf(agency).id}`),
        ceiling: ceiling('/customer', (agency) => ({ id: placeOf(agency).id })),
      },
    ),
    await compare('GET /customers?q=, a common word', null, search('yilmaz')),
    await compare('GET /customers?q=, a rare word', null, search(rare)),
    await compare(
      'POST /customers',
      { atLeast: 0.9 },
      {
        product: product(() => '', { customer }),
        ceiling: ceiling('/create', ({ company, branch }) => ({ company, branch }), customer),
      },
    ),
  ]
}

type Sides = Readonly<Record<'product' | 'ceiling', () => Promise<number>>>
const turn = (path: string, headers: Record<string, string>, body?: object): Turn =>
  body ? { method: 'POST', path, headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) } : { path, headers }

export const crm: Case = { name: 'crm', run }
