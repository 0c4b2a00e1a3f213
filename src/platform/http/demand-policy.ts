import { alternativesOf, type Demand, meets, type Policies } from '../access/policies.ts'
import { ApiError } from './errors.ts'

/** Refuses a role that lacks the required policy. */
export function demandPolicy(policies: Policies, demand: Demand): void {
  if (meets(policies, demand)) return
  throw new ApiError('forbidden', `Your role lacks ${alternativesOf(demand).join(' or ')}.`)
}
