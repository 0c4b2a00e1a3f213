import { shownFields } from '../catalogue/columns.ts'
import type { Entity } from '../catalogue/entity.ts'
import type { Field, Issue } from '../catalogue/kind.ts'
import { complete, missing, type Values } from '../catalogue/read-cells.ts'
import type { Draft } from './draft.ts'
import type { Present } from './load.ts'
import type { Rules } from './rules.ts'
import type { Write } from './write.ts'

/** The record that a row makes, or null where it must not. Nothing is read or written here. */
export function planCreate(entity: Entity, rules: Rules, draft: Draft, id: string): Write | null {
  draft.errors.push(...missing(entity.fields, draft.given, draft.errors))
  const record = withLinks(entity, complete(entity.fields, draft.given), draft)
  draft.errors.push(...entity.check(record))
  if (draft.errors.length > 0) return null
  const completed = rules.complete?.(record, id)
  draft.warnings.push(...(completed?.warnings ?? []))
  draft.errors.push(...(completed?.errors ?? []))
  if (draft.errors.length > 0) return null
  completed?.accept?.()
  const values = { ...record, ...completed?.columns }
  draft.recordStatus = statusOf(entity, values) ?? (entity.statuses[0] as string)
  const changes = { ...draft.given, ...draft.links }
  return { draft, id, values, changes, before: null, children: completed?.children ?? [] }
}

const statusOf = ({ statusField }: Entity, values: Values): string | null =>
  statusField === undefined ? null : (values[statusField] as string | null)

/** The change that a row makes to a record that is there; null where it makes none, or must not. */
export function planAmend(entity: Entity, rules: Rules, draft: Draft, present: Present): Write | null {
  draft.recordStatus = present.status
  draft.errors.push(...emptied(entity, draft.given))
  const wanted = differences(entity, draft, present)
  const amendment = rules.amend?.(present, wanted) ?? { changes: wanted, errors: [], warnings: [] }
  const record = { ...fieldsOf(entity, present), ...amendment.changes }
  draft.errors.push(...amendment.errors, ...entity.check(record))
  draft.warnings.push(...amendment.warnings)
  if (draft.errors.length > 0) {
    draft.reason = amendment.reason ?? null
    return null
  }
  if (present.deleted)
    draft.warnings.push({ at: 'external_id', code: 'restored', message: 'The record had been deleted and is back.' })
  else if (Object.keys(amendment.changes).length === 0) return null
  amendment.accept?.()
  draft.recordStatus = statusOf(entity, record) ?? present.status
  return { draft, id: present.id, values: record, changes: amendment.changes, before: present, children: [] }
}

/** A required field may be left out of a re-send, but not emptied. */
const emptied = (entity: Entity, given: Values): Issue[] =>
  missing(entity.fields, given, []).filter(({ at }) => at in given)

/** The given cells that differ from what is stored, references by their columns. */
function differences(entity: Entity, { given, links }: Draft, present: Present): Values {
  const changes: Values = {}
  for (const name in given) {
    const field = entity.fields[name] as Field
    if (name === 'external_id' || field.reference) continue
    const value = given[name] ?? field.default ?? null
    if (!same(field, value, present[name])) changes[name] = value
  }
  for (const column in links) if (links[column] !== present[column]) changes[column] = links[column]
  return changes
}

function same({ items }: Field, a: unknown, b: unknown): boolean {
  if (!items || !Array.isArray(a) || !Array.isArray(b)) return (a ?? null) === (b ?? null)
  const text = (list: Values[]) => JSON.stringify(list.map((item) => complete(items, item)))
  return text(a) === text(b)
}

/** A record's columns as they are: its fields and what the entity computes for it. */
function fieldsOf(entity: Entity, present: Present): Values {
  const names = Object.entries(shownFields(entity)).map(([name, { reference }]) => reference?.column ?? name)
  return Object.fromEntries([...names, ...Object.keys(entity.computed)].map((name) => [name, present[name] ?? null]))
}

function withLinks(entity: Entity, record: Values, { links }: Draft): Values {
  for (const { reference } of Object.values(entity.fields))
    if (reference) record[reference.column] = links[reference.column] ?? null
  return record
}
