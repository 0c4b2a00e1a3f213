import { restrictedSql } from '../imports/records/restricted.ts'
import type { Policies } from '../platform/access/policies.ts'

/** SQL of what tells who a linked customer is, such as its name: null for roles that may not know. */
export function identitySql(customer: string, column: string, policies: Policies): string {
  if (!policies.has('view_personal_data')) return 'null'
  const shown = `${customer}.${column}`
  return policies.has('view_restricted_customers')
    ? shown
    : `case when not (${restrictedSql(customer)}) then ${shown} end`
}
