import type { TSchema } from 'typebox'
import type { Policies } from '../../../platform/access/policies.ts'
import type { ViewField } from '../../../platform/db/view.ts'

/** SQL over a customer: whether one of its tags is restricted, so that only some roles see its identity. */
export const restrictedSql = (customer: string): string =>
  `${customer}.tags && coalesce((select array_agg(r.name) from restricted_tags r where r.account_id = ${customer}.account_id), '{}')`

/** SQL over a record: whether it names a restricted customer; `id` is SQL of the customer's id. */
export const namesRestrictedSql = (record: string, id: string): string =>
  `exists (select from customers c where c.account_id = ${record}.account_id and c.id = ${id} and (${restrictedSql('c')}))`

/**
 * SQL of a personal value: `masked` for roles without personal data, and if `restricted`, SQL over the person, is true
 * for roles that may not know customers with a restricted tag.
 */
export function personalSql(restricted: string, sql: string, policies: Policies, masked = 'null'): string {
  if (!policies.has('view_personal_data')) return masked
  return policies.has('view_restricted_customers')
    ? sql
    : `case when not (${restricted}) then ${sql} else ${masked} end`
}

/** A field of a view with personal data. */
export const personal = (restricted: string, sql: string, schema: TSchema, masked?: string): ViewField => ({
  sql: (policies) => personalSql(restricted, sql, policies, masked),
  schema,
})
