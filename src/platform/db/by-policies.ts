import type { Policies } from '../access/policies.ts'
import { onceFor } from '../once-for.ts'
import { type Statement, statement } from './statement.ts'

/** Statements compiled once for each role and whatever else changes their text. */
export function byPolicies<I extends object, O>(make: (policies: Policies, variant: string) => string) {
  const variants = onceFor((_: Policies) => new Map<string, Statement<I, O>>())
  return (policies: Policies, variant = ''): Statement<I, O> => {
    const own = variants(policies)
    const known = own.get(variant) ?? statement<I, O>(make(policies, variant))
    own.set(variant, known)
    return known
  }
}
