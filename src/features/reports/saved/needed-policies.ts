import type { Policies, Policy } from '../../../platform/access/policies.ts'
import { NEEDS, type Preset } from '../preset.ts'

/** A name that a tag hides is a matter of its own. */
const PERSONAL: readonly Policy[] = ['view_personal_data', 'view_restricted_customers']

/** Which of the saver's policies the content of a report uses. Without one of them it would show something else. */
export function neededPolicies({ columns }: Preset, policies: Policies): Policy[] {
  const used = Object.values(columns).flatMap(({ sensitive }): readonly Policy[] =>
    sensitive === undefined ? [] : sensitive === 'personal' ? PERSONAL : NEEDS[sensitive],
  )
  return [...new Set<Policy>(['view_reports', ...used])].filter((policy) => policies.has(policy))
}
