import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'
import { entities, importables } from '../../src/registry.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { exampleOf } from '../harness/examples.ts'
import { routes as allRoutes } from '../harness/routes.ts'

type Media = { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }
type Parameter = { in: string; name: string; schema: { enum?: string[] }; example?: unknown }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}
const FILE = join(import.meta.dirname, '../../docs/openapi.json')
const document = JSON.parse(readFileSync(FILE, 'utf8')) as { paths: Record<string, Record<string, Operation>> }
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
)
const JSON_TYPE = 'application/json'
/** A workbook, and the bytes of a file, cannot be written into the document. */
const hasNoText = (type: string) => type.endsWith('.sheet') || type === 'multipart/form-data'
/** A file that is cut off: a whole one would fill the page. */
const UNREADABLE = '/ticket_imports'

describe('the examples of the reference', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const inDocument = (schema: object): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))

  it.each(operations)('are there for $name, and hold', ({ requestBody, responses, parameters = [] }) => {
    const medias = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
    for (const [type, { schema, example, examples }] of medias.flatMap((content) => Object.entries(content ?? {}))) {
      if (hasNoText(type)) continue
      const values = example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example]
      expect(values).not.toEqual([])
      const check = ajv.compile(inDocument(schema))
      for (const value of values) expect([check(value), check.errors]).toEqual([true, null])
    }
    for (const parameter of parameters.filter((one) => one.in === 'path'))
      expect(ajv.compile(parameter.schema)(parameter.example)).toBe(true)
  })
  it('name every entity that a path may have', () => {
    const named = operations.flatMap(({ name, parameters = [] }) =>
      parameters
        .filter(
          (one) =>
            one.in === 'path' && /^(entity|key)$/.test(one.name) && !name.startsWith('GET /api/v1/imports/{entity}$'),
        )
        .map(({ schema }) => [name, schema.enum] as const),
    )
    const all = entities.map(({ entity }) => entity.key)
    const writable = importables.filter(({ entity }) => !entity.readOnly).map(({ entity }) => entity.key)
    const expected = (name: string) =>
      name === 'GET /api/v1/imports/{entity}' ? undefined : name.includes('/records') ? all : writable
    expect(named.length).toBeGreaterThan(5)
    for (const [name, keys] of named) expect([name, keys]).toEqual([name, expected(name)])
  })
})

describe('a request of the reference', () => {
  let cell: TestCell
  let agency: Agency
  beforeAll(async () => {
    cell = await startCell({
      deps: { count: uncounted, destinations: { allowed: [], resolve: async () => ['8.8.8.8'] } },
    })
    agency = await makeAgency(cell)
  })
  const bodyOf = (method: string, path: string): unknown => {
    const shown = document.paths[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]
    const { example, examples } = shown?.requestBody?.content[JSON_TYPE] ?? {}
    return example ?? Object.values(examples ?? {})[0]?.value
  }
  const routes = allRoutes.filter(({ takes }) => takes.body)

  it.each(routes)('$method $path is taken as it is shown, but for its ids', async (route) => {
    const { body, params = {}, ...call } = await exampleOf(route, cell, agency)
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'customers')
    const shown = withIdsOf(body, bodyOf(route.method, route.path))
    const answer = await cell.call(route.method, path, { ...call, body: shown, key: agency.key })
    expect([answer.status >= 400, answer.text]).toEqual([route.path === UNREADABLE, expect.anything()])
  })
  it('brings rows of any entity, which are imported in the order of the catalogue', async () => {
    const { examples = {} } =
      document.paths['/api/v1/imports/{entity}']?.post?.requestBody?.content[JSON_TYPE] ?? ({} as Media)
    for (const [entity, { value }] of Object.entries(examples)) {
      const answer = await cell.call('POST', `/imports/${entity}`, { key: agency.key, body: value })
      expect([entity, answer.status]).toEqual([entity, 200])
      expect(answer.text).not.toContain('"status":"failed"')
    }
  })
})

/** The examples, with the ids of existing records. */
function withIdsOf(real: unknown, shown: unknown): unknown {
  if (typeof shown !== 'object' || shown === null || Array.isArray(shown)) return shown
  const of = (real ?? {}) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      name.endsWith('_id') && of[name] ? of[name] : withIdsOf(of[name], value),
    ]),
  )
}
