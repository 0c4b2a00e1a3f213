import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/platform/http/route.ts'
import { importables, routesOf } from '../../src/registry.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { anyText } from '../harness/any-text.ts'
import { rowOf } from '../harness/arbitrary-rows.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

const RUNS = 120
const routes = routesOf({ importLimits: { maxRows: 500, syncRows: 100 } })
const NASTY = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../..',
  '%',
  "'; drop table customers; --",
  'constructor',
  '__proto__',
  '1e400',
  'null',
  'NaN',
  '-0',
  '9'.repeat(400),
  'x'.repeat(3000),
  'ÿ',
  '‮',
  '\n',
  '0001-01-01',
  '9999-12-31T23:59:60Z',
]
const text = fc.oneof(fc.constantFrom(...NASTY), anyText(), fc.string())
const value = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom(1e308, -1, 1.5, 2 ** 53, Number.MIN_SAFE_INTEGER) },
)
const entityKey = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...importables.map(({ entity }) => entity.key)) },
  { weight: 1, arbitrary: text },
)
const row = fc.oneof(
  { weight: 3, arbitrary: fc.oneof(...importables.map(({ entity }) => rowOf(entity))) },
  { weight: 1, arbitrary: fc.dictionary(text, value, { maxKeys: 5 }) },
)
const body = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record(
      {
        rows: fc.array(row, { maxLength: 4 }),
        source_system: value,
        company_id: value,
        branch_id: value,
        mode: value,
        on_conflict: value,
        decimal_separator: value,
      },
      { requiredKeys: ['rows'] },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 6 }),
      on_conflict: fc.constantFrom('skip', 'update'),
      decimal_separator: fc.constantFrom('.', ',', null),
    }),
  },
  { weight: 1, arbitrary: value },
)
const query = (route: Route) => {
  const names = Object.keys((route.takes.query as { properties?: object } | undefined)?.properties ?? { any: 1 })
  return fc.dictionary(fc.oneof(fc.constantFrom(...names), text), fc.oneof(text, fc.integer().map(String)), {
    maxKeys: 4,
  })
}
/** As a part of a path; a dot or two would lead to another route, whatever is done to them. */
const encoded = (part: string) => encodeURIComponent(part.toWellFormed()).replace(/^\.{0,2}$/, 'x')

describe('nothing that a client can send', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
  })
  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'to %s answers 500, or anything but what the document says',
    { timeout: 60_000 },
    async (_, route) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(entityKey, { minLength: 2, maxLength: 2 }),
          text,
          query(route),
          body,
          fc.option(text, { freq: 6 }),
          async (entities, id, parameters, sent, idempotency) => {
            const path = route.path.replace(/:(\w+)/g, (_, name: string) =>
              encoded(name === 'external_id' ? id : (entities[0] as string)),
            )
            const search = Object.entries(parameters).map(([name, given]) => `${encoded(name)}=${encoded(given)}`)
            const answer = await cell.call(route.method, `${path}?${search.join('&')}`, {
              key: agency.key,
              ...(route.takes.body && { body: sent }),
              ...(idempotency !== null && { headers: { 'idempotency-key': idempotency.replace(/[^\x20-\x7e]/g, '') } }),
            })
            expect(answer.status).toBeLessThan(500)
            expect(answer.text).not.toMatch(/refused_by_database|database refused/) // validation let something pass
            if (answer.status >= 400)
              expect(Object.keys(answer.body).filter((key) => key !== 'details')).toEqual(['error', 'code'])
            expect(answer.text).not.toMatch(/at .+\.ts:\d+|node_modules|SELECT|insert into|SQLSTATE/i)
          },
        ),
        { numRuns: RUNS },
      )
    },
  )
})
