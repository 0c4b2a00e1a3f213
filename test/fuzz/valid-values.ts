import fc from 'fast-check'
import { publishedFields } from '../../src/features/reports/builder/published-fields.ts'
import { entities, importables } from '../../src/registry.ts'
import { airFile } from '../harness/air.ts'
import { rowOf } from '../harness/arbitrary-rows.ts'
import { type Chance, pick } from '../harness/chance.ts'
import { tablesOfName } from '../harness/id-kinds.ts'
import { resolved, type Schema } from './operations.ts'

const SEEDS = 2 ** 31
const MOST_ITEMS = 3
const IDS_OF_OTHERS = 12 // one in this many ids is another account's
const TEXTS = ['Ayşe Yılmaz', 'x', 'İı %_ \\', "O'Hara", '  Roma  ', 'a\nb', '0', '🛫', '<b>x</b>', '=1+1']
/** Texts that mean something, by the name that they have. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  email: ['Ayse@Example.com', 'cagri@example.com'],
  phone: ['+90 532 123 45 67', '0532 123 45 67'],
  from_address: ['Ayşe <ayse@example.com>', '+905321234567'],
  reply_to: ['desk@example.com'],
  to_addresses: ['ayse@example.com', '+905321234567'],
  cc_addresses: ['cagri@example.com'],
  recipients: ['owner@agency.example'],
  in_reply_to: ['<one@example.com>'],
  url: ['https://8.8.8.8/hook', 'https://8.8.4.4/'],
  events: ['record.created', 'record.updated', 'customers.created'],
  preset_key: ['sales_by_customer', 'open_receivables', 'sales_by_period'],
  entities: entities.map(({ entity }) => entity.key),
  external_id: ['C', 'C3', 'H1', 'R1', 'nobody'],
  locale: ['tr', 'en-GB'],
  currency: ['TRY', 'EUR', 'JPY', 'KWD'],
  source_system: ['api', 'legacy'],
  'filters[currency]': ['TRY', 'EUR'],
  encoding: ['utf-8', 'windows-1254'],
}
const DAYS = ['2026-03-02', '2026-12-31', '1900-01-01', '2100-12-31', '2024-02-29']
const TIMES = ['2026-03-02T10:00:00Z', '2026-03-02T10:00:00.123456+03:00', '2099-12-31T23:59:59Z']
const WORDS_FOR_DAYS = ['today-7', 'today', 'month_start-1', 'month_end-1', '2026-01-01']

/** An id that is known when the case is sent; see `fill-in.ts`. */
export function idOf(any: Chance, tables: readonly string[]): string {
  const whose = any(IDS_OF_OTHERS) === 0 ? 'other' : 'own'
  return `@${whose}.${pick(any, tables)}.${any(1000)}@`
}

/** A value that the schema allows, and that is meaningful if its name suggests it. */
export function validValue(any: Chance, given: Schema, name: string): unknown {
  const schema = resolved(given)
  if (name === 'filters') return any(2) ? {} : { from: pick(any, WORDS_FOR_DAYS), to: pick(any, WORDS_FOR_DAYS) }
  if (name === 'definition') return any(3) ? definition(any) : null
  if (schema.anyOf) return validValue(any, pick(any, schema.anyOf), name)
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(any, schema.enum)
  if (schema.type === 'object') return validObject(any, schema)
  if (schema.type === 'array') return validArray(any, schema, name)
  if (schema.type === 'integer' || schema.type === 'number') return validNumber(any, schema)
  if (schema.type === 'boolean') return any(2) === 0
  if (schema.type === 'null') return null
  return validText(any, schema, name)
}

function validObject(any: Chance, { properties = {}, required = [] }: Schema): Record<string, unknown> {
  const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || any(3) === 0)
  return Object.fromEntries(chosen.map(([name, schema]) => [name, validValue(any, schema, name)]))
}

function validArray(any: Chance, { items = {}, minItems = 0, maxItems = MOST_ITEMS }: Schema, name: string): unknown[] {
  const length = minItems + any(Math.min(maxItems, MOST_ITEMS) - Math.min(minItems, MOST_ITEMS) + 1)
  return Array.from({ length }, () => validValue(any, items, name))
}

function validNumber(any: Chance, { minimum = -1000, maximum = 100_000 }: Schema): number {
  return pick(any, [minimum, maximum, minimum + any(maximum - minimum + 1)])
}

function validText(any: Chance, { format, pattern, maxLength = 1000, minLength = 0 }: Schema, name: string): string {
  if (name === 'content') return content(any)
  const meant = MEANT[name]
  const tables = tablesOfName(name)
  if (tables.length > 0 && !(meant && any(2))) return idOf(any, tables)
  if (meant) return pick(any, meant)
  if (name === 'cursor') return any(3) ? `@own.cursors.${any(1000)}@` : `@other.cursors.${any(1000)}@`
  if (format === 'date') return pick(any, DAYS)
  if (format === 'date-time') return pick(any, TIMES)
  if (pattern?.includes('d+')) return pick(any, ['0', '1000.50', '-3', '99999999.99'])
  const text = any(4) ? pick(any, TEXTS) : pick(any, TEXTS).repeat(1 + any(40))
  return text.slice(0, maxLength).padEnd(minLength, 'x')
}

/** A ticket file, either new or already sent. */
function content(any: Chance): string {
  const text = airFile({ tickets: [String(2_700_000_000 + any(1000))], total: `${300 + any(3)}.00` })
  return Buffer.from(any(5) ? text : text.slice(0, any(text.length))).toString('base64')
}

const OPERATORS = ['eq', 'ne', 'in', 'lt', 'lte', 'gt', 'gte', 'between', 'contains', 'empty']

/** A report of an agency's own, by the fields that it may name. */
function definition(any: Chance): object {
  const { entity } = pick(any, entities)
  const names = [...publishedFields(entity).keys()]
  const some = (most: number) => Array.from({ length: 1 + any(most) }, () => pick(any, names))
  const value = () =>
    pick(any, ['2026-03-02', '1', 'x', 5, true, ['x', 'y'], ['2026-01-01', '2026-12-31'], 'confirmed'])
  return {
    entity: entity.key,
    columns: [...new Set(some(6))],
    filters: any(2) ? [] : some(2).map((field) => ({ field, operator: pick(any, OPERATORS), value: value() })),
    ...(any(3) === 0 && { group_by: pick(any, names) }),
    ...(any(2) === 0 && { sort: [{ field: pick(any, names), direction: pick(any, ['asc', 'desc']) }] }),
  }
}

const rowsByEntity = new Map(importables.map(({ entity }) => [entity.key, fc.array(rowOf(entity), { maxLength: 4 })]))
/** A body of an entity's import. */
export function validBatch(any: Chance, schema: Schema, entity: string): object {
  const arbitrary = rowsByEntity.get(entity) ?? fc.constant([{ external_id: 'R1' }])
  const [rows = []] = fc.sample(arbitrary, { seed: any(SEEDS), numRuns: 1 })
  const { row: _, rows: __, ...properties } = schema.properties ?? {}
  const more = validObject(any, { properties })
  return any(6) === 0 ? { ...more, row: rows[0] } : { ...more, rows }
}
