import type { TSchema } from 'typebox'
import { alternativesOf, SCOPES } from '../access/policies.ts'
import { deprecationText } from './deprecation.ts'
import { ERROR_STATUSES, type ErrorCode, SESSION_CODES } from './errors.ts'
import { KEY_MAXIMUM } from './idempotency.ts'
import { FILE_MAXIMUM_BYTES } from './receive-file.ts'
import type { Route, Tag } from './route.ts'

/** The parts of the document that do not come from routes. */
export type About = {
  readonly surface: Surface
  readonly title: string
  readonly version: string
  readonly description: string
  readonly serverUrl: string
  /** Those of `open`; the routes bring their own. */
  readonly tags: readonly Tag[]
  /** Schemas of the component section, by name. */
  readonly schemas: Readonly<Record<string, TSchema>>
  readonly examples: Examples
  /** Extra operations that need no key and no session, as OpenAPI path items. */
  readonly open: Readonly<Record<string, object>>
}
/** Converts schemas for the document. */
type Examples = {
  request(schema: TSchema): unknown
  answer(schema: TSchema, name?: string): unknown
}
type Response = { description: string; headers?: object; content?: object }

/** Where routes are mounted, and how requests are admitted there. */
export type Surface = {
  readonly prefix: '/api/v1' | '/app/v1'
  readonly scheme: { readonly name: string; readonly value: object }
  /** Refusals of the gate that the other surface does not have. */
  readonly codes: readonly ErrorCode[]
}
export const KEY_SURFACE: Surface = {
  prefix: '/api/v1',
  scheme: {
    name: 'key',
    value: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'sek_…',
      description: `An API key. Its scopes are some of ${SCOPES.join(', ')}.`,
    },
  },
  codes: ['key_revoked', 'key_expired', 'ip_not_allowed', 'plan_upgrade_required'],
}
export const SESSION_SURFACE: Surface = {
  prefix: '/app/v1',
  scheme: {
    name: 'session',
    value: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-backdesk',
      description:
        'The session of a person who is signed in to the console. Writes also need the header `Backdesk-Console: 1` and come from the origin of the cell; `Backdesk-Account` chooses one of the accounts that the browser is signed in to.',
    },
  },
  codes: [...SESSION_CODES],
}

/** What any request can be answered. */
const EVERY: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'invalid_parameter',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'unavailable',
]
/** What any write can be answered as well. */
const EVERY_WRITE: readonly ErrorCode[] = [
  'conflict',
  'idempotency_conflict',
  'idempotency_key_reuse',
  'payload_too_large',
  'validation_failed',
]

/** The codes of a surface. A method that a path does not support is not in the document. */
function documentedCodes({ codes }: Surface): ErrorCode[] {
  const others = [...KEY_SURFACE.codes, ...SESSION_SURFACE.codes].filter((code) => !codes.includes(code))
  return (Object.keys(ERROR_STATUSES) as ErrorCode[]).filter(
    (code) => code !== 'method_not_allowed' && !others.includes(code),
  )
}

const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const TEXT = { type: 'string', maxLength: 2000 }
const EPOCH_SECONDS = { type: 'integer', format: 'int64', minimum: 0, maximum: 99_999_999_999 }
const WHOLE = { type: 'integer', format: 'int32', minimum: 0, maximum: 1_000_000 }

