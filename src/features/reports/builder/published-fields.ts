import { columnSql } from '../../../catalogue/columns.ts'
import type { Entity, Linked } from '../../../catalogue/entity.ts'
import type { Field } from '../../../catalogue/kind.ts'
import { ownFields } from '../../../imports/records/record-sql.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import { onceFor } from '../../../platform/once-for.ts'
import { personalSql } from '../../customers/reads/restricted.ts'
import { type ColumnType, maySee, type ReportColumn, type Sensitive } from '../preset.ts'

/** What the values of a field are compared as. */
export type Compared = 'text' | 'choice' | 'yes_no' | 'id' | 'day' | 'moment' | 'whole' | 'number'
/** A field of an entity's records that the feed publishes, as a column of a report. */
export type PublishedField = {
  readonly column: ReportColumn
  readonly compared: Compared
  /** SQL of its value over `t` and `o`, the tables of the record. */
  readonly sql: string
  /** SQL over the record: whether the value identifies a person whom the role may not know. */
  readonly restricted?: string
  /** For a choice. */
  readonly options?: readonly string[]
  /** The field that identifies values with the same text. */
  readonly identifiedBy?: string
  /** SQL of the same amount in the company's currency. */
  readonly base?: string
}
export type PublishedFields = ReadonlyMap<string, PublishedField>

/** SQL of a field's value as the role sees it: what it may not see is null, wherever the value is used. */
export function seenSql({ column, sql, restricted = 'false' }: PublishedField, policies: Policies): string {
  if (!maySee(policies, column.sensitive)) return 'null'
  return column.sensitive === 'personal' ? personalSql(restricted, `(${sql})`, policies) : `(${sql})`
}

/** The fields of an entity's records, in the order of the feed, without lists. */
export const publishedFields = onceFor((entity: Entity): PublishedFields => {
  const { customer, supplier, invoiced, cancelledAt } = entity.summary ?? {}
  const currency = Object.hasOwn(entity.fields, 'currency') ? columnSql(entity, 'currency') : null
  return new Map([
    plain('external_id', 'text', 't.external_id'),
    plain('source_system', 'text', 't.source_system'),
    plain('id', 'id', 't.id'),
    named('status', { column: { type: 'string' }, compared: 'choice', sql: entity.status, options: entity.statuses }),
    ...(entity.scope === 'company'
      ? [plain('company_id', 'id', 't.company_id'), plain('branch_id', 'id', 't.branch_id')]
      : []),
    ...(customer ? linkedFields('customer', customer) : []),
    ...(supplier ? linkedFields('supplier', supplier) : []),
    ...(currency === null ? [] : [plain('currency', 'text', currency)]),
    ...totalFields(entity),
    ...(invoiced ? [plain('invoiced', 'yes_no', invoiced)] : []),
    ...ownFields(entity).flatMap(([name, field]) => ownField(entity, name, field)),
    plain('created_at', 'moment', 't.created_at'),
    plain('updated_at', 'moment', 't.updated_at'),
    ...(cancelledAt ? [plain('cancelled_at', 'moment', cancelledAt)] : []),
  ])
})

type Entry = readonly [name: string, field: PublishedField]
type Declared = Omit<PublishedField, 'column'> & { readonly column: Omit<ReportColumn, 'label'> }
const named = (name: string, { column, ...field }: Declared): Entry => [
  name,
  { ...field, column: { label: labelOf(name), ...column } },
]
/** `check_in_on` as “Check in on”. */
const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const TYPES: Readonly<Record<Compared, ColumnType>> = {
  text: 'string',
  choice: 'string',
  yes_no: 'string',
  id: 'uuid',
  day: 'date',
  moment: 'datetime',
  whole: 'integer',
  number: 'decimal',
}
const plain = (name: string, compared: Compared, sql: string): Entry =>
  named(name, { column: { type: TYPES[compared] }, compared, sql })

/** The id and the name of a referenced record. References to deleted people are null. */
function linkedFields(name: string, { table, id, pii, restricted }: Linked): Entry[] {
  const of = (sql: string) =>
    `select ${sql} from ${table} l where l.account_id = t.account_id and l.id = ${id} and l.deleted_at is null`
  return [
    plain(`${name}_id`, 'id', of('l.id')),
    named(name, {
      column: { type: 'string', ...(pii && { sensitive: 'personal' }) },
      compared: 'text',
      sql: of('l.name'),
      ...(restricted && { restricted: `exists (${of('')} and (${restricted}))` }),
      identifiedBy: `${name}_id`,
    }),
  ]
}

const TOTALS = { sell: 'money', cost: 'cost', margin: 'cost', vat: 'money' } as const
type Total = keyof typeof TOTALS
/** The totals of a booking: in its own currency, and converted to that of its company. */
function totalFields({ summary: { totals, companyTotals } = {} }: Entity): Entry[] {
  if (!totals || !companyTotals) return []
  const each = (make: (name: Total) => Entry): Entry[] => (Object.keys(TOTALS) as Total[]).map(make)
  const money = (
    name: string,
    sensitive: Sensitive,
    currency_key: string,
    more: Pick<Declared, 'sql' | 'base'>,
    sums?: true,
  ) =>
    named(name, {
      column: { type: 'money', currency_key, sensitive, ...(sums && { sums }) },
      compared: 'number',
      ...more,
    })
  return [
    ...each((of) => money(`${of}_total`, TOTALS[of], 'currency', { sql: totals[of], base: companyTotals[of] }, true)),
    plain('company_currency', 'text', companyTotals.currency),
    ...each((of) => money(`company_${of}`, TOTALS[of], 'company_currency', { sql: companyTotals[of] })),
  ]
}

/** How the kinds of the catalogue are compared; those that are not here are texts. */
const COMPARED: Readonly<Record<string, Compared>> = {
  enum: 'choice',
  boolean: 'yes_no',
  date: 'day',
  datetime: 'moment',
  integer: 'whole',
  decimal: 'number',
  money: 'number',
}
function ownField(entity: Entity, name: string, field: Field): Entry[] {
  if (field.type === 'list' || (field.pii && field.sees)) return [] // a column has one mask
  const isText = field.pg === 'text' || field.pg === 'text[]' || field.reference !== undefined
  const compared = isText && field.type !== 'enum' ? 'text' : (COMPARED[field.type] ?? 'text')
  const type = field.type === 'money' ? 'money' : TYPES[compared]
  const sensitive = sensitiveOf(field)
  const sums = type === 'integer' || (type === 'money' && (field.currencyCell ?? 'currency') === 'currency')
  return [
    named(name, {
      column: { type, ...(sensitive && { sensitive }), ...(sums && { sums: true }) },
      compared,
      sql: valueSql(entity, name, field),
      ...(entity.restricted && { restricted: entity.restricted }),
      ...(field.enumValues && { options: field.enumValues }),
    }),
  ]
}

function sensitiveOf({ pii, sees }: Field): Sensitive | undefined {
  if (pii) return 'personal'
  return sees === 'costs' ? 'cost' : sees
}

function valueSql(entity: Entity, name: string, field: Field): string {
  if (field.elsewhere) return `(${field.elsewhere.show})::${field.pg}`
  const column = columnSql(entity, name)
  const [key] = field.reference?.by ?? []
  if (field.reference && key)
    return `select l.${key.name} from ${field.reference.table} l where l.account_id = t.account_id and l.id = ${column}`
  return field.pg === 'text[]' ? field.print(column) : column
}
