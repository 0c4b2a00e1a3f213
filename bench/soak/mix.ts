import { randomUUID } from 'node:crypto'
import { type AtWork, dataOf, pickOf, SUBJECT } from './agency-at-work.ts'
import { captureTicket, importCustomers, importStays, resendStays, validateStays } from './mix-imports.ts'

type Work = (at: AtWork) => Promise<unknown>
const API = '/api/v1'
const MONTH = 'filters[from]=2026-03-01&filters[to]=2026-03-31'

let made = 0
const nameOf = (n: number) => `Ayşe Yılmaz ${n.toString(36)}`

async function createCustomer(at: AtWork): Promise<void> {
  const n = ++made
  const body = { customer: { name: nameOf(n), email: `soak${n}@example.com` } }
  const sent = { method: 'POST', path: `${API}/customers`, body, idempotencyKey: randomUUID() } as const
  const answer = await at.send('create a customer', sent)
  if (answer.status !== 201) return
  at.promised.customers++
  at.customers.push(dataOf<{ id: string }>(answer).id)
  if (n % 4 > 0) return
  const again = await at.send('the same again by its idempotency key', sent)
  if (again.status === 201 && again.text !== answer.text) throw new Error('A replay answered something else')
}

/** Creates a record of a kind that is named by its key in the body. */
const create =
  (what: 'lead' | 'task', body: (n: number) => object): Work =>
  async (at) => {
    const sent = { method: 'POST', path: `${API}/${what}s`, body: { [what]: body(++made) } } as const
    const answer = await at.send(`create a ${what}`, sent)
    if (answer.status !== 201) return
    at.promised[`${what}s`]++
    at[`${what}s`].push(dataOf<{ id: string }>(answer).id)
  }

const change =
  (what: 'customer' | 'lead' | 'task', body: (n: number) => object): Work =>
  async (at) => {
    const id = pickOf(at[`${what}s`])
    if (!id) return
    await at.send(`change a ${what}`, {
      method: 'PATCH',
      path: `${API}/${what}s/${id}`,
      body: { [what]: body(++made) },
    })
  }

const read =
  (what: string, path: (at: AtWork) => string): Work =>
  (at) =>
    at.send(what, { path: path(at) })

async function readCustomer(at: AtWork): Promise<void> {
  const id = pickOf(at.customers)
  if (id) await at.send('read a customer', { path: `${API}/customers/${id}` })
}

async function walkFeed(at: AtWork): Promise<void> {
  const after = at.cursor ? `&cursor=${at.cursor}` : ''
  const answer = await at.send('a page of the feed', { path: `${API}/imports/hotel_stays/records?limit=100${after}` })
  if (answer.status !== 200) return
  const { page } = JSON.parse(answer.text) as { page: { resume_cursor: string; has_more: boolean } }
  at.cursor = page.has_more ? page.resume_cursor : null
}

async function writeMessage(at: AtWork): Promise<void> {
  const customer_id = pickOf(at.customers)
  if (!customer_id) return
  const communication = { direction: 'outbound', channel: 'email', customer_id, subject: SUBJECT, body_plain: 'Hi' }
  const answer = await at.send('write a message', {
    method: 'POST',
    path: `${API}/communications`,
    body: { communication },
  })
  if (answer.status === 201) at.promised.messages++
}

/** The requests and their shares of the total. Imports are limited further by their own rate limit. */
const MIX: readonly (readonly [weight: number, Work])[] = [
  [20, read('list customers', () => `${API}/customers?limit=25`)],
  [4, read('search customers', () => `${API}/customers?limit=25&q=yilmaz`)],
  [20, readCustomer],
  [6, read('list leads', () => `${API}/leads?limit=25`)],
  [6, read('list tasks', () => `${API}/tasks?limit=25`)],
  [8, createCustomer],
  [5, change('customer', (n) => ({ name: nameOf(n) }))],
  [4, create('lead', (n) => ({ name: nameOf(n) }))],
  [3, change('lead', (n) => ({ name: nameOf(n) }))],
  [4, create('task', (n) => ({ subject: `Call ${n}` }))],
  [3, change('task', (n) => ({ subject: `Call ${n}` }))],
  [1, importStays],
  [0.5, importCustomers],
  [0.5, resendStays],
  [0.3, validateStays],
  [1, captureTicket],
  [5, walkFeed],
  [0.5, read('a report', () => `${API}/reports/sales_by_customer?${MONTH}`)],
  [0.5, read('a dashboard', () => `${API}/performance?window_days=90`)],
  [1, writeMessage],
]
const TOTAL = MIX.reduce((sum, [weight]) => sum + weight, 0)

/** Does something of the mix. */
export function workOnce(at: AtWork): Promise<unknown> {
  let left = Math.random() * TOTAL
  for (const [weight, work] of MIX) {
    left -= weight
    if (left < 0) return work(at)
  }
  return Promise.resolve()
}
