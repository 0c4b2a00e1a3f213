import type { Policies } from '../../../platform/access/policies.ts'
import { namesRestrictedSql, restrictedSql } from '../../customers/reads/restricted.ts'

/**
 * SQL over a message: whether it is about a customer whom a restricted tag hides. A message of a trip alone is about
 * the customers who buy the trip.
 */
export const restrictedMessageSql = (message: string): string => `
  case when ${message}.customer_id is not null then ${namesRestrictedSql(message, `${message}.customer_id`)}
    when ${message}.trip_id is not null then exists (select from trip_customers b
      join customers c on c.account_id = b.account_id and c.id = b.customer_id
      where b.account_id = ${message}.account_id and b.trip_id = ${message}.trip_id and (${restrictedSql('c')}))
    else false end`

/** SQL over a message: whether its content is hidden from the role. */
export function contentMaskedSql(message: string, policies: Policies): string {
  if (!policies.has('view_message_content')) return 'true'
  return policies.has('view_restricted_customers') ? 'false' : restrictedMessageSql(message)
}

/** SQL of the content of a message: `masked` if it is hidden from the role. */
export function contentSql(message: string, sql: string, policies: Policies, masked = 'null'): string {
  if (!policies.has('view_message_content')) return masked
  return policies.has('view_restricted_customers')
    ? sql
    : `case when not (${restrictedMessageSql(message)}) then ${sql} else ${masked} end`
}
