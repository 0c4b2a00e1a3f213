import type { Entity } from './entity.ts'
import type { Field } from './kind.ts'
import type { Fields } from './read-cells.ts'

/** A column that a declaration fills, and the cell of the row that it is filled from. */
export type EntityColumn = { readonly name: string; readonly pg: string; readonly cell: string; readonly field: Field }

export const identityTable = (entity: Entity): string => entity.base?.table ?? entity.table
/** SQL that distinguishes the entity's records from others in a shared table `t`. */
export const ofEntity = (entity: Entity): string => (entity.base ? `t.entity = '${entity.key}'` : 'true')
const inBase = (entity: Entity, cell: string) =>
  !entity.base || cell === 'external_id' || entity.base.fields.includes(cell)

/** The shown fields of a record under their own names, and those derived from them. */
export const shownFields = (entity: Entity): Fields => ({ ...entity.fields, ...entity.derived })

/** The fields in the table with the identity, and those in the entity's own table. */
export function entityColumns(entity: Entity): { identity: EntityColumn[]; own: EntityColumn[] } {
  const columns = Object.entries(shownFields(entity))
    .filter(([, field]) => !field.elsewhere && !field.within)
    .map(([cell, field]): EntityColumn => ({ name: field.reference?.column ?? cell, pg: field.pg, cell, field }))
  return {
    identity: columns.filter(({ cell }) => inBase(entity, cell)),
    own: columns.filter(({ cell }) => !inBase(entity, cell)),
  }
}

/** The jsonb columns whose keys are fields: column → key → cell. */
export function keyedColumns(entity: Entity): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const columns = new Map<string, Map<string, string>>()
  for (const [cell, { within }] of Object.entries(entity.fields)) {
    if (within) columns.set(within.column, (columns.get(within.column) ?? new Map()).set(within.key, cell))
  }
  return columns
}

/**
 * SQL of a field's column, for fields that are not `elsewhere`: `t` is the table with the identity, `o` the entity's
 * own.
 */
export function columnSql(entity: Entity, cell: string): string {
  const field = shownFields(entity)[cell] as Field
  if (field.within) return `t.${field.within.column} ->> '${field.within.key}'`
  return `${inBase(entity, cell) ? 't' : 'o'}.${field.reference?.column ?? cell}`
}

/** `from` clause of a record: its table, joined to its own where there are two. */
export const fromSql = (entity: Entity): string =>
  entity.base ? `(${entity.base.table} t join ${entity.table} o using (account_id, id))` : `${entity.table} t`

/** Table and columns that must exist, with their types, for the test that compares the declaration with the database. */
export function columnsExpected(entity: Entity): { table: string; column: string; pg: string }[] {
  const { identity, own } = entityColumns(entity)
  const at = (table: string) => (columns: { name: string; pg: string }[]) =>
    columns.map(({ name, pg }) => ({ table, column: name, pg }))
  const child = entity.child
  return [
    ...at(identityTable(entity))([...identity, ...Object.entries(entity.computed).map(([name, pg]) => ({ name, pg }))]),
    ...at(identityTable(entity))([...keyedColumns(entity).keys()].map((name) => ({ name, pg: 'jsonb' }))),
    ...at(entity.table)(own),
    ...(child ? at(child.table)(Object.entries(child.columns).map(([name, pg]) => ({ name, pg }))) : []),
  ]
}
