import type { Policies } from '../access/policies.ts'
import { onceFor } from '../once-for.ts'
import type { Columns, InputOf, RowOf } from './pg-types.ts'
import { composed, type Statement, variantOf } from './statement.ts'

/**
 * Statements compiled once for each role and whatever else changes their text: one of `variants`, by its name. Each names
 * some of the parameters, and all of them give the same columns.
 */
export function byPolicies<const T extends Columns, const G extends Columns>(
  takes: T,
  gives: G,
  make: (policies: Policies, variant: string) => string,
  variants: readonly string[] = [],
) {
  const byRole = onceFor((_: Policies) => new Map<string, Statement<InputOf<T>, RowOf<G>>>())
  const of = (policies: Policies, variant = ''): Statement<InputOf<T>, RowOf<G>> => {
    const known = byRole(policies)
    const made = known.get(variant) ?? variantOf(takes, gives, make(policies, variant))
    known.set(variant, made)
    return made
  }
  composed.push({ takes, of, variants: ['', ...variants] })
  return of
}
