import { alternativesOf, type Demand, meets, type Policies } from '../access/policies.ts'
import { ApiError } from './errors.ts'

/** Refuses a role that lacks the required policy. */
export function demandPolicy(policies: Policies, demand: Demand): void {
  if (meets(policies, demand)) return
  throw new ApiError('forbidden', `The role of this API key lacks ${alternativesOf(demand).join(' or ')}.`)
}
