import type { Policies, Policy } from '../../../platform/access/policies.ts'
import { NEEDS, type Preset } from '../preset.ts'

/** Names of customers with a restricted tag need a second policy. */
const PERSONAL: readonly Policy[] = ['view_personal_data', 'view_restricted_customers']

/** The policies that the saver has and the report's columns use. Without one of them a run would mask more than it did. */
export function neededPolicies({ columns }: Preset, policies: Policies): Policy[] {
  const used = Object.values(columns).flatMap(({ sensitive, partly }): readonly Policy[] =>
    sensitive === undefined ? [] : sensitive === 'personal' && !partly ? PERSONAL : NEEDS[sensitive],
  )
  return [...new Set<Policy>(['view_reports', ...used])].filter((policy) => policies.has(policy))
}