/** The OpenAPI 3.1 document of these routes: the same objects that the server mounts. */
export function openApi(routes: readonly Route[], about: About): object {
  const { scheme } = about.surface
  const codes = documentedCodes(about.surface)
  const paths: Record<string, Record<string, object>> = { ...(about.open as Record<string, Record<string, object>>) }
  for (const route of routes) {
    const path = `${about.surface.prefix}${route.path.replace(/:(\w+)/g, '{$1}')}`
    const isOnlyPatch =
      route.method === 'PATCH' && !routes.some((other) => other.method === 'PUT' && other.path === route.path)
    const notes = isOnlyPatch ? ['`PATCH` only: `PUT` answers 405 with `Allow: PATCH`.'] : []
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, notes, about) }
  }
  return withIntegerFormats({
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Backdesk', url: about.serverUrl },
    },
    servers: [{ url: about.serverUrl, description: 'This cell' }],
    security: [{ [scheme.name]: [] }],
    tags: [...about.tags, ...new Set(routes.map(({ tag }) => tag))],
    paths,
    components: {
      securitySchemes: { [scheme.name]: scheme.value },
      headers: {
        RequestId: {
          description:
            'Identifies the request in our logs. A valid X-Request-Id of the request is used; otherwise one is generated.',
          schema: TEXT,
        },
        Limit: { description: 'Requests allowed per minute, by the lowest limit that applies.', schema: WHOLE },
        Remaining: { description: 'Requests left in the current minute.', schema: WHOLE },
        Reset: { description: 'Time at which the current minute ends, in UTC epoch seconds.', schema: EPOCH_SECONDS },
        Location: { description: 'Path of the batch, to follow its progress.', schema: TEXT },
        RetryAfter: { description: 'Seconds to wait before trying again.', schema: WHOLE },
        ...(codes.includes('stale') && {
          ETag: {
            description: 'Version of the record. Send it as `If-Match` when you change the record.',
            schema: TEXT,
          },
        }),
        Replay: {
          description: '`true` when the response is the stored response of an earlier request.',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      schemas: { Error: errorSchema(about.surface), ...about.schemas },
      responses: Object.fromEntries(
        [...Map.groupBy(codes, (code) => ERROR_STATUSES[code])].map(([status, each]) => [
          `Error${status}`,
          errorResponse(status, each),
        ]),
      ),
    },
  }) as object
}

/** Integers state their width, for code generators. */
function withIntegerFormats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIntegerFormats)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withIntegerFormats(part)]))
  if (inner.type !== 'integer' || inner.format !== undefined) return inner
  return { ...inner, format: Number(inner.maximum) <= 2_147_483_647 ? 'int32' : 'int64' }
}

/** `method_not_allowed` is answered too, by methods that the document does not have. */
const errorSchema = (surface: Surface) => ({
  type: 'object',
  additionalProperties: false,
  required: ['error', 'code'],
  properties: {
    error: { ...TEXT, description: 'What is wrong and what to do, in English.' },
    code: { type: 'string', enum: allCodes(surface), description: 'Error code, for programs.' },
    details: {
      type: 'object',
      description: 'Map from each rejected attribute to its reasons.',
      additionalProperties: { type: 'array', maxItems: 1000, items: TEXT },
    },
    ...(documentedCodes(surface).includes('stale') && {
      data: { type: 'object', description: 'With the code `stale`: the record as it is now.' },
    }),
  },
})
const allCodes = (surface: Surface): ErrorCode[] => {
  const codes = new Set<ErrorCode>([...documentedCodes(surface), 'method_not_allowed'])
  return (Object.keys(ERROR_STATUSES) as ErrorCode[]).filter((code) => codes.has(code))
}

const RATE_HEADERS = {
  'X-RateLimit-Limit': component('headers', 'Limit'),
  'X-RateLimit-Remaining': component('headers', 'Remaining'),
  'X-RateLimit-Reset': component('headers', 'Reset'),
}
const HEADERS = { 'X-Request-Id': component('headers', 'RequestId'), ...RATE_HEADERS }
const RETRIED = new Set([409, 429, 503])

function errorResponse(status: number, codes: readonly ErrorCode[]): Response {
  return {
    description: `One of the codes ${codes.join(', ')}.`,
    headers: {
      'X-Request-Id': component('headers', 'RequestId'),
      ...(status === 401 ? {} : RATE_HEADERS),
      ...(codes.includes('stale') && { ETag: component('headers', 'ETag') }),
      ...(RETRIED.has(status) && { 'Retry-After': component('headers', 'RetryAfter') }),
    },
    content: { 'application/json': { schema: component('schemas', 'Error') } },
  }
}

