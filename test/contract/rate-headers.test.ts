import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { routes } from '../harness/routes.ts'

type Kind = readonly [what: string, status: number, method: 'GET', url: string, payload?: string, type?: string]
const post = (...kind: [what: string, status: number, url: string, payload?: string, type?: string]): Kind => {
  const [what, status, url, ...body] = kind
  return [what, status, 'POST' as 'GET', url, ...body]
}
const JSON_TYPE = 'application/json'
const KINDS: readonly Kind[] = [
  ['health', 200, 'GET', '/api/v1/health'],
  ['health, of its head alone', 200, 'HEAD' as 'GET', '/api/v1/health'],
  ['readiness', 200, 'GET', '/ready'],
  ['the OpenAPI document', 200, 'GET', '/openapi.json'],
  ['the reference', 200, 'GET', '/docs/'],
  ['no such file', 404, 'GET', '/files/x'],
  ['no such trip', 404, 'GET', '/s/x'],
  ['a record', 200, 'GET', '/api/v1/me'],
  ['no such record', 404, 'GET', '/api/v1/customers/x'],
  ['no such address', 404, 'GET', '/nowhere'],
  ['no such address of the API', 404, 'GET', '/api/v1/nowhere'],
  ['an address whose escapes do not hold', 400, 'GET', '/api/v1/customers/%zz'],
  ['a wrong parameter', 422, 'GET', '/api/v1/customers?limit=0'],
  post('another method of an open address', 405, '/api/v1/health'),
  post('another method of a route', 405, '/api/v1/me'),
  ['the options of a route', 405, 'OPTIONS' as 'GET', '/api/v1/me'],
  post('another type', 415, '/api/v1/customers', 'x', 'text/plain'),
  post('no JSON', 400, '/api/v1/customers', '{', JSON_TYPE),
  post('a body too large', 413, '/api/v1/customers', ' '.repeat(300_000), JSON_TYPE),
  post('a file too large', 413, '/api/v1/uploads', ' '.repeat(12_000_000), 'multipart/form-data; boundary=b'),
  post('a record that is wrong', 422, '/api/v1/customers', '{"customer":{}}', JSON_TYPE),
  post('a record', 201, '/api/v1/customers', '{"customer":{"name":"Ada"}}', JSON_TYPE),
  ['a route that the scope does not reach', 403, 'GET', '/api/v1/users'],
]

let cell: TestCell
let agency: Agency
let importer: string
beforeAll(async () => {
  cell = await startCell()
  agency = await makeAgency(cell)
  importer = (await agency.makeKey({ scopes: ['import'] })).key
})
const ask = ([, , method, url, payload, type]: Kind, key: string | null, app = cell.app) =>
  app.inject({
    method,
    url,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...(type && { 'content-type': type }) },
    ...(payload !== undefined && { payload }),
  })
const ratesOf = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'))

describe('the budget of a key', () => {
  it.each(KINDS)('is in the headers of %s (%i), once per request, and missing without a usable key', async (...all) => {
    const kind = all as unknown as Kind
    const [, status] = kind
    const key = status === 403 ? importer : agency.key
    cell.clock.set(Date.UTC(2030, 0, 1)) // at the beginning of a minute
    const remaining: number[] = []
    for (const _ of [1, 2]) {
      const { statusCode, headers } = await ask(kind, key)
      expect([statusCode, ratesOf(headers)]).toEqual([
        status,
        ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'],
      ])
      remaining.push(Number(headers['x-ratelimit-remaining']))
    }
    expect(remaining[1]).toBe((remaining[0] ?? 0) - 1)
    for (const none of [null, `sek_${'W'.repeat(49)}`]) expect(ratesOf((await ask(kind, none)).headers)).toEqual([])
  })
  it('never refuses health, however many ask', async () => {
    const own = await makeAgency(cell)
    const count = () => ({ minute: 1, requests: [1_000_000, 1_000_000] })
    const app = buildApp({ ...cell.deps, count })
    const health = await ask(['', 0, 'GET', '/api/v1/health'], own.key, app)
    expect([health.statusCode, health.headers['x-ratelimit-remaining']]).toEqual([200, '0'])
    expect((await ask(['', 0, 'GET', '/api/v1/me'], own.key, app)).statusCode).toBe(429)
    await app.close()
  })
  it('is left out of health where keys cannot be looked up', async () => {
    const keys = { ...cell.deps.keys, resolve: () => Promise.reject(new Error('away')) }
    const app = buildApp({ ...cell.deps, keys })
    const { statusCode, headers } = await ask(['', 0, 'GET', '/api/v1/health'], agency.key, app)
    expect([statusCode, ratesOf(headers)]).toEqual([200, []])
    await app.close()
  })
})

describe('a change of state', () => {
  it('uses only PATCH, as documented', async () => {
    const { paths } = (await cell.app.inject('/openapi.json')).json() as {
      paths: Record<string, Record<string, { description: string }>>
    }
    const alone = routes.filter(
      ({ method, path }) =>
        method === 'PATCH' && !routes.some((other) => other.method === 'PUT' && other.path === path),
    )
    expect(alone.map(({ path }) => path)).toEqual(['/leads/:id/transition', '/tasks/:id/complete', '/tasks/:id/reopen'])
    for (const { path } of alone) {
      const url = `/api/v1${path.replace(':id', crypto.randomUUID())}`
      const answer = await ask(['', 405, 'PUT' as 'GET', url], agency.key)
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'PATCH'])
      const { description } = paths[`/api/v1${path.replace(':id', '{id}')}`]?.patch ?? {}
      expect(description).toContain('`PUT` answers 405 with `Allow: PATCH`')
    }
  })
})
