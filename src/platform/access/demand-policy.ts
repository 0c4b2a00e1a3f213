import { ApiError } from '../http/errors.ts'
import type { Policies, Policy } from './policies.ts'

/** Refuses who lacks the policy. */
export function demandPolicy(policies: Policies, policy: Policy): void {
  if (!policies.has(policy)) throw new ApiError('forbidden', `The role of this API key lacks ${policy}.`)
}
