import { shownFields } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Field, Issue } from '../../catalogue/kind.ts'
import { complete, missing, type Values } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { Amendment, Completed, Rules } from '../importable.ts'
import type { Present } from './load.ts'
import { maskedOf, refuseMasked, seenOf } from './masked.ts'
import type { ImportRow } from './read-rows.ts'
import type { Write } from './write.ts'

/** The record that a row makes, or null where it must not. Nothing is read or written here. */
export function planCreate(entity: Entity, rules: Rules, row: ImportRow, id: string): Write | null {
  row.errors.push(...missing(entity.fields, row.given, row.errors).filter(({ at }) => !isLinked(entity, row, at)))
  const record = withLinks(entity, complete(entity.fields, row.given), row)
  row.errors.push(...entity.check(record))
  if (row.errors.length > 0) return null
  const completed = rules.complete?.(record, id) ?? {}
  note(row, completed)
  if (row.errors.length > 0) return null
  completed.accept?.()
  const values = { ...record, ...completed.columns }
  row.recordStatus = statusOf(entity, values) ?? (entity.statuses[0] as string)
  const changes = { ...row.given, ...row.links }
  return { row, id, values, changes, before: null, children: completed.children ?? [] }
}

/** Whether a row names a record by its id instead of its key. */
const isLinked = ({ fields }: Entity, { links }: ImportRow, at: string): boolean =>
  Boolean(links[fields[at]?.reference?.column ?? ''])

const statusOf = ({ statusField }: Entity, values: Values): string | null =>
  statusField === undefined ? null : (values[statusField] as string | null)

/**
 * The change that a row makes to an existing record; null if there is none, or it is not allowed. The reply is decided
 * on the record as the writer sees it, so it reveals nothing masked; the written values follow from the stored record.
 */
export function planAmend(
  entity: Entity,
  rules: Rules,
  row: ImportRow,
  present: Present,
  policies: Policies,
): Write | null {
  row.recordStatus = present.status
  row.errors.push(...emptied(entity, row.given))
  const masked = maskedOf(entity, present, policies)
  const { open, errors } = masked ? refuseMasked(entity, row, present, masked) : { open: row, errors: [] }
  row.errors.push(...errors)
  const amendmentOf = (stored: Present): Amendment => {
    const wanted = differences(entity, open, stored)
    return rules.amend?.(stored, wanted) ?? { changes: wanted }
  }
  const seen = masked ? seenOf(entity, present, masked, policies) : present
  const verdict = amendmentOf(seen)
  const shown = { ...fieldsOf(entity, seen), ...verdict.changes }
  note(row, verdict)
  row.errors.push(...entity.check(shown))
  if (row.errors.length > 0) {
    row.reason = verdict.reason ?? null
    return null
  }
  if (present.deleted)
    row.warnings.push({
      at: 'external_id',
      code: 'restored',
      message: 'The record was deleted before and has been restored.',
    })
  else if (Object.keys(verdict.changes).length === 0) return null
  row.recordStatus = statusOf(entity, shown) ?? present.status
  verdict.accept?.() // what the rows after it find is what the writer sees as well
  const { changes, children = [] } = masked ? amendmentOf(present) : verdict
  const values = masked ? { ...fieldsOf(entity, present), ...changes } : shown
  return { row, id: present.id, values, changes, before: present, children }
}

function note(row: ImportRow, { errors = [], warnings = [] }: Completed | Amendment): void {
  row.errors.push(...errors)
  row.warnings.push(...warnings)
}

/** A required field may be absent from a repeated row, but not emptied. */
const emptied = (entity: Entity, given: Values): Issue[] =>
  missing(entity.fields, given, []).filter(({ at }) => at in given)

/** The given cells that differ from the stored ones; references by their columns. */
function differences(entity: Entity, { given, links }: Pick<ImportRow, 'given' | 'links'>, present: Present): Values {
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

function withLinks(entity: Entity, record: Values, { links }: ImportRow): Values {
  for (const { reference } of Object.values(entity.fields))
    if (reference) record[reference.column] = links[reference.column] ?? null
  return record
}
