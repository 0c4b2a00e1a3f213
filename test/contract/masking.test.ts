import { beforeAll, describe, expect, it } from 'vitest'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { meets, POLICIES, type Policies, type Policy } from '../../src/platform/access/policies.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { entities } from '../../src/registry.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import type { Example } from '../harness/example-makers.ts'
import { exampleOf } from '../harness/examples.ts'
import { type MaskedAgency, makeMaskedAgency, ROLES } from '../harness/masked-agency.ts'
import { needsOf, words } from '../harness/needs.ts'
import { routes } from '../harness/routes.ts'
import { restrictTagOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { fieldsOf, fieldsOfSchema, visibleIn } from '../harness/visible-fields.ts'
import { wholeRow } from '../harness/whole-records.ts'
import { MASKED_FIELDS } from './masked-fields.ts'

let cell: TestCell
let own: MaskedAgency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  own = await makeMaskedAgency(cell)
})
/** The table lacks a new reading until its fields are listed, which one test asks for. */
const isListed = (name: string) => name in MASKED_FIELDS
const knownOf = (name: string) => new Set(needsOf(MASKED_FIELDS[name]).keys())
const keyOf = (role: string) => own.keys.get(role) ?? null
const has = (policies: Policies, needed: readonly string[]) => needed.every((policy) => policies.has(policy as Policy))
/** The fields of the table that a role sees. */
const shownTo = (policies: Policies, name: string): string[] =>
  [...needsOf(MASKED_FIELDS[name])].flatMap(([field, needed]) => (needed && has(policies, needed) ? field : []))

/** What a role reads: the status of each reading, and the visible fields. */
type Sight = { readonly statuses: readonly [path: string, status: number][]; readonly seen: Map<string, Set<string>> }
const sights = new Map<string, Sight>()
beforeAll(async () => {
  for (const role of ROLES.keys()) sights.set(role, await lookAs(role))
})
async function lookAs(role: string): Promise<Sight> {
  const statuses: [string, number][] = []
  const seen = new Map<string, Set<string>>()
  for (const { name, path, fields } of own.readings) {
    const answer = await cell.call('GET', path, { key: keyOf(role) })
    statuses.push([path, answer.status])
    if (answer.status === 200) seen.set(name, (seen.get(name) ?? new Set()).union(visibleIn(answer.body, fields)))
  }
  return { statuses, seen }
}
const seenBy = (role: string, name: string): ReadonlySet<string> => sights.get(role)?.seen.get(name) ?? new Set()
const fieldsOfReading = (name: string) =>
  new Set(own.readings.filter((reading) => reading.name === name).flatMap(({ fields }) => [...fields]))
const readingNames = () => [...new Set(own.readings.map(({ name }) => name))]

/** The fields, grouped by the policies without which the roles do not see them now. */
function asSeenNow(name: string, fields: readonly string[]): string {
  const needed = (field: string) => ONE_LESS.flatMap(([role]) => (seenBy(role, name).has(field) ? [] : role.slice(3)))
  const groups = Map.groupBy(fields, (field) => needed(field).join(' ') || 'nothing')
  return [...groups].map(([policies, some]) => `'${policies}': '${some.join(' ')}'`).join(', ')
}

describe('the table of masked fields', () => {
  it('names every field of every answer that is read, and no other', () => {
    const corrections = readingNames().flatMap((name) => {
      const [fields, known] = [fieldsOfReading(name), knownOf(name)]
      const shown = [...fields.difference(known)].filter((field) => seenBy('owner', name).has(field))
      return [
        ...(shown.length > 0 ? [`Add to '${name}': { ${asSeenNow(name, shown)} }`] : []),
        ...[...known.difference(fields)].map((field) => `Remove from '${name}': ${field}`),
      ]
    })
    const hint =
      'Correct test/contract/masked-fields.ts. The lines below have the policies by which fields are masked now: check that they are right'
    const names = new Set(readingNames())
    const others = Object.keys(MASKED_FIELDS).flatMap((name) => (names.has(name) ? [] : `Remove '${name}'`))
    expect([...corrections, ...others], hint).toEqual([])
  })
  it('is tried with a value for every field', () => {
    const without = readingNames().flatMap((name) => {
      const never = [...needsOf(MASKED_FIELDS[name])].flatMap(([field, needed]) => (needed ? [] : field))
      const empty = fieldsOfReading(name).difference(seenBy('owner', name)).difference(new Set(never))
      return empty.size > 0 ? [`${name}: ${[...empty].join(' ')}`] : []
    })
    const hint =
      'No record of the agency has these fields. Give them values in test/harness/fill-in.ts, or, if this answer never has them, list them as `never` in test/contract/masked-fields.ts'
    expect(without, hint).toEqual([])
  })

  it.each([...ROLES])('lists the visibility of every field for %s', (role, policies) => {
    const policyOf = new Map(own.readings.map(({ path, policy }) => [path, policy]))
    for (const [path, status] of sights.get(role)?.statuses ?? [])
      expect([path, status]).toEqual([path, meets(policies, policyOf.get(path) ?? null) ? 200 : 403])
    for (const name of sights.get(role)?.seen.keys() ?? []) {
      const visible = seenBy(role, name).intersection(knownOf(name)) // the tests above say which are missing
      const shown = new Set(shownTo(policies, name))
      const hint = `${role}: what differs is masked otherwise than test/contract/masked-fields.ts says of '${name}'`
      expect([...visible].toSorted(), hint).toEqual([...shown.intersection(seenBy('owner', name))].toSorted())
    }
  })
})

