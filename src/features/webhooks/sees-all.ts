import { BUILT_IN_ROLES, POLICIES, type Policies, type Policy } from '../../platform/access/policies.ts'
import { quoted } from '../../platform/db/quoted.ts'

/** Records show nothing of the audit log. */
const shows = (policy: Policy): boolean => policy.startsWith('view_') && policy !== 'view_audit_log'
const SHOWING = POLICIES.filter(shows)

/**
 * SQL of whether these policies show everything that is sent to the subscription `t`: bodies are masked for its role,
 * and another role may see less.
 */
export function seesAllSql(policies: Policies): string {
  const builtIn = Object.keys(BUILT_IN_ROLES).filter((role) =>
    [...(BUILT_IN_ROLES[role] as Policies)].every((policy) => !shows(policy) || policies.has(policy)),
  )
  const own = `select from roles r where r.account_id = t.account_id and r.name = t.role and not exists (
    select from unnest(r.policies) as p where p = any (array[${quoted(SHOWING)}]::text[]) and p <> all (array[${quoted(policies)}]::text[]))`
  return `(t.role = any (array[${quoted(builtIn)}]::text[]) or exists (${own}))`
}
