import type { TSchema } from 'typebox'
import type { Policies } from '../../../platform/access/policies.ts'
import type { ViewField } from '../../../platform/db/view.ts'

/** SQL over a customer: whether one of its tags is restricted, so that only those see who it is who may know. */
export const restrictedSql = (customer: string): string =>
  `${customer}.tags && coalesce((select array_agg(r.name) from restricted_tags r where r.account_id = ${customer}.account_id), '{}')`

/** SQL over a record: whether it names such a customer; `id` is SQL of whom it names. */
export const namesRestrictedSql = (record: string, id: string): string =>
  `exists (select from customers c where c.account_id = ${record}.account_id and c.id = ${id} and (${restrictedSql('c')}))`

/**
 * SQL of what tells who a person is: `masked` for roles that see no personal data, and where `restricted`, SQL over the
 * person, holds for roles that may not know whom a tag hides.
 */
export function personalSql(restricted: string, sql: string, policies: Policies, masked = 'null'): string {
  if (!policies.has('view_personal_data')) return masked
  return policies.has('view_restricted_customers')
    ? sql
    : `case when not (${restricted}) then ${sql} else ${masked} end`
}

/** A field of a view that tells who a person is, or says something about them. */
export const personal = (restricted: string, sql: string, schema: TSchema, masked?: string): ViewField => ({
  sql: (policies) => personalSql(restricted, sql, policies, masked),
  schema,
})
