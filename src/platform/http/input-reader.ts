import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Key } from '../access/key-ring.ts'
import type { Cursors } from './cursors.ts'
import { ApiError, type Details } from './errors.ts'
import { explain, type Fault } from './explain.ts'
import type { Gate } from './gate.ts'
import { inspectBody, inspectStrings } from './inspect-body.ts'
import { noFile } from './receive-file.ts'
import { DEFAULT_LIMIT, type Input, type PageRequest, type Route, type Tools } from './route.ts'

const WHOLE_NUMBER = /^-?\d{1,15}$/
/** The parameters of a list that its cursors are not bound to. */
const PAGING = new Set(['limit', 'cursor'])
const ROWS = ['rows', 'row']

/** For routes that are no lists. */
const NO_PAGE: PageRequest = { limit: 0, after: null, cursor: () => '' }

type Check = {
  Check(value: unknown): boolean
  Errors(value: unknown): Fault[]
}
type Part = { check: Check; properties: Record<string, { type?: string }> }

/** Makes the reader of a route's input; what it answers is as the route declares, or it throws. */
export function inputReader(
  route: Route,
  {
    gate,
    cursors,
    now,
    files,
    signingKeys,
    printerFiles,
    destinations,
    publicUrl,
  }: Tools & { readonly gate: Pick<Gate, 'addressOf'>; readonly cursors: Cursors; now(): number },
): (request: FastifyRequest, key: Key) => Input {
  const [query, params, body] = [part(route.takes.query), part(route.takes.params), part(route.takes.body)]

  const paged = query !== null && Object.hasOwn(query.properties, 'cursor')
  function page({ actor, formerSecrets }: Key, read: Record<string, unknown>, path: unknown): PageRequest {
    const filters = Object.entries(read).filter(([name, value]) => !PAGING.has(name) && value !== undefined)
    const scope = JSON.stringify([actor.account, route.path, path, filters.sort(([a], [b]) => (a < b ? -1 : 1))])
    const { limit = DEFAULT_LIMIT, cursor } = read as { limit?: number; cursor?: string }
    return {
      limit,
      after: cursor === undefined ? null : cursors.read(actor.account, scope, cursor, formerSecrets),
      cursor: (key) => cursors.write(actor.account, scope, key),
    }
  }

  return (request, key) => {
    inspectStrings(request.params)
    inspectStrings(request.query)
    const readQuery = query ? readStrings(query, request.query as Record<string, unknown>) : {}
    if (params && !params.check.Check(request.params))
      throw new ApiError('not_found', 'There is nothing at this address.')
    route.precheck?.(request.params as never, request.body)
    if (route.takes.file && request.body === undefined) throw noFile('is required')
    const given = (request.body ?? (route.takes.bodyIsOptional && {})) as Record<string, unknown> | undefined
    if (body) {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        throw new ApiError('bad_request', 'Send a JSON object as the body.')
      }
      inspectBody(given, route.ingest ? ROWS : [])
      if (!body.check.Check(given)) {
        throw new ApiError(
          'validation_failed',
          'The body does not hold; details names each attribute and what is wrong with it.',
          {
            details: explain(body.check.Errors(given)),
          },
        )
      }
    }
    return {
      actor: key.actor,
      key,
      query: readQuery,
      params: request.params,
      ...(route.takes.file ? { file: given } : { body: given }),
      page: paged ? page(key, readQuery, request.params) : NO_PAGE,
      files,
      signingKeys,
      printerFiles,
      destinations,
      publicUrl,
      address: gate.addressOf(request),
      now: now(),
    } as unknown as Input
  }
}

function part(schema: TSchema | undefined): Part | null {
  if (!schema) return null
  const { properties = {} } = schema as unknown as { properties?: Part['properties'] }
  return { check: Compile(schema) as unknown as Check, properties }
}

/** A query string has nothing but strings; what is declared as a number is read as one, and the rest is left out. */
function readStrings({ check, properties }: Part, given: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const name in properties) {
    const value = given[name]
    if (value === undefined) continue
    const number = properties[name]?.type === 'integer' && typeof value === 'string' && WHOLE_NUMBER.test(value)
    read[name] = number ? Number(value) : value
  }
  if (!check.Check(read)) {
    throw new ApiError(
      'invalid_parameter',
      'A query parameter does not hold; details names each and what is wrong with it.',
      {
        details: { ...explain(check.Errors(read)), ...repeated(read) },
      },
    )
  }
  return read
}

/** What is given once is no list. */
const repeated = (read: Readonly<Record<string, unknown>>): Details =>
  Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) => (Array.isArray(value) ? [[name, ['can be given once']]] : [])),
  )
