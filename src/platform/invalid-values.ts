import { UserError } from './user-error.ts'

/** Why an attribute is refused. */
export type RefusedValue = readonly [attribute: string, reason: string]

/** Refuses the given values with every reason, each under its attribute; passes where there is none. */
export function refuseValues(reasons: readonly (RefusedValue | false | null | undefined)[]): void {
  const found = reasons.filter((reason) => reason !== false && reason !== null && reason !== undefined)
  if (found.length === 0) return
  const details: Record<string, string[]> = {}
  for (const [attribute, reason] of found) details[attribute] = [...(details[attribute] ?? []), reason]
  throw new UserError('invalid_value', found.map(([, reason]) => reason).join(' '), { details })
}
