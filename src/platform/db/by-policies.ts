import type { Policies } from '../access/policies.ts'
import { type Statement, statement } from './statement.ts'

/** Statements compiled once for each role and whatever else changes their text. */
export function byPolicies<I extends object, O>(make: (policies: Policies, variant: string) => string) {
  const made = new WeakMap<Policies, Map<string, Statement<I, O>>>()
  return (policies: Policies, variant = ''): Statement<I, O> => {
    const own = made.get(policies) ?? new Map<string, Statement<I, O>>()
    made.set(policies, own)
    const known = own.get(variant) ?? statement<I, O>(make(policies, variant))
    own.set(variant, known)
    return known
  }
}
