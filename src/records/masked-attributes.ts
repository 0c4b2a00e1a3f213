import type { Fields, Values } from '../catalogue/read-cells.ts'
import { seesWhole } from '../imports/visible.ts'
import type { Policies } from '../platform/access/policies.ts'

/**
 * The attributes of a record that exists which a role does not see, and may therefore not change. `restricted`: a
 * restricted tag hides who the record is.
 */
export function maskedAttributes(fields: Fields, policies: Policies, restricted: boolean): ReadonlySet<string> {
  const hides = restricted && !policies.has('view_restricted_customers')
  const masked = Object.entries(fields).filter(([, field]) => !seesWhole(policies, field) || (hides && field.pii))
  return new Set(masked.map(([name]) => name))
}

/** The role has read null or an empty list there: sent back, it changes nothing. */
const isAsRead = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/**
 * Splits a write into the readable part and the reasons for the refused rest, whatever is stored: no answer reveals
 * masked values.
 */
export function withoutMasked(
  given: Values,
  masked: ReadonlySet<string>,
): { open: Values; closed: [attribute: string, reason: string][] } {
  const names = Object.keys(given).filter((name) => masked.has(name))
  return {
    open: Object.fromEntries(Object.entries(given).filter(([name]) => !masked.has(name))),
    closed: names.filter((name) => !isAsRead(given[name])).map((name) => [name, NOT_PERMITTED]),
  }
}
const NOT_PERMITTED = 'Your role does not see this attribute, so it cannot change it. Leave it out.'
