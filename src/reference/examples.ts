import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** The part of JSON Schema that the routes use. */
type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly example?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}
type Words = ReadonlyMap<string, readonly unknown[]>
export type Examples = {
  /** A request body with the required fields, and those with samples in the catalogue. */
  request(schema: TSchema): unknown
  /** A complete example of a response or a parameter. */
  answer(schema: TSchema, name?: string): unknown
}

const ID = '019f4c2a-7d10-7c4e-9b1a-3f5e8d2c6a04'
/** What the samples of the catalogue have no word for, and what a name means below another. */
const MORE_WORDS: Readonly<Record<string, unknown>> = {
  'account.name': 'Ege Yolları Seyahat',
  'branch.name': 'Headquarters',
  'company.name': 'Ege Yolları Seyahat A.Ş.',
  'share_link.label': 'For the family',
  'saved_report.name': 'Sales of last month',
  'task.body': 'The appointment is on Monday.',
  ai_response_locale: 'en',
  api: 'v1',
  body: 'Prefers window seats.',
  body_plain: 'Your vouchers are attached.',
  byte_size: 48_213,
  channel: 'phone',
  company_type: 'agency',
  content: 'QUlSLUJMSzIwNztNQTs7MjMw',
  content_type: 'application/pdf',
  country: 'TR',
  destination: 'Roma',
  entity: 'hotel_stays',
  external_account_id: 20_000_000,
  field: 'email',
  filename: 'voucher.pdf',
  frequent_flyer_number: 'TK123456789',
  gender: 'female',
  key: 'sales_by_customer',
  limit: 25,
  location_address: 'Via dell’Aeroporto di Fiumicino',
  location_name: 'Fiumicino',
  message: 'Two weeks in Italy in July.',
  model: 'Customer',
  national_id: '10000000146',
  plan_name: 'Growth',
  plan_slug: 'growth',
  preset_key: 'sales_by_customer',
  primary_location: 'Roma',
  reference_number: 'TRP-2026-0042',
  role: 'advisor',
  since: '2026-07-01T00:00:00Z',
  source_system: 'api',
  status_code: 200,
  subject: 'Call about the visa',
  reason: 'changed',
  tag: 'honeymoon',
  tax_country: 'TR',
  time_zone: 'Europe/Istanbul',
  timezone: 'Europe/Rome',
  type: 'money',
  url: 'https://hooks.agency.example/backdesk',
}
/** Optional, and what a request makes little sense without. */
const ASKED_FOR = new Set(['saved_report.preset_key', 'communication.customer_id'])
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: ID,
  date: '2026-07-10',
  'date-time': '2026-07-10T09:30:00Z',
}
/** For texts that have a pattern: the first that fits. */
const PATTERNED = [
  '1',
  ID,
  '1250.00',
  'EUR',
  '2026-07-10T09:30',
  `whsec_${'Example'.repeat(7).slice(0, 43)}`,
  `evt_${'0a1b2c3d'.repeat(4)}`,
]

/** Makes examples of any schema from the samples of the catalogue. `components` are what schemas refer to. */
export function examplesFrom(samples: readonly object[], components: Readonly<Record<string, TSchema>>): Examples {
  const sampled = wordsOf(samples)
  const words = wordsOf([...samples, MORE_WORDS])
  const make = (schema: Schema, name: string, leavesOut: (property: string, parent: string) => boolean): unknown => {
    if (schema.$ref !== undefined) {
      const known = components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
      return make((known ?? {}) as Schema, name, leavesOut)
    }
    const [first] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
    if (first) return make(first, name, leavesOut)
    if (schema.type === 'array') return schema.items ? [make(schema.items, singular(name), leavesOut)] : []
    if (schema.type !== 'object') return leaf(schema, name, words)
    const { properties = {}, required = [] } = schema
    const all = Object.keys(properties)
    const parent = ownName(name)
    const kept = all.filter((property) => required.includes(property) || !leavesOut(property, parent))
    const shown = kept.length === 0 && name !== '' ? all.slice(0, 1) : kept
    return Object.fromEntries(
      shown.map((property) => [property, make(properties[property] ?? {}, `${parent}.${property}`, leavesOut)]),
    )
  }
  return {
    request: (schema) =>
      make(
        schema as Schema,
        '',
        (property, parent) =>
          !ASKED_FOR.has(`${parent}.${property}`) && (!sampled.has(property) || /_ids?$/.test(property)),
      ),
    answer: (schema, name = '') => make(schema as Schema, name, () => false),
  }
}

/** Every value that the samples have, by its name. */
function wordsOf(samples: readonly object[]): Words {
  const words = new Map<string, unknown[]>()
  const look = (value: unknown, name: string): void => {
    if (Array.isArray(value)) for (const item of value) look(item, singular(name))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) look(inner, key)
    words.set(name, [...(words.get(name) ?? []), value])
  }
  for (const sample of samples) look(sample, '')
  return words
}
const ownName = (name: string): string => name.slice(name.lastIndexOf('.') + 1)
const singular = (name: string): string =>
  name
    .replace(/ies$/, 'y')
    .replace(/sses$/, 'ss')
    .replace(/(?<!s)s$/, '')

function leaf(schema: Schema, name: string, words: Words): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.const !== undefined) return schema.const
  const own = ownName(name)
  const known = [...(words.get(name) ?? []), ...(words.get(own) ?? []), ...(schema.enum ?? [])]
  const fitting = known.find((value) => Value.Check(schema as TSchema, value))
  if (fitting !== undefined) return fitting
  switch (schema.type) {
    case 'boolean':
      return true
    case 'null':
      return null
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1)
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? textFor(schema, own)
    default:
      return {}
  }
}

function textFor(schema: Schema, name: string): string {
  if (name.endsWith('_url')) return 'https://images.agency.example/roma.jpg'
  if (name.endsWith('currency')) return 'EUR'
  if (name.endsWith('cursor')) return 'eyJ2IjoxfQ'
  if (/(_address|reply_to|recipient)$/.test(name)) return 'ayse.yilmaz@example.com'
  if (/(_by|name)$/.test(name)) return 'Ayşe Yılmaz'
  const words = name.replaceAll('_', ' ')
  const text = (words.charAt(0).toUpperCase() + words.slice(1)).slice(0, schema.maxLength)
  return [text, ...PATTERNED].find((candidate) => Value.Check(schema as TSchema, candidate)) ?? text
}
