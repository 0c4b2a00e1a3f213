import type { Entity } from '../../src/catalogue/entity.ts'
import { type PublishedField, publishedFields } from '../../src/features/reports/builder/published-fields.ts'
import { maySee } from '../../src/features/reports/preset.ts'
import type { Policies } from '../../src/platform/access/policies.ts'
import { dayIn } from '../../src/platform/time.ts'

type Cell = string | number | boolean | null
/** A record as the feed shows it to a role. */
export type FeedRecord = Readonly<Record<string, unknown>> & { readonly id: string }
export type Asked = { readonly field: string; readonly operator: string; readonly value: unknown }
export type Definition = {
  readonly entity: string
  readonly columns: readonly string[]
  readonly filters: readonly Asked[]
  readonly group_by: string | null
  readonly sort: readonly { readonly field: string; readonly direction: string }[]
}

/** A field of a record as in the feed, independent of the SQL of reports. */
export function cellOf(record: FeedRecord, name: string): Cell {
  const part = (of: string, key: string) => ((record[of] as Record<string, Cell> | null)?.[key] ?? null) as Cell
  const [, linked, id] = /^(customer|supplier)(_id)?$/.exec(name) ?? []
  if (linked) return part(linked, id ? 'id' : 'name')
  const [, total] = /^(sell|cost|margin|vat)_total$/.exec(name) ?? []
  if (total && 'totals' in record && record.totals !== null) return part('totals', total)
  const [, company] = /^company_(sell|cost|margin|vat|currency)$/.exec(name) ?? []
  if (company) return part('company_totals', company)
  return (record[name] ?? null) as Cell
}
/** As a report shows it. */
export const shownCell = (record: FeedRecord, name: string): Cell => {
  const cell = cellOf(record, name)
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : cell
}

const fold = (text: unknown) =>
  String(text).replace(/[İIı]/g, 'i').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Whether a record is one that a filter asks for. */
function holds(
  record: FeedRecord,
  { compared }: PublishedField,
  { field, operator, value }: Asked,
  zone: string,
): boolean {
  const cell = cellOf(record, field)
  if (operator === 'empty') return (cell === null) === value
  const comparable = (of: unknown) => (compared === 'whole' || compared === 'number' ? Number(of) : of)
  const own = cell === null ? null : compared === 'moment' ? dayIn(zone, Date.parse(String(cell))) : comparable(cell)
  if (operator === 'ne') return own !== comparable(value)
  if (own === null) return false
  const [first, last] = Array.isArray(value) ? value.map(comparable) : [comparable(value)]
  if (operator === 'eq') return own === first
  if (operator === 'in') return (value as unknown[]).includes(own)
  if (operator === 'contains') return fold(own).includes(fold(value))
  const [is, low, high] = [own, first, last] as [number, number, number]
  const compare: Readonly<Record<string, boolean>> = {
    lt: is < low,
    lte: is <= low,
    gt: is > low,
    gte: is >= low,
    between: is >= low && is <= high,
  }
  return compare[operator] ?? false
}

/** The records that a definition finds, out of all that the role sees of its entity. */
export function modelOf(
  entity: Entity,
  { filters }: Definition,
  records: readonly FeedRecord[],
  zone: string,
): FeedRecord[] {
  const fields = publishedFields(entity)
  return records.filter((record) =>
    filters.every((asked) => holds(record, fields.get(asked.field) as PublishedField, asked, zone)),
  )
}

/** The fields that a role may not see of any record. */
export const maskedOf = (entity: Entity, policies: Policies): ReadonlySet<string> =>
  new Set(
    [...publishedFields(entity)].filter(([, { column }]) => !maySee(policies, column.sensitive)).map(([name]) => name),
  )