function operation(route: Route, notes: readonly string[], { examples, surface }: About): object {
  const writes = route.method !== 'GET'
  const versioned = surface === SESSION_SURFACE ? route.versioned : undefined
  const codes = [
    ...EVERY,
    ...surface.codes.filter((code) => code !== 'stale'),
    ...(writes ? EVERY_WRITE : []),
    ...route.errors,
    ...(route.takes.params ? (['not_found'] as const) : []),
  ]
  const needed = alternativesOf(route.policy)
    .map((policy) => `\`${policy}\``)
    .join(' or ')
  const failures = [...new Set(codes.map((code) => ERROR_STATUSES[code]))].sort((a, b) => a - b)
  return {
    operationId: operationId(route),
    tags: [route.tag.name],
    summary: route.summary,
    ...(route.deprecated && { deprecated: true }),
    description: [
      ...(route.deprecated ? [deprecationText(route.deprecated)] : []),
      route.description ?? route.summary,
      ...notes,
      [
        surface === KEY_SURFACE ? `Scope: ${route.scope?.join(' or ')}.` : '',
        needed && `The role needs ${needed}.`,
        route.feature ? `The plan needs \`${route.feature}\`.` : '',
        route.recentProof ? 'Needs `POST /session/proof` within the last ten minutes.' : '',
      ]
        .filter(Boolean)
        .join(' '),
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.open && { security: [] }),
    parameters: [
      ...parameters('path', route.takes.params, examples),
      ...parameters('query', route.takes.query, examples),
      ...(writes ? [IDEMPOTENCY_KEY] : []),
      ...(typeof versioned === 'object' ? [IF_MATCH] : []),
    ],
    ...(route.takes.file && { requestBody: { required: true, content: { 'multipart/form-data': { schema: FILE } } } }),
    ...(route.takes.body && {
      requestBody: {
        required: !route.takes.bodyIsOptional,
        content: { 'application/json': bodyShown(route.takes, examples) },
      },
    }),
    responses: {
      ...Object.fromEntries(failures.map((status) => [status, component('responses', `Error${status}`)])),
      ...Object.fromEntries(
        [route.answers, ...(route.alsoAnswers ?? [])].map((answer) => [
          answer.status,
          answered(answer, failures, { writes, versioned: versioned !== undefined }, examples),
        ]),
      ),
    },
  }
}

/** A status that refusals have as well is either of them. */
function answered(
  { status, description, body, type = 'application/json' }: Route['answers'],
  failures: readonly number[],
  { writes, versioned }: { readonly writes: boolean; readonly versioned: boolean },
  examples: Examples,
): Response {
  const example = type.endsWith('.sheet') ? {} : { example: type === 'text/csv' ? CSV_EXAMPLE : examples.answer(body) }
  const schema = failures.includes(status) ? { anyOf: [body, component('schemas', 'Error')] } : body
  return {
    description,
    headers: {
      ...HEADERS,
      ...(status === 202 && { Location: component('headers', 'Location') }),
      ...(status === 303 && { Location: { description: 'Where the browser is sent.', schema: TEXT } }),
      ...(versioned && { ETag: component('headers', 'ETag') }),
      ...(writes && { 'Idempotent-Replay': component('headers', 'Replay') }),
    },
    ...(status !== 204 && status !== 303 && { content: { [type]: { schema, ...example } } }),
  }
}

function bodyShown(
  { body, bodyInDocument = body as TSchema, examples: own }: Route['takes'],
  examples: Examples,
): object {
  return { schema: bodyInDocument, ...(own ? { examples: own } : { example: examples.request(bodyInDocument) }) }
}

const CSV_EXAMPLE = 'external_id,name\r\nC-1001,Ayşe Yılmaz\r\n'
const FILE = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', maxLength: FILE_MAXIMUM_BYTES } },
}
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the write safe to retry: for seven days, a request with the same key returns the response of the first one.',
  schema: { type: 'string', minLength: 1, maxLength: KEY_MAXIMUM },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The ETag of the record as it was read. If the record has changed since, the response is 409 `stale` with the current record in `data`, and with its ETag. Without this header, or with `*`, the record is changed in any case.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** `GET /imports/:entity/records` → `getImportsEntityRecords`. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function parameters(place: 'path' | 'query', schema: TSchema | undefined, examples: Examples): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema & { description?: string; enumInDocument?: readonly string[] }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { enumInDocument, ...property }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(property.description && { description: property.description }),
    schema: { ...property, ...(enumInDocument && { enum: enumInDocument }) },
    ...(place === 'path' && { example: examples.answer(property as TSchema, name) }),
  }))
}
