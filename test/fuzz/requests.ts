import { entities, reportSources } from '../../src/registry.ts'
import { type Chance, chance, pick } from '../harness/chance.ts'
import { tableOfParam } from '../harness/id-kinds.ts'
import { KEPT } from '../harness/sample-files.ts'
import { multipart } from '../harness/upload.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { mutate } from './mutations.ts'
import type { Operation, Schema } from './operations.ts'
import { idOf, validBatch, validValue } from './valid-values.ts'
import { AS } from './world.ts'

const VALID = 5
const MUTATED = 3
const TAKES_ROWS = /^\/imports\/:entity(\/validate)?$/

/** The case of an operation for a seed; always the same one. */
export function requestOf(operation: Operation, seed: number): FuzzRequest {
  const any = chance(seed)
  const { method, path, parameters } = operation
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const params = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => ({ name, value: validParam(any, path, name, schema) }))
  const request: FuzzRequest = {
    method,
    path,
    params,
    query: inQuery
      .filter(() => any(inQuery.length > 6 ? 6 : 3) === 0)
      .map(({ name, schema }) => [encodeURIComponent(name), encodeURIComponent(String(validValue(any, schema, name)))]),
    queryNames: inQuery.map(({ name }) => name),
    as: any(3) ? 'owner' : pick(any, AS),
    mutations: [],
    headers: {},
    ...bodyOf(any, operation, params[0]?.value ?? ''),
  }
  if (method !== 'GET' && any(4) === 0) request.headers['idempotency-key'] = `key ${any(20)}`
  if (any(VALID + MUTATED) >= VALID) mutate(any, request)
  return request
}

function bodyOf(any: Chance, { path, body }: Operation, entity: string): Partial<FuzzRequest> {
  if (body === null) return {}
  if (body === 'file') return fileBody(any)
  return { json: TAKES_ROWS.test(path) ? validBatch(any, body, entity) : validValue(any, body, '') }
}

/** Invalid ids in a path. */
const IN_PATHS: Readonly<Record<string, readonly string[]>> = {
  day_number: ['1', '2'],
  external_id: ['C', 'C3', 'C-1001', 'H1', 'R1', '%C3%BC%2F17', 'nobody'],
  key: entities.map(({ entity }) => entity.key),
  entity: entities.map(({ entity }) => entity.key),
  id: reportSources.presets.map(({ key }) => key),
}
function validParam(any: Chance, path: string, name: string, schema: Schema): string {
  const table = tableOfParam(path, name, schema)
  return table === null ? pick(any, IN_PATHS[name] ?? ['x']) : idOf(any, [table])
}

/** A multipart body with a file, mostly under its required name. */
function fileBody(any: Chance): Partial<FuzzRequest> {
  const [filename, bytes] = pick(any, KEPT)
  const { raw, headers } = multipart([{ name: any(8) ? 'file' : 'x', filename, bytes }])
  return { text: raw, headers }
}
