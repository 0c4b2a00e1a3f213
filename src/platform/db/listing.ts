import type { Policies } from '../access/policies.ts'
import type { AccountReader } from './account-tx.ts'
import { byPolicies } from './by-policies.ts'
import type { PageRow } from './page.ts'

/** What the SQL of a page depends on: who reads it, the conditions that apply, and whether it continues another. */
export type ListQuery = {
  readonly policies: Policies
  readonly where: readonly string[]
  readonly continues: boolean
}
type Page = { readonly limit: number; readonly after: readonly string[] | null }

/**
 * A list of records: SQL of the conditions that can be asked for, and of a page under those that are. What it answers
 * reads a page. Of `given`, conditions apply whose value is neither undefined nor false, and the value is their
 * parameter; `more` are parameters that are no conditions.
 */
export function listing<C extends string, R extends PageRow = PageRow>(
  conditions: Readonly<Record<C, string>>,
  pageOf: (query: ListQuery) => string,
) {
  const statements = byPolicies<Record<string, unknown>, R>((policies, variant) => {
    const names = variant.split(' ')
    const where = names.flatMap((name) => conditions[name as C] ?? [])
    return pageOf({ policies, where, continues: names.includes('after') })
  })
  return (
    reader: AccountReader,
    policies: Policies,
    { limit, after }: Page,
    given: { readonly [name in C]?: unknown },
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<R | undefined> => {
    const asked = Object.entries(given).flatMap(([name, value]) => (value === undefined || value === false ? [] : name))
    const variant = [...asked, ...(after ? ['after'] : [])].join(' ')
    return reader.one(statements(policies, variant), { ...more, ...given, limit, after })
  }
}
