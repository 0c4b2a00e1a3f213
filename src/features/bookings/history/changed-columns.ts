import { isDeepStrictEqual } from 'node:util'
import type { Mark } from '../../../catalogue/kind.ts'
import type { Fields, Values } from '../../../catalogue/read-cells.ts'
import type { WrittenRecord } from '../../../imports/importable.ts'
import { BOOKING_COLUMNS } from '../booking-fields.ts'
import type { BookingKind } from '../booking-kind.ts'
import { areSameLines, LINE_FIELDS } from '../same-price.ts'

/** Computed columns whose changes are reported. The others follow from these, or from attributes. */
const REPORTED = new Set(['sell_total', 'cost_total', 'margin_total', 'vat_total', 'invoiced'])
/** Longer texts are what people wrote, which may be about a person. */
const SHORT_TEXT = 300

type Group = 'open' | 'amounts' | 'costs'
type Sides = { readonly before: Values; readonly after: Values }
/** As an audit entry has it: amounts and costs apart, since not everybody who reads it sees them. */
export type BookingChange = Partial<Sides> & {
  readonly changed: readonly string[]
  readonly amounts?: Sides
  readonly costs?: Sides
}

const ofColumn = (fields: Fields, column: string) =>
  fields[column] ?? Object.values(fields).find(({ reference }) => reference?.column === column)

/** Where the values of a column go; null if they are not kept, because they can be personal, or long. */
function groupOf({ entity }: BookingKind, column: string): Group | null {
  const field = ofColumn(entity.fields, column)
  const mark: Mark = entity.computedMarks[column] ?? field ?? {}
  const isId = field?.reference !== undefined
  if (!isId && (mark.pii || field?.items || (field?.maxLength ?? 0) > SHORT_TEXT)) return null
  if (mark.sees === 'costs') return 'costs'
  return mark.sees === 'money' ? 'amounts' : 'open'
}

/** A number without the zeros at its end: that of a column has more of them than a given one. */
const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : (value ?? null)

/**
 * What a write changed in a stored booking. Of people and of texts only the names are kept: an entry of the audit log
 * cannot be changed when a person is erased.
 */
export function changedColumns(kind: BookingKind, { before, changes }: WrittenRecord, given: Values): BookingChange {
  const stored = before ?? {}
  const isReported = (name: string) => !Object.hasOwn(BOOKING_COLUMNS, name) || REPORTED.has(name)
  const changed = Object.keys(changes).filter(
    (name) => isReported(name) && !isDeepStrictEqual(plain(stored[name as never]), plain(changes[name])),
  )
  const lines = [...LINE_FIELDS].filter(
    (name) => name in given && before !== null && !areSameLines(before, name, given[name]),
  )
  const sides = (group: Group): Partial<Sides> => {
    const names = changed.filter((name) => groupOf(kind, name) === group)
    if (names.length === 0) return {}
    const of = (values: Values) => Object.fromEntries(names.map((name) => [name, plain(values[name])]))
    return { before: of(stored), after: of(changes) }
  }
  const amounts = sides('amounts')
  const costs = sides('costs')
  return {
    changed: [...new Set([...changed, ...lines])].sort(),
    ...sides('open'),
    ...(amounts.before && { amounts: amounts as Sides }),
    ...(costs.before && { costs: costs as Sides }),
  }
}
