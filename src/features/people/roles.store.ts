import Type from 'typebox'
import { BUILT_IN_ROLES, POLICIES } from '../../platform/access/policies.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { type View, viewSql } from '../../platform/db/view.ts'
import { enumOf, Text } from '../../platform/http/shapes.ts'

const BUILT_IN = Object.entries(BUILT_IN_ROLES)
  .map(([name, policies]) => `(${quoted([name])}, array[${quoted(policies)}]::text[])`)
  .join(', ')
/** The built-in roles, and those of the account. */
const ROLES = `(
  select name, policies, true as built_in, null::integer as version from (values ${BUILT_IN}) as b(name, policies)
  union all select name, policies, false, version from roles where account_id = $account) r`

/** A role `r`. */
export const roleView: View = {
  name: { sql: 'r.name', schema: Text(60) },
  built_in: { sql: 'r.built_in', schema: Type.Boolean({ description: 'Built-in roles cannot be changed.' }) },
  policies: { sql: 'r.policies', schema: Type.Array(enumOf(POLICIES), { maxItems: POLICIES.length }) },
  seats: {
    sql: '(select count(*)::integer from seats s where s.account_id = $account and s.role = r.name and s.active)',
    schema: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'How many active seats have it.' }),
  },
  version: {
    sql: 'r.version',
    schema: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], { description: 'Null for a built-in role.' }),
  },
}
export const listAllRoles = listing({}, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(roleView, policies),
      from: ROLES,
      where: ['true', ...where],
      keys: [
        { sql: 'case when r.built_in then 0 else 1 end', pg: 'integer' },
        { sql: 'r.name', pg: 'text' },
      ],
      descending: false,
    },
    continues,
  ),
)
export const readRole = byPolicies(
  { account: pg.integer, name: pg.text },
  { item: pg.printedJson },
  (policies) => `select ${viewSql(roleView, policies)}::text as item from ${ROLES} where r.name = $name`,
)
