import { shownFields } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import type { Field, Issue } from '../../catalogue/kind.ts'
import type { Fields, Values } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { onceFor } from '../../platform/once-for.ts'
import { sees, seesWhole } from '../visible.ts'
import type { Present } from './load.ts'
import type { ImportRow } from './read-rows.ts'

/** The fields of an existing record that are hidden from a writer, who may therefore not change them. */
export type Masked = {
  /** Fields and computed columns of which the writer does not see all. */
  readonly names: ReadonlySet<string>
  /** Columns of references that mask the record. */
  readonly links: ReadonlySet<string>
}

const masksOf = onceFor((entity: Entity) =>
  onceFor((policies: Policies) => {
    const marked = [...Object.entries(shownFields(entity)), ...Object.entries(entity.computedMarks)]
    const isSeen = (mark: Field | object) => ('read' in mark ? seesWhole(policies, mark) : sees(policies, mark))
    const always = marked.filter(([, mark]) => !isSeen(mark)).map(([name]) => name)
    const personal = marked.filter(([, { pii }]) => pii).map(([name]) => name)
    const links = Object.values(entity.fields).flatMap(({ reference }) =>
      reference?.restricted ? reference.column : [],
    )
    const masked = (names: string[], columns: string[]): Masked | null =>
      names.length + columns.length > 0 ? { names: new Set(names), links: new Set(columns) } : null
    return { always: masked(always, []), restricted: masked([...always, ...personal], links) }
  }),
)

/** Null where the writer sees the whole record. */
export function maskedOf(entity: Entity, present: Present, policies: Policies): Masked | null {
  const { always, restricted } = masksOf(entity)(policies)
  return present.restricted ? restricted : always
}

/** The record as the writer sees it: masked fields are null. */
export function seenOf(entity: Entity, present: Present, { names }: Masked, policies: Policies): Present {
  const fields = shownFields(entity)
  const seen: Values = { ...present }
  for (const name of names) {
    const field = fields[name]
    const isWhole = field?.items && !present.restricted && sees(policies, field) && !field.elsewhere
    seen[name] = isWhole ? seenItems(field.items as Fields, present[name], policies) : null
  }
  return seen as Present
}

const seenItems = (items: Fields, list: unknown, policies: Policies): unknown =>
  Array.isArray(list)
    ? list.map((item: Values) =>
        Object.fromEntries(
          Object.entries(item).map(([name, value]) => {
            const field = items[name]
            if (!field || seesWhole(policies, field)) return [name, value]
            return [name, field.items && sees(policies, field) ? seenItems(field.items, value, policies) : null]
          }),
        ),
      )
    : null

/**
 * Removes from a row the fields that it may not change, and returns why, whatever is stored, so that the reply reveals
 * nothing. A deleted record that a row restores is created anew, unless a tag hid its identity.
 */
export function refuseMasked(
  entity: Entity,
  row: ImportRow,
  present: Present,
  masked: Masked,
): { open: Pick<ImportRow, 'given' | 'links'>; errors: Issue[] } {
  const isClosed = (name: string) => masked.names.has(name) && (!present.deleted || present.restricted === true)
  const isTied = (column: string) =>
    masked.links.has(column) && column in row.links && row.links[column] !== present[column]
  const refusals = Object.keys(row.given).flatMap((at): Issue[] => {
    const message = isClosed(at) ? UNSEEN : isTied(entity.fields[at]?.reference?.column ?? '') ? TIED : null
    return message === null ? [] : [{ at, code: 'not_permitted', message }]
  })
  const named = new Set(Object.keys(row.given).map((at) => entity.fields[at]?.reference?.column))
  const tied = Object.keys(row.links).filter((column) => !named.has(column) && isTied(column))
  refusals.push(...tied.map((at): Issue => ({ at, code: 'not_permitted', message: TIED })))
  return {
    open: {
      given: without(row.given, isClosed),
      links: without(row.links, isTied) as ImportRow['links'],
    },
    errors: refusals,
  }
}
const UNSEEN =
  'Your role does not see this attribute, so it cannot change it in an existing record. Leave it out, or use a key whose role sees it.'
const TIED =
  'Your role is not allowed to know the customer of this record, so it cannot change it. Leave this out, or use a key with view_restricted_customers.'

const without = (values: Values, isOut: (name: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !isOut(name)))
