import { type Chance, pick } from '../harness/chance.ts'
import type { FuzzRequest } from './fuzz-request.ts'

const DEPTH = 200
const LONG = 100_000
const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let at = 0; at < depth; at += 1) value = [value]
  return value
}
/** Texts that programs stumble over. */
const NASTY_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '../..',
  '..%2f..',
  '%',
  '%00',
  "'; drop table customers; --",
  '$1',
  '{{trip.title}}',
  '#{7*7}',
  'constructor',
  '__proto__',
  '1e400',
  'null',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '9'.repeat(400),
  `0.${'9'.repeat(400)}`,
  'x'.repeat(3000),
  'ÿ',
  '\u202e',
  '\ufeff',
  '\n',
  '\u0085',
  'İ'.repeat(300),
  '0000-01-01',
  '0001-01-01',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '294277-01-01T00:00:00Z',
  '2026-03-02T24:00:00Z',
  '(((((a+)+)+)+)+)!',
  '%_%_%_',
  '\\',
  'a@b',
  `${'a'.repeat(300)}@example.com`,
  'javascript:alert(1)',
  'http://127.0.0.1:5432/',
  'http://[::1]/',
  'https://user:pw@8.8.8.8:1/',
]
const nastyValue = (any: Chance): unknown =>
  pick(any, [
    () => pick(any, NASTY_TEXTS),
    () => pick(any, [1e308, -1e308, 5e-324, -1, 0, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_SAFE_INTEGER]),
    () => pick(any, [null, true, false, [], {}, [null], [[]], { '': null }]),
    () => 'x'.repeat(LONG),
    () => nested(pick(any, [3, 31, 33, DEPTH])),
    () => Array.from({ length: 1001 }, () => 'x'),
    () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])),
    () =>
      `@other.${pick(any, ['customers', 'trips', 'seats', 'companies', 'branches', 'uploads', 'suppliers'])}.${any(100)}@`,
  ])()

type Place = { readonly in: Record<string, unknown> | unknown[]; readonly key: string }
const placesOf = (value: unknown): Place[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.keys(value).flatMap((key) => [
        { in: value as Record<string, unknown>, key },
        ...placesOf((value as Record<string, unknown>)[key]),
      ])
const EXTRA_KEYS = [
  'id',
  'account_id',
  'created_at',
  'deleted_at',
  'constructor',
  'toString',
  '',
  'a\u0000',
  '\ud800',
  'x'.repeat(3000),
]

/** The ways to spoil the JSON of a body. Each gets its own copy. */
const OF_VALUES: Readonly<Record<string, (any: Chance, body: unknown) => unknown>> = {
  replace(any, body) {
    const places = placesOf(body)
    if (places.length === 0) return nastyValue(any)
    const place = pick(any, places)
    ;(place.in as Record<string, unknown>)[place.key] = nastyValue(any)
    return body
  },
  remove(any, body) {
    const places = placesOf(body)
    if (places.length === 0) return {}
    const place = pick(any, places)
    delete (place.in as Record<string, unknown>)[place.key]
    return body
  },
  add(any, body) {
    const objects = [body, ...placesOf(body).map((place) => (place.in as Record<string, unknown>)[place.key])].filter(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    )
    if (objects.length > 0) (pick(any, objects) as Record<string, unknown>)[pick(any, EXTRA_KEYS)] = nastyValue(any)
    return body
  },
  wrap: (any, body) => pick(any, [[body], { data: body }, JSON.stringify(body)]),
  whole: (any) => nastyValue(any),
}
/** And those to spoil its text. */
const OF_TEXTS: Readonly<Record<string, (any: Chance, text: string) => string | Buffer>> = {
  cut: (any, text) => text.slice(0, any(text.length + 1)),
  empty: () => '',
  latin1: (_, text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
  huge: (_, text) => text.replace(/:\s*-?\d[\d.]*/, ':1e400'),
  twice: (_, text) => text.replace(/^\{/, '{"x":1,"x":2,'),
  proto: (_, text) => text.replace(/^\{/, '{"__proto__":{"x":1},'),
  comment: (_, text) => `/* */${text}`,
  bom: (_, text) => `\ufeff${text}`,
}
const TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;;',
  '',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/JSON',
]
const HEADERS: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(300)],
  ['idempotency-key', 'again'],
  ['x-request-id', 'x'.repeat(500)],
  ['accept', 'text/html'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '8.8.8.8, nonsense'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '*'],
  ['expect', '100-continue'],
  ['authorization', 'Bearer '],
  ['authorization', `Bearer sek_${'x'.repeat(5000)}`],
  ['authorization', 'Basic eDp4'],
]
const ESCAPES = [
  '%00',
  '%zz',
  '%',
  '..%2f..',
  'a%2e%2e',
  'a%2Fb',
  '%ED%A0%80',
  '%C0%80',
  'x'.repeat(2100),
  '1',
  '-1',
  '99999',
  '0',
  'null',
  '%20',
  ';',
  '%0d%0aX:1',
]
/** As a part of an address; a dot or two would lead to another route, whatever is done to them. */
const encoded = (part: string) => encodeURIComponent(part.toWellFormed()).replace(/^\.{0,2}$/, 'x')

/** The ways to spoil a request; each returns the name of its change, or null if it does not apply. */
const MUTATIONS: readonly ((any: Chance, request: FuzzRequest) => string | null)[] = [
  ...Array.from({ length: 5 }, () => (any: Chance, request: FuzzRequest) => {
    if (request.json === undefined) return null
    const name = pick(any, Object.keys(OF_VALUES))
    request.json = OF_VALUES[name]?.(any, structuredClone(request.json))
    return name
  }),
  (any, request) => {
    if (request.json === undefined) return null
    const name = pick(any, Object.keys(OF_TEXTS))
    request.text = OF_TEXTS[name]?.(any, JSON.stringify(request.json))
    return name
  },
  (any, request) => {
    const [param] = request.params.length > 0 ? [pick(any, request.params)] : []
    if (!param) return null
    param.value = any(2) ? pick(any, ESCAPES) : encoded(pick(any, NASTY_TEXTS))
    return `:${param.name}`
  },
  (any, request) => {
    const name =
      any(4) && request.queryNames.length > 0
        ? pick(any, request.queryNames)
        : pick(any, ['x', 'limit', 'cursor', 'filters[x]', 'filters', '__proto__', 'filters[from][x]'])
    request.query.push([encoded(name), any(4) ? encoded(pick(any, NASTY_TEXTS)) : pick(any, ESCAPES)])
    return `?${name}`
  },
  (any, request) => {
    if (request.query.length === 0) return null
    request.query.push(pick(any, request.query))
    return 'twice in the query'
  },
  (any, request) => {
    request.headers['content-type'] = pick(any, TYPES)
    return 'content-type'
  },
  (any, request) => {
    const [name, value] = pick(any, HEADERS)
    request.headers[name] = value
    return name
  },
]

/** Spoils a request in one to three ways. */
export function mutate(any: Chance, request: FuzzRequest): void {
  for (let left = 1 + any(3); left > 0; left -= 1) {
    const done = pick(any, MUTATIONS)(any, request)
    if (done !== null) request.mutations.push(done)
  }
}
