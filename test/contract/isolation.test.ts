import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { type Operation, operations, resolved, type Schema } from '../fuzz/operations.ts'
import { type Answer, type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { everyRow } from '../harness/every-row.ts'
import { exampleOf } from '../harness/examples.ts'
import { type FullAgency, makeFullAgency } from '../harness/full-agency.ts'
import { tableOfParam, tablesOfName } from '../harness/id-kinds.ts'
import { routes } from '../harness/routes.ts'
import { mintLink } from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'

const operationOf = ({ method, path }: Route) =>
  operations.find((operation) => operation.method === method && operation.path === path) as Operation
/** The parts of a response that reveal the other account, by place. */
type Attempt = { readonly where: string; readonly path: string; readonly call: Call; readonly status?: number }
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const NEVER_THE_SAME = { api_keys: ['last_used_at', 'last_used_ip'] }

let cell: TestCell
let own: FullAgency
let other: FullAgency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  own = await makeFullAgency(cell, 'Zümrüt-of-one')
  other = await makeFullAgency(cell, 'Zümrüt-of-the-other')
})

const firstOf = ({ ids }: FullAgency, tables: readonly string[]): string[] =>
  tables.flatMap((table) => ids[table]?.slice(0, 1) ?? [])
const pathOf = ({ path }: Route, params: Readonly<Record<string, string>>) =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'customers')

/** An id of an agency for each that the path of a route takes. */
function idsInPath(route: Route, of: FullAgency): Record<string, string> {
  const params = operationOf(route).parameters.filter((parameter) => parameter.in === 'path')
  return Object.fromEntries(
    params.flatMap(({ name, schema }) => {
      const table = tableOfParam(route.path, name, schema)
      return table === null ? [] : firstOf(of, [table]).map((id) => [name, id])
    }),
  )
}

/** The path of a route with an id of the other account at one place, and its own at all others. */
const byPath = (route: Route, mine: Readonly<Record<string, string>>, call: Call): Attempt[] =>
  Object.entries(idsInPath(route, other)).map(([name, theirs]) => ({
    where: `:${name}`,
    path: pathOf(route, { ...mine, [name]: theirs }),
    call,
    status: 404,
  }))

/** Every parameter that can name a record. */
const byQuery = (route: Route, path: string): Attempt[] =>
  operationOf(route)
    .parameters.filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) =>
      (name === 'cursor' ? other.cursors : firstOf(other, tablesOfName(name))).map((theirs) => ({
        where: `?${name}`,
        path: `${path}?${name === 'cursor' ? 'limit=1&' : ''}${encodeURIComponent(name)}=${theirs}`,
        call: {},
        ...(name === 'cursor' && { status: 400 }),
      })),
    )

/** The places of a body that can name a record, as the keys that lead to them. */
function places(given: Schema, at: readonly string[] = []): { at: readonly string[]; tables: readonly string[] }[] {
  const schema = resolved(given)
  const tables = tablesOfName(at.at(-1) ?? '')
  if (tables.length > 0) return [{ at, tables }]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) => places(of, [...at, name])),
    ...(schema.anyOf ?? []).flatMap((one) => places(one, at)),
  ]
}
function withAt(body: unknown, [name, ...more]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  return { ...(body as object), [name]: withAt((body as Record<string, unknown> | undefined)?.[name], more, value) }
}
/** The body with one id of the other account. A task also needs the type of its record. */
const byBody = (route: Route, path: string, { body, ...call }: Call): Attempt[] =>
  places((operationOf(route).body ?? {}) as Schema).flatMap(({ at, tables }) =>
    tables.flatMap((table) => {
      const [theirs] = firstOf(other, [table])
      const value = at.at(-1)?.endsWith('_ids') ? [theirs] : theirs
      const kind = {
        customers: 'Customer',
        leads: 'Lead',
        trips: 'Trip',
        bookings: 'Booking',
        communications: 'Communication',
      }[table]
      const typed = at.at(-1) === 'taskable_id' ? withAt(body, [...at.slice(0, -1), 'taskable_type'], kind) : body
      return theirs === undefined
        ? []
        : [
            {
              where: `${at.join('.')} of ${table}`,
              path,
              call: { ...call, body: withAt(typed, at, value) },
              status: 422,
            },
          ]
    }),
  )

