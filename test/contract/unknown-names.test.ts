import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { reportSources } from '../../src/registry.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { exampleOf } from '../harness/examples.ts'
import { routes } from '../harness/routes.ts'

type Refusal = { readonly code: string; readonly details: Record<string, string[]> }
type Shape = { readonly properties?: Readonly<Record<string, Shape>> }

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const named = (list: readonly Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const)
const propertiesOf = (schema: unknown): string[] => Object.keys((schema as Shape | undefined)?.properties ?? {})
const ANY: Readonly<Record<string, string>> = { entity: 'customers', key: 'customers', day_number: '1' }
const pathOf = ({ path }: Route, params: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(/:(\w+)/g, (_, name) => params[name] ?? ANY[name] ?? '01890000-0000-7000-8000-000000000000')
/** With the first two letters of its own part swapped, or where that changes nothing the first one twice. */
const mistyped = (name: string) => {
  const [, before = '', first = '', second = '', rest = ''] = /^(.*\[)?(\w)(\w?)(.*)$/.exec(name) ?? []
  return before + (first === second || second === '' ? first + first + second : second + first) + rest
}

async function batch() {
  const { id } = await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
  return { params: { id: String(id) }, body: undefined }
}

async function refused(method: string, path: string, body?: unknown) {
  const answer = await cell.call(method, path, { key: agency.key, ...(body !== undefined && { body }) })
  const { code, details = {} } = (answer.body ?? {}) as Refusal
  return { status: answer.status, code, details }
}

describe.each(named(routes))('%s', (_, route) => {
  it('refuses unknown query parameters, all at once, each with the closest known one', async () => {
    const known = propertiesOf(route.takes.query)
    for (let at = 0; at === 0 || at < known.length; at += 10) {
      const some = known.slice(at, at + 10)
      const query = new URLSearchParams([...some.map((name) => [mistyped(name), '1']), ['nonesuch', '1']])
      const { status, code, details } = await refused(route.method, `${pathOf(route)}?${query}`)
      expect([status, code]).toEqual([422, 'invalid_parameter'])
      expect(details).toEqual({
        ...Object.fromEntries(some.map((name) => [mistyped(name), [`Unknown parameter. Did you mean ${name}?`]])),
        nonesuch: [expect.stringMatching(/^Unknown parameter\. (Known: .*|Remove it)\.$/)],
      })
    }
  })
})

it('GET /health refuses unknown query parameters, with a key and without one', async () => {
  for (const key of [agency.key, null]) {
    const answer = await cell.call('GET', '/health?x=1', { key })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'invalid_parameter', details: { x: ['Unknown parameter. Remove it.'] } })
  }
})

const writes = routes.filter(({ method, takes }) => method !== 'GET' && !takes.file)
describe.each(named(writes))('%s', (_, route) => {
  const { attributes, body, bodyInDocument } = route.takes
  const shape = (bodyInDocument ?? body) as Shape | undefined
  const names = propertiesOf(attributes ? shape?.properties?.[attributes.name] : shape)

  it('refuses unknown attributes, all at once, each with the closest known one', async () => {
    const example = route.path.endsWith('/revert') ? await batch() : await exampleOf(route, cell, agency)
    const path = pathOf(route, example.params)
    const given = (example.body ?? {}) as Record<string, object>
    const within = (more: object) =>
      attributes ? { ...given, [attributes.name]: { ...given[attributes.name], ...more } } : { ...given, ...more }
    for (let at = 0; at === 0 || at < names.length; at += 10) {
      const some = names.slice(at, at + 10)
      const typos = Object.fromEntries(some.map((name) => [mistyped(name), 'x']))
      const { status, code, details } = await refused(route.method, path, within({ ...typos, nonesuch: 1 }))
      expect([status, code]).toEqual([422, 'validation_failed'])
      expect(details).toEqual({
        ...Object.fromEntries(some.map((name) => [mistyped(name), [`Unknown attribute. Did you mean ${name}?`]])),
        nonesuch: [expect.stringMatching(/^Unknown attribute\. (Known: .*|Remove it)\.$/)],
      })
    }
    if (!attributes) return
    const { details } = await refused(route.method, path, { ...given, nonesuch: 1, [names[0] as string]: 'x' })
    expect(details).toEqual({
      nonesuch: [expect.stringMatching(/^Unknown attribute\./)],
      [names[0] as string]: [`Unknown attribute. Did you mean ${attributes.name}.${names[0]}?`],
    })
  })
})

