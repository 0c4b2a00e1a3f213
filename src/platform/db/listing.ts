import type { Policies } from '../access/policies.ts'
import type { AccountReader } from './account-tx.ts'
import { byPolicies } from './by-policies.ts'
import { PAGE_COLUMNS, PAGE_PARAMETERS } from './page.ts'
import * as pg from './pg-types.ts'

/** The variables of a page's SQL: the role, the conditions, and whether it continues another page. */
export type ListQuery = {
  readonly policies: Policies
  readonly where: readonly string[]
  readonly continues: boolean
}
type Page = { readonly limit: number; readonly after: readonly string[] | null }
/** For a variant: whether the page continues another. */
const CONTINUES = 'after'

/**
 * A list of records: SQL of the possible conditions, and of a page with the current ones. The returned function reads a
 * page. Of `given`, conditions apply whose value is neither undefined nor false, and the value is their parameter;
 * `more` are parameters without a condition. `takes` declares both, `gives` the columns besides the page's. A list that
 * `isPlannedEachTime` is so where one value of a filter has many rows, and another few.
 */
export function listing<C extends string, const G extends pg.Columns = Record<never, never>>(
  takes: pg.Columns,
  conditions: Readonly<Record<C, string>>,
  pageOf: (query: ListQuery) => string,
  gives: G = {} as G,
  { isPlannedEachTime = false }: { readonly isPlannedEachTime?: boolean } = {},
) {
  const names = Object.keys(conditions) as C[]
  const statements = byPolicies(
    { account: pg.integer, ...PAGE_PARAMETERS, ...takes } as pg.Columns,
    { ...PAGE_COLUMNS, ...gives },
    (policies, variant) => {
      const asked = variant.split(' ')
      const where = asked.flatMap((name) => conditions[name as C] ?? [])
      return pageOf({ policies, where, continues: asked.includes(CONTINUES) })
    },
    [CONTINUES, ...names, [...names, CONTINUES].join(' ')],
  )
  return (
    reader: AccountReader,
    policies: Policies,
    { limit, after }: Page,
    given: { readonly [name in C]?: unknown },
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<pg.RowOf<typeof PAGE_COLUMNS & G> | undefined> => {
    const asked = Object.entries(given).flatMap(([name, value]) => (value === undefined || value === false ? [] : name))
    const variant = [...asked, ...(after ? [CONTINUES] : [])].join(' ')
    const made = statements(policies, variant)
    return reader.one(isPlannedEachTime ? { ...made, name: '' } : made, { ...more, ...given, limit, after })
  }
}