/** No byte of the other account; values of the request itself may be repeated. */
function leaksOfOther({ text, headers }: Answer, { path, call }: Attempt): string[] {
  const requestText = `${path} ${JSON.stringify(call.body ?? '')}`
  const responseText = `${text} ${JSON.stringify(headers)}`
  const ids = [...responseText.matchAll(UUID)].map(([id]) => id).filter((id) => other.secrets.has(id))
  return [...ids, ...(responseText.includes(other.mark) ? [other.mark] : [])].filter(
    (secret) => !requestText.includes(secret),
  )
}

describe('an account', () => {
  it('learns and changes nothing of another, whatever id of it stands in a path, a query, a body or a cursor', {
    timeout: 120_000,
  }, async () => {
    const before = await everyRow(cell.connection, NEVER_THE_SAME)
    const wrong: string[] = []
    for (const route of routes) {
      const { params = {}, ...call } = await exampleOf(route, cell, own.agency)
      const mine = { ...idsInPath(route, own), ...params }
      const path = pathOf(route, mine)
      const attempts = [...byPath(route, mine, call), ...byQuery(route, path), ...byBody(route, path, call)]
      for (const attempt of attempts) {
        const answer = await cell.call(route.method, attempt.path, { key: own.agency.key, ...attempt.call })
        const name = `${route.method} ${route.path} ${attempt.where}`
        if (attempt.status !== undefined && answer.status !== attempt.status)
          wrong.push(`${name} answered ${answer.status}`)
        for (const leak of leaksOfOther(answer, attempt)) wrong.push(`${name} tells ${leak}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await rowsOfOther(before)).toEqual([])
  })

  it('is answered 404 where the other is answered what it holds', async () => {
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      if (Object.keys(idsInPath(route, other)).length === 0) continue
      const { params = {} } = await exampleOf(route, cell, other.agency)
      const path = pathOf(route, { ...idsInPath(route, other), ...params })
      const statuses = [other, own].map(async ({ agency: { key } }) => (await cell.call('GET', path, { key })).status)
      expect([route.path, ...(await Promise.all(statuses))]).toEqual([route.path, 200, 404])
    }
  })

  it('is not answered what another was under the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'the same' }
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      const { params = {}, ...call } = await exampleOf(route, cell, other.agency)
      const theirs = await cell.call(route.method, pathOf(route, params), {
        key: other.agency.key,
        ...call,
        headers: { ...call.headers, ...headers },
      })
      const attempt = { where: 'Idempotency-Key', path: pathOf(route, params), call }
      const mine = await cell.call(route.method, attempt.path, {
        key: own.agency.key,
        ...call,
        headers: { ...call.headers, ...headers },
      })
      expect([route.method, route.path, mine.headers['idempotent-replay'], theirs.status < 500]).toEqual([
        route.method,
        route.path,
        undefined,
        true,
      ])
      expect(leaksOfOther(mine, attempt)).toEqual([])
      await ask(cell, `delete from idempotency_keys where key = 'the same'`)
    }
  })

  it('shows by a share link the one trip of its own account', async () => {
    for (const [one, another] of [
      [own, other],
      [other, own],
    ] as const) {
      const { token } = await mintLink(cell, one.agency, one.ids.trips?.[0] ?? '')
      const { body, statusCode } = await cell.app.inject(`/s/${token}`)
      expect(statusCode).toBe(200)
      expect([...body.matchAll(UUID)].filter(([id]) => another.secrets.has(id))).toEqual([])
      expect(body).not.toContain(another.mark)
    }
  })
})

/** The rows of the other account that are others than before. */
async function rowsOfOther(before: Record<string, string[]>): Promise<string[]> {
  const after = await everyRow(cell.connection, NEVER_THE_SAME)
  const theirs = (rows: string[] = []) => rows.filter((row) => row.includes(String(other.agency.number)))
  return Object.keys(after).filter(
    (table) => JSON.stringify(theirs(before[table])) !== JSON.stringify(theirs(after[table])),
  )
}
