import { fromSql, ofEntity } from '../../../catalogue/columns.ts'
import type { Entity } from '../../../catalogue/entity.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import { filteredByMasked } from '../filters.ts'
import { inDigits } from '../in-digits.ts'
import { maySee, type Preset, type ReportColumn, type ReportFilter } from '../preset.ts'
import type { Definition } from './definition.ts'
import { filterOf, valueOn } from './operators.ts'
import { type PublishedField, publishedFields, seenSql } from './published-fields.ts'

/** The reader of a definition, and the day in the account's calendar. */
type For = { readonly policies: Policies; readonly today: string }
type Named = readonly [name: string, field: PublishedField]

/**
 * A definition as a preset, run by the same engine. Conditions, order and groups use the values as the role sees them,
 * so none reveals what is masked. Besides the chosen columns it has the currencies of their amounts, and the id, which
 * identifies rows.
 */
export function presetOf(definition: Definition, entity: Entity, { policies, today }: For): Preset {
  const fields = publishedFields(entity)
  const of = (names: Iterable<string>): Named[] =>
    [...new Set(names)].flatMap((name) => {
      const field = fields.get(name)
      return field ? [[name, field] as const] : []
    })
  const shown = of([...definition.columns, ...currenciesOf(of(definition.columns)), 'id'])
  const grouped = definition.group_by === null ? [] : of([definition.group_by])
  const keys = of(grouped.map(([name, { identifiedBy: toldApartBy = name }]) => toldApartBy))
  const based = basedOn(shown)
  return {
    key: entity.key,
    label: entity.label,
    description: `Custom report on ${entity.label.toLowerCase()}.`,
    category: 'operations',
    feature: 'reports_builder',
    columns: Object.fromEntries(shown.map(([name, { column }]) => [name, column])),
    filters: filtersOf(definition, fields, { policies, today }),
    groupings: Object.fromEntries(
      grouped.map(([name, { column, identifiedBy: toldApartBy = name }]) => [
        name,
        groupingOf(name, toldApartBy, column),
      ]),
    ),
    order: [...definition.sort.map(orderOf), { column: 'id' }],
    pages: true,
    ...(based.length > 0 && { base: true }),
    rows: ({ where }) => `
      select ${[...selected(new Map([...shown, ...grouped, ...keys]), policies), ...baseSql(based, entity)].join(', ')}
      from ${fromSql(entity)}
      where t.account_id = $account and ${ofEntity(entity)} and t.deleted_at is null and ${where}`,
  }
}

const groupingOf = (name: string, key: string, { label, sensitive }: ReportColumn) => ({
  label,
  key,
  name,
  ...(sensitive && key === name && { sensitive }), // an id shows nothing, and its name is masked
})
const orderOf = ({ field, direction }: Definition['sort'][number]) => ({
  column: field,
  ...(direction === 'desc' && { descending: true as const }),
})

/** The currency columns of other columns. */
const currenciesOf = (shown: readonly Named[]): string[] =>
  shown.flatMap(([, { column }]) => (column.type === 'money' ? [column.currency_key ?? 'currency'] : []))

const selected = (fields: ReadonlyMap<string, PublishedField>, policies: Policies): string[] =>
  [...fields].map(
    ([name, field]) => `${shownAs(field, seenSql(field, policies), fields.get('currency')?.sql)} as "${name}"`,
  )

/** A value as a column has it: a word for yes and no, and an amount that is added up in the digits of its currency. */
function shownAs({ column, compared, base }: PublishedField, sql: string, currency: string | undefined): string {
  if (compared === 'yes_no') return `case ${sql} when true then 'yes' when false then 'no' end`
  const isGiven = column.type === 'money' && column.sums && base === undefined
  return isGiven && currency ? inDigits(sql, currency) : sql
}

/** The sums of money, where each of them is known in the company's currency as well. */
function basedOn(shown: readonly Named[]): readonly Named[] {
  const sums = shown.filter(([, { column }]) => column.type === 'money' && column.sums)
  return sums.every(([, { base }]) => base) ? sums : []
}
const baseSql = (based: readonly Named[], { summary }: Entity): string[] =>
  based.length === 0
    ? []
    : [
        `${summary?.companyTotals?.currency} as base_currency`,
        ...based.map(([name, { base }]) => `${base} as "base_${name}"`),
      ]

/** The filters with their values, by names that are parameters: a field and an operator. */
function filtersOf(
  { filters }: Definition,
  fields: ReadonlyMap<string, PublishedField>,
  { policies, today }: For,
): Record<string, ReportFilter> {
  const known = filters.flatMap((filter) => {
    const field = fields.get(filter.field)
    return field ? [{ ...filter, of: field }] : []
  })
  const masked = known.filter(({ of }) => !maySee(policies, of.column.sensitive)).map(({ field }) => field)
  if (masked.length > 0) throw filteredByMasked(masked)
  return Object.fromEntries(
    known.map(({ field, operator, value, of: { column, compared, ...of } }) => {
      const name = `${field}_${operator}`
      const sql = seenSql({ column, compared, ...of }, policies)
      return [name, filterOf(name, column.label, compared, sql, operator, valueOn(compared, value, today))]
    }),
  )
}