it('hides personal data and messages of customers with a restricted tag', async () => {
  const [role, number] = ['no_view_restricted_customers', own.agency.number]
  await ask(cell, `update customers set tags = '{vip}' where account_id = $1`, [number])
  await ask(cell, BOUGHT_BY_SOMEBODY, [number])
  await restrictTagOf(cell, number, 'vip')
  for (const { name, path, fields } of own.readings.filter(({ name }) => isListed(name) && !OF_NO_CUSTOMER.has(name))) {
    const seen = visibleIn((await cell.call('GET', path, { key: keyOf(role) })).body, fields)
    const others = shownTo(PERSONS_UNSEEN, name)
    expect([path, [...seen.difference(new Set(others))]]).toEqual([path, []])
  }
  await restrictTagOf(cell, number, 'vip', false)
})
const PERSONS_UNSEEN = new Set(
  POLICIES.filter((policy) => policy !== 'view_personal_data' && policy !== 'view_message_content'),
)
/** Personal data of suppliers, of seats, and of files that name no customer. */
const OF_NO_CUSTOMER = new Set(['records of suppliers', '/saved_reports/definition', '/ticket_imports'])
const BOUGHT_BY_SOMEBODY = `update bookings set customer_id = (select id from customers where account_id = $1 limit 1)
  where account_id = $1 and customer_id is null`
/** The roles that see all but one thing. */
const ONE_LESS = [...ROLES].filter(([role]) => role.startsWith('no_'))

describe('the table of masked fields applies', () => {
  it('to webhook events for the role of a subscription', async () => {
    const sent = await ask<{ role: string; payload: string }>(
      cell,
      'select role, payload from webhook_payloads p join webhook_events e using (account_id) where e.id = p.event_id and e.record_id is not null',
    )
    for (const { role, payload } of sent) {
      const { data } = JSON.parse(payload) as { data: { entity: string } }
      const model = entities.find(({ entity }) => entity.key === data.entity)?.entity.model
      const seen = visibleIn({ data }, fieldsOfSchema(`${model}Record`))
      const name = `records of ${data.entity}`
      const hidden = knownOf(name).difference(new Set(shownTo(ROLES.get(role) ?? new Set(), name)))
      expect([role, data.entity, [...seen.intersection(hidden)]]).toEqual([role, data.entity, []])
    }
    for (const role of ROLES.keys()) expect(sent.filter((one) => one.role === role).length).toBeGreaterThan(9)
  })

  const writes = routes.filter(({ method, answers }) => method !== 'GET' && answers.body)
  it.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'for the answer of %s',
    async (_, route) => {
      const answered = fieldsOf(route.method, route.path, route.answers.status)
      for (const [role, policies] of ONE_LESS) {
        if (!meets(policies, route.policy)) continue
        if (route.path.endsWith('/merge') && !policies.has('view_personal_data')) continue // who sees both makes them one
        const { params = { id: own.ids.import_batches?.at(-1) ?? '' }, ...whole } = await wholeExample(route)
        const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'customers')
        const send = (call: Call) => cell.call(route.method, path, { key: keyOf(role), ...call })
        const hidden = hiddenIn(route, policies)
        if (hidden.length > 0) {
          const { status, body } = await send(whole)
          const { details = {} } = body as { details?: object }
          expect([role, status, Object.keys(details).toSorted()]).toEqual([role, 422, hidden.toSorted()])
        }
        const answer = await send(without(whole, hidden))
        expect([role, answer.status, answer.text]).toEqual([role, route.answers.status, answer.text])
        const seen = [...visibleIn(answer.body, answered)]
        expect([role, seen.filter((field) => !mayBeSeen(route.path, field, policies))]).toEqual([role, []])
      }
    },
  )

  it.each(
    routes.filter(({ takes }) => takes.attributes).map((route) => [`${route.method} ${route.path}`, route] as const),
  )('for what %s says of a record that does not hold', async (_, route) => {
    const { params = {} } = await exampleOf(route, cell, own.agency)
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'none')
    const { name, fields } = route.takes.attributes ?? { name: '', fields: {} }
    for (const wrong of [null, {}, 'x'.repeat(1000)]) {
      const body = { [name]: Object.fromEntries(Object.keys(fields).map((field) => [field, wrong])) }
      const { text } = await cell.call(route.method, path, { key: keyOf('no_view_personal_data'), body })
      for (const secret of ['Ayşe', 'Yılmaz', 'Ali Can', 'window seats']) expect(text).not.toContain(secret)
    }
  })

  it.each([
    ['/customers', 'no_view_personal_data', ['name', 'email', 'phone']],
    ['/leads', 'no_view_personal_data', ['name', 'email', 'phone']],
    ['/communications', 'no_view_message_content', ['subject', 'preview']],
  ])('for what a search of %s finds', async (path, role, fields) => {
    const find = async (as: string, query: string) =>
      ((await cell.call('GET', `${path}?${query}`, { key: keyOf(as) })).body as { data: Record<string, string>[] }).data
    const known = await find('owner', 'limit=100')
    for (const field of fields) {
      const q = encodeURIComponent(known.find((record) => record[field])?.[field] ?? 'nobody has it')
      expect([field, (await find('owner', `q=${q}`)).length > 0, await find(role, `q=${q}`)]).toEqual([field, true, []])
    }
  })
})

