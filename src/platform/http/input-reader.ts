import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Principal } from '../access/principal.ts'
import type { Details } from '../user-error.ts'
import type { Cursors } from './cursors.ts'
import { ApiError, notFound } from './errors.ts'
import { explain, type Fault } from './explain.ts'
import type { Gate } from './gate.ts'
import { inspectBody, inspectStrings } from './inspect-body.ts'
import { type Reason, Reasons } from './reasons.ts'
import { noFile } from './receive-file.ts'
import { DEFAULT_LIMIT, type HandlerTools, type Input, type PageRequest, type Route } from './route.ts'
import { unknownAttributes } from './unknown-attributes.ts'
import { unknownNames } from './unknown-names.ts'

/** A body is answered with all that is wrong with its shape; the validator stops at eight otherwise. */
Settings.Set({ maxErrors: 2_000 })

const WHOLE_NUMBER = /^-?\d{1,15}$/
/** The parameters of a list that its cursors are not bound to. */
const PAGING = new Set(['limit', 'cursor'])
const ROWS = ['rows', 'row']

/** For routes that are not lists. */
const NO_PAGE: PageRequest = { limit: 0, after: null, cursor: () => '' }

type Check = {
  Check(value: unknown): boolean
  Errors(value: unknown): Fault[]
}
type Properties = Readonly<Record<string, { type?: string }>>
/** `others`: names beside its properties are read as well. */
type Part = { check: Check; properties: Properties; others: boolean }

/** Makes the reader of a route's input; it returns the declared type, or throws. */
export function inputReader(
  route: Route,
  {
    gate,
    cursors,
    now,
    files,
    publicUrl,
  }: HandlerTools & { readonly gate: Pick<Gate, 'addressOf'>; readonly cursors: Cursors; now(): number },
): (request: FastifyRequest, principal: Principal) => Input {
  const [query, params, body] = [part(route.takes.query), part(route.takes.params), part(route.takes.body)]
  const strangersIn = unknownAttributes(route.takes)

  const paged = query !== null && Object.hasOwn(query.properties, 'cursor')
  function page({ actor, formerSecrets }: Principal, read: Record<string, unknown>, path: unknown): PageRequest {
    const filters = Object.entries(read).filter(([name, value]) => !PAGING.has(name) && value !== undefined)
    const scope = JSON.stringify([actor.account, route.path, path, filters.sort(([a], [b]) => (a < b ? -1 : 1))])
    const { limit = DEFAULT_LIMIT, cursor } = read as { limit?: number; cursor?: string }
    return {
      limit,
      after: cursor === undefined ? null : cursors.read(actor.account, scope, cursor, formerSecrets),
      cursor: (key) => cursors.write(actor.account, scope, key),
    }
  }

  /** Refuses a body of the wrong shape. Names that nothing has are answered: the handler may find more that is wrong. */
  function readBody(given: unknown, { actor }: Principal): Reasons | null {
    if (given === undefined && !body) return null
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      if (!body) return null
      throw new ApiError('bad_request', 'The request body is not a JSON object. Send one.')
    }
    const attributes = given as Record<string, unknown>
    inspectBody(attributes, route.ingest ? ROWS : [])
    const isRight = !body || body.check.Check(attributes)
    const strangers = strangersIn(attributes)
    if (isRight && strangers.length === 0) return null
    const reasons = new Reasons()
    if (!isRight) reasons.add(...reasonsOf(explain(body.check.Errors(attributes))))
    reasons.add(...strangers)
    if (isRight) return reasons
    reasons.add(...(route.inspect?.(attributes, actor) ?? []).filter(([at]) => !reasons.has(at)))
    reasons.refuse()
    return null
  }

  return (request, principal) => {
    inspectStrings(request.params)
    inspectStrings(request.query)
    const readQuery = readStrings(query, request.query as Record<string, unknown>)
    if (params && !params.check.Check(request.params)) throw notFound()
    route.precheck?.(request.params as never, request.body)
    if (route.takes.file && request.body === undefined) throw noFile('This field is required.')
    const given = request.body ?? (route.takes.bodyIsOptional && {})
    return {
      actor: principal.actor,
      principal,
      query: readQuery,
      params: request.params,
      unknownAttributes: route.takes.file ? null : readBody(given, principal),
      ...(route.takes.file ? { file: given } : { body: given }),
      page: paged ? page(principal, readQuery, request.params) : NO_PAGE,
      files,
      publicUrl,
      address: gate.addressOf(request),
      headers: { cookie: request.headers.cookie, userAgent: request.headers['user-agent'] ?? null },
      now: now(),
    } as unknown as Input
  }
}

function part(schema: TSchema | undefined): Part | null {
  if (!schema) return null
  const { properties = {}, additionalProperties } = schema as unknown as {
    properties?: Properties
    additionalProperties?: unknown
  }
  return { check: Compile(schema) as unknown as Check, properties, others: typeof additionalProperties === 'object' }
}

const reasonsOf = (details: Details): Reason[] =>
  Object.entries(details).flatMap(([at, reasons]) => reasons.map((reason): Reason => [at, reason]))

/** A query string contains only strings; numbers are converted as declared. Unknown names are refused. */
function readStrings(query: Part | null, given: Record<string, unknown>): Record<string, unknown> {
  const properties = query?.properties ?? {}
  const read: Record<string, unknown> = {}
  let unknown: string[] | null = null
  for (const name in given) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined && !query?.others) {
      unknown ??= []
      unknown.push(name)
      continue
    }
    const value = given[name]
    const number = known?.type === 'integer' && typeof value === 'string' && WHOLE_NUMBER.test(value)
    read[name] = number ? Number(value) : value
  }
  const isRight = !query || query.check.Check(read)
  if (isRight && !unknown) return read
  const strangers = unknownNames('parameter', unknown ?? [], Object.keys(properties))
  throw new ApiError('invalid_parameter', 'A query parameter is invalid. See details for each one.', {
    details: {
      ...(isRight ? {} : { ...explain(query.check.Errors(read)), ...repeated(read) }),
      ...Object.fromEntries(strangers.map(([name, reason]) => [name, [reason]])),
    },
  })
}

/** Refuses the query parameters of a route without any. */
export function refuseParameters(query: Record<string, unknown>): void {
  readStrings(null, query)
}

/** A parameter given once is not an array. */
const repeated = (read: Readonly<Record<string, unknown>>): Details =>
  Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) =>
      Array.isArray(value) ? [[name, ['Send this parameter only once.']]] : [],
    ),
  )
