import { isCurrency } from './currencies.ts'
import { type Field, type Issue, type ReadContext, Refusal, refuse } from './kind.ts'

export type Fields = Readonly<Record<string, Field>>
/** Cells as read: absent keys are absent, emptied ones null. */
export type Values = Record<string, unknown>
/** Collects issues while reading. */
export type Findings = { readonly errors: Issue[]; readonly warnings: Issue[]; readonly ignored: Set<string> }

export const MAXIMUM_ITEMS = 100
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads every cell of a row or of a list's item; all issues are found, not the first. Nothing is required here. */
export function readCells(
  fields: Fields,
  cells: Record<string, unknown>,
  context: ReadContext,
  found: Findings,
): Values {
  const values: Values = {}
  const own = withCurrency(cells.currency, context)
  for (const name in cells) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) {
      found.ignored.add(name)
      continue
    }
    const cell = cells[name]
    if (cell === null || (typeof cell === 'string' && cell.trim() === '')) {
      values[name] = null
      continue
    }
    const place =
      field.currencyCell && field.currencyCell !== 'currency' ? withCurrency(cells[field.currencyCell], own) : own
    const value = field.items ? readItems(field.items, name, cell, place, found) : field.read(cell, place)
    if (value instanceof Refusal) {
      for (const issue of value.issues) found.errors.push({ ...issue, at: name + issue.at })
      continue
    }
    values[name] = value
    const advice = field.advise?.(value, place, cell)
    if (advice) found.warnings.push({ ...advice, at: name + advice.at })
  }
  return values
}

function withCurrency(cell: unknown, context: ReadContext): ReadContext {
  const code = typeof cell === 'string' ? cell.trim().toUpperCase() : ''
  return code !== '' && code !== context.currency && isCurrency(code) ? { ...context, currency: code } : context
}

/** An item replaces the stored one as a whole, so its required fields are always required. */
function readItems(
  items: Fields,
  name: string,
  cell: unknown,
  context: ReadContext,
  found: Findings,
): Values[] | Refusal {
  if (!Array.isArray(cell)) return refuse('invalid_type', 'Send a list of objects.')
  if (cell.length > MAXIMUM_ITEMS) return refuse('too_long', `Send at most ${MAXIMUM_ITEMS} items.`)
  const issues: Issue[] = []
  const read = cell.map((item: unknown, at) => {
    if (!isObject(item)) {
      issues.push({ at: `[${at}]`, code: 'invalid_type', message: 'Send an object.' })
      return {}
    }
    const inner: Findings = { errors: [], warnings: [], ignored: new Set() }
    const values = readCells(items, item, context, inner)
    inner.errors.push(...missing(items, values, inner.errors))
    for (const issue of inner.errors) issues.push({ ...issue, at: `[${at}].${issue.at}` })
    for (const issue of inner.warnings) found.warnings.push({ ...issue, at: `${name}[${at}].${issue.at}` })
    for (const key of inner.ignored) found.ignored.add(`${name}[].${key}`)
    return complete(items, values)
  })
  return issues.length > 0 ? new Refusal(issues) : read
}

/** The required fields that have no value, but for those whose cell was refused already. */
export function missing(fields: Fields, values: Values, errors: readonly Issue[]): Issue[] {
  return Object.entries(fields)
    .filter(
      ([name, field]) =>
        field.required &&
        (values[name] ?? null) === null &&
        !errors.some(({ at }) => at === name || at.startsWith(`${name}[`)),
    )
    .map(([name]) => ({ at: name, code: 'required', message: 'This field is required.' }))
}

/**
 * Every field has a value: the given one, its default, or null. The key order is the declaration's, so equal rows are
 * equal text.
 */
export function complete(fields: Fields, values: Values): Values {
  const whole: Values = {}
  for (const name in fields) {
    const value = values[name] ?? fields[name]?.default ?? null
    const items = fields[name]?.items
    whole[name] = items && Array.isArray(value) ? value.map((item: Values) => complete(items, item)) : value
  }
  return whole
}