/** The attributes that a change may not give, since the table has that the role does not see them in the record. */
function hiddenIn({ method, path, takes: { attributes } }: Route, policies: Policies): string[] {
  if (!attributes || method === 'POST') return []
  const needs = needsOf(MASKED_FIELDS[readingOf(path)])
  return Object.keys(attributes.fields).filter((name) => {
    const needed = needs.get(name) ?? needs.get(`${name}[]`)
    return needed && !has(policies, needed)
  })
}
const without = ({ body, ...call }: Call, names: readonly string[]): Call => {
  if (names.length === 0) return { ...call, ...(body !== undefined && { body }) }
  const [[record, given] = ['', {}]] = Object.entries(body as Record<string, object>)
  const kept = Object.entries(given).filter(([name]) => !names.includes(name))
  return { ...call, body: { [record]: Object.fromEntries(kept) } }
}

/** A call of a write that gives every attribute. */
async function wholeExample(route: Route): Promise<Example> {
  const { body, ...call } = await exampleOf(route, cell, own.agency)
  const { attributes } = route.takes
  if (!attributes) return { ...call, ...(body !== undefined && { body }) }
  const ids = { assigned_to_id: own.agency.advisor, taskable_id: own.ids.customers?.[0] }
  const real = Object.entries({ ...wholeRow(attributes.fields as Fields), ...REAL, ...ids })
  const given = Object.fromEntries(real.filter(([name, value]) => name in attributes.fields && value !== undefined))
  return { ...call, body: { [attributes.name]: { ...given, ...(body as Record<string, object>)[attributes.name] } } }
}
/** Used if an example does not refer to an existing record. */
const REAL: Readonly<Record<string, unknown>> = {
  attachment_ids: undefined,
  thread_id: undefined,
  expires_at: '2100-01-01T00:00:00Z',
  password: undefined, // hashing one takes long
  show_prices: undefined,
  show_travelers: undefined,
  trip_id: undefined,
  supplier_id: undefined,
  from_address: 'Ada <ada@example.com>',
  reply_to: 'ada@example.com',
  to_addresses: ['ada@example.com'],
  cc_addresses: ['ada@example.com'],
}
/** Fields that only writes return. */
const OF_WRITES = new Set(
  words(`signing_secret reverted former_secret_until redelivered marked signed_id filename content_type byte_size url
    committed result changes[].ticket_sale_id changes[].finished changes[].field`),
)

/** Whether the table has that a role sees a field of a write's answer. */
function mayBeSeen(path: string, field: string, policies: Policies): boolean {
  const parts: Readonly<Record<string, string>> = {
    lead: '/leads',
    customer: '/customers',
    trip: '/trips',
    'rows[]': '/imports/rows',
    batch: '/imports',
  }
  const [part = '', ...rest] = field.split('.')
  const of = /convert$|^\/imports/.test(path) ? parts[part] : undefined
  const needed = needsOf(MASKED_FIELDS[of ?? readingOf(path)]).get(of ? rest.join('.') : field)
  return needed ? has(policies, needed) : OF_WRITES.has(field) || !isListed(of ?? readingOf(path))
}
/** The reading whose records a write answers. */
function readingOf(path: string): string {
  if (path.startsWith('/saved_reports')) return '/saved_reports/definition'
  if (path.endsWith('/test')) return '/webhooks/deliveries'
  for (let name = path.replace(/\/:\w+/g, ''); name !== ''; name = name.slice(0, name.lastIndexOf('/')))
    if (name in MASKED_FIELDS) return name
  return path
}