describe('a client may send back what it read', () => {
  const changes = writes.filter(({ method, path }) => method === 'PATCH' && /\/:\w+$/.test(path))
  it.each(named(changes))('%s', async (_, route) => {
    const { body = {}, params } = await exampleOf(route, cell, agency)
    const [path, as] = [pathOf(route, params), route.takes.attributes?.name ?? Object.keys(body as object)[0]]
    const isBare = !propertiesOf(route.takes.body).includes(String(as))
    const send = async (more: object) => {
      const answer = await cell.call('PATCH', path, { key: agency.key, body: isBare ? more : { [String(as)]: more } })
      return { status: answer.status, data: (answer.body as { data: Record<string, unknown> }).data }
    }
    const { data } = await send({})
    const again = await send(data)
    expect([again.status, again.data]).toEqual([200, data])
  })
})

describe('an unknown name', () => {
  it('of a write stores nothing, and is reported with all other errors', async () => {
    const own = await makeAgency(cell)
    const write = async (body: object, headers = {}) => cell.call('POST', '/customers', { key: own.key, body, headers })
    for (const headers of [{}, { 'idempotency-key': 'one' }]) {
      const answer = await write({ customer: { name: 'Ayşe' }, vip: true }, headers)
      expect(answer.status).toBe(422)
    }
    const { body } = await write({ customer: { name: 'Ayşe', email: 'nope', emial: 'a@b.co' }, vip: true })
    expect(Object.keys((body as Refusal).details)).toEqual(['email', 'emial', 'vip'])
    expect((await cell.call('GET', '/customers', { key: own.key })).body).toMatchObject({ data: [] })
    expect((await write({ customer: { name: 'Ayşe' } }, { 'idempotency-key': 'one' })).status).toBe(201)
  })
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('may be %j', async (name) => {
    const query = await refused('GET', `/customers?${encodeURIComponent(name)}=1`)
    expect([query.status, Object.keys(query.details)]).toEqual([422, [name]])
    if (name === '__proto__') return // which JSON may not have
    const body = await refused('POST', '/customers', { customer: { name: 'Ayşe', [name]: 1 } })
    expect([body.status, Object.keys(body.details)]).toEqual([422, [name]])
  })
  it('is suggested by its name in other APIs', async () => {
    const { details } = await refused('GET', '/customers?serach=x&page=2&per_page=50&companyId=1')
    expect(Object.values(details).flat()).toEqual(
      ['q', 'cursor', 'limit', 'company_id'].map((name) => `Unknown parameter. Did you mean ${name}?`),
    )
  })
})

describe('a filter of a report', () => {
  const run = (preset: string, query: string, end = '') => refused('GET', `/reports/${preset}${end}?${query}`)
  it('must be in filters[…]', async () => {
    const { code, details } = await run('sales_by_customer', 'from=2026-01-01&group_by=currency')
    expect([code, details]).toEqual([
      'invalid_parameter',
      {
        from: ['Unknown parameter. Did you mean filters[from]?'],
        group_by: ['Unknown parameter. Did you mean filters[group_by]?'],
      },
    ])
  })
  it.each(reportSources.presets.map(({ key }) => key))(
    'that %s does not have is refused, and so is a grouping, in files and saved reports as well',
    async (key) => {
      const { body } = await cell.call('GET', '/reports', { key: agency.key })
      const presets = (body as { data: { key: string; filters: { key: string }[] }[] }).data
      const own = presets.find((preset) => preset.key === key)?.filters.map((filter) => filter.key) ?? []
      const others = [...new Set(presets.flatMap(({ filters }) => filters.map((filter) => filter.key)))]
      const strange = others.filter((name) => !own.includes(name))
      const given = Object.fromEntries([
        ...strange.map((name) => [name, 'x']),
        ...(own.includes('group_by') ? [['group_by', 'nonesuch']] : []),
      ])
      const names = Object.keys(given).map((name) => `filters[${name}]`)
      const query = new URLSearchParams(
        Object.entries(given).map(([name, value]) => [`filters[${name}]`, String(value)]),
      )
      for (const end of ['', '.csv', '.xlsx']) {
        const { status, code, details } = await run(key, String(query), end)
        expect([status, code, Object.keys(details)]).toEqual([422, 'invalid_parameter', names])
      }
      const saved = { saved_report: { name: 'X', preset_key: key, filters: given } }
      const { status, code, details } = await refused('POST', '/saved_reports', saved)
      expect([status, code, Object.keys(details)]).toEqual([422, 'validation_failed', names])
    },
  )
})
