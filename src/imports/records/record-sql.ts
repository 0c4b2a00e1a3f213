import { columnSql, shownFields } from '../../catalogue/columns.ts'
import type { Entity, Linked } from '../../catalogue/entity.ts'
import type { Field, Mark, Sight } from '../../catalogue/kind.ts'
import type { Fields } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql } from '../../platform/db/view.ts'
import { sees } from '../visible.ts'

/** Fields that every record shows under its own name. */
const COMMON = new Set(['external_id', 'status', 'currency'])

/** The names of the entity's own fields in a record. */
export const ownFields = (entity: Entity): [string, Field][] =>
  Object.entries(shownFields(entity)).filter(([name, field]) => !COMMON.has(name) && field.type !== 'reference')

/** SQL of the currency of a record's amounts; null if it has none. */
const currencySql = (entity: Entity): string =>
  Object.hasOwn(entity.fields, 'currency') ? columnSql(entity, 'currency') : 'null'

/** The SQL of what a record shows to this role, by name, over `t` and `o`. */
function recordColumns(entity: Entity, policies: Policies): Readonly<Record<string, string>> {
  // What the role does not see is the literal null: the column is not even read.
  const shown = (sql: string, mark: Mark, restricted?: string) => {
    if (!sees(policies, mark)) return 'null'
    const hides = mark.pii && restricted && !policies.has('view_restricted_customers')
    return hides ? `case when not (${restricted}) then ${sql} end` : sql
  }
  const { customer, supplier, totals, companyTotals, invoiced, cancelledAt } = entity.summary ?? {}
  const currency = currencySql(entity)
  const money = (column: string, of: string, sees: Sight) => shown(`money_text(${column}, ${of})`, { sees })
  const sums = ({ sell, cost, margin, vat }: NonNullable<typeof totals>, of: string) =>
    `'sell', ${money(sell, of, 'money')}, 'cost', ${money(cost, of, 'costs')}, 'margin', ${money(margin, of, 'costs')}, 'vat', ${money(vat, of, 'money')}`
  /** References to deleted people are null. */
  const linked = (to: Linked) =>
    `(select json_build_object('id', l.id, 'external_id', l.external_id, 'name', ${shown('l.name', to, to.restricted)})
      from ${to.table} l where l.account_id = t.account_id and l.id = ${to.id} and l.deleted_at is null)`
  return {
    entity: `'${entity.key}'`,
    external_id: 't.external_id',
    source_system: 't.source_system',
    id: 't.id',
    status: entity.status,
    company_id: entity.scope === 'company' ? 't.company_id' : 'null',
    branch_id: entity.scope === 'company' ? 't.branch_id' : 'null',
    customer: customer ? linked(customer) : 'null',
    supplier: supplier ? linked(supplier) : 'null',
    currency,
    totals: totals ? `json_build_object(${sums(totals, currency)})` : 'null',
    company_totals: companyTotals
      ? `json_build_object('currency', ${companyTotals.currency}, ${sums(companyTotals, companyTotals.currency)})`
      : 'null',
    invoiced: invoiced ?? 'null',
    version: 't.version',
    ...Object.fromEntries(
      ownFields(entity).map(([name, field]) => [
        name,
        shown(fieldSql(entity, name, field, policies), field, entity.restricted),
      ]),
    ),
    created_at: instantSql('t.created_at'),
    updated_at: instantSql('t.updated_at'),
    cancelled_at: cancelledAt ? instantSql(cancelledAt) : 'null',
  }
}

/** A record as this role sees it, as JSON. */
export function recordSql(entity: Entity, policies: Policies): string {
  const columns = Object.entries(recordColumns(entity, policies)).map(([name, sql]) => `${sql} as "${name}"`)
  return `(select row_to_json(r) from (select ${columns.join(', ')}) r)`
}

function fieldSql(entity: Entity, name: string, field: Field, policies: Policies): string {
  if (field.elsewhere) {
    const { show, showWithoutCosts = show } = field.elsewhere
    return policies.has('view_costs') ? show : showWithoutCosts
  }
  const column = columnSql(entity, name)
  const [key] = field.reference?.by ?? []
  if (field.reference && key) {
    return `(select l.${key.name} from ${field.reference.table} l where l.account_id = t.account_id and l.id = ${column})`
  }
  const currency = currencySql(entity)
  if (field.items) return itemsSql(column, field.items, currency, policies)
  return field.show?.(column, currency) ?? field.print(column)
}

/** A jsonb list whose items show amounts in their currency's digits, and nothing that the role may not see. */
function itemsSql(list: string, items: Fields, currency: string, policies: Policies, depth = 0): string {
  const item = `e${depth}`
  const changed = Object.entries(items).flatMap(([name, field]) => {
    if (!sees(policies, field)) return [`'${name}', null`]
    if (field.items) {
      const inner = itemsSql(`nullif(${item} -> '${name}', 'null')`, field.items, currency, policies, depth + 1)
      return [`'${name}', ${inner}`]
    }
    if (!field.show) return []
    const own =
      field.currencyCell && field.currencyCell !== 'currency'
        ? `coalesce(${item} ->> '${field.currencyCell}', ${currency})`
        : currency
    return [`'${name}', ${field.show(`(${item} ->> '${name}')::${field.pg}`, own)}`]
  })
  const added = Object.keys(items).filter((name) => items[name]?.later)
  if (changed.length + added.length === 0) return list
  const blank = JSON.stringify(Object.fromEntries(added.map((name) => [name, null])))
  const parts = [
    ...(added.length > 0 ? [`'${blank}'::jsonb`] : []),
    item,
    ...(changed.length > 0 ? [`jsonb_build_object(${changed.join(', ')})`] : []),
  ]
  return `(select jsonb_agg(${parts.join(' || ')} order by n${depth})
    from jsonb_array_elements(${list}) with ordinality as x${depth}(${item}, n${depth}))`
}

/** What the feed shows of a deleted record; for a merged one, also the surviving record. */
export function tombstoneSql(entity: Entity): string {
  const merged = entity.merges ? `, 'merged_into_id', t.merged_into_id` : ''
  return `json_build_object('entity', '${entity.key}', 'external_id', t.external_id, 'id', t.id, 'status', 'deleted', 'version', t.version${merged})`
}
