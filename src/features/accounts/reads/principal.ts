import type { Branch, Company } from '../../../platform/access/actor.ts'
import { isPlan, PLANS, type Plan } from '../../../platform/access/plans.ts'
import { policiesOf, type Scope } from '../../../platform/access/policies.ts'
import type { Principal } from '../../../platform/access/principal.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type IdentityRow, identityAt, identitySql } from './identity.ts'

/** What is read with a key or a session of all that its requests ask of it. */
export const PRINCIPAL = {
  account_id: pg.integer,
  plan: pg.text,
  time_zone: pg.text,
  locale: pg.text,
  former_secrets: pg.list(pg.bytes),
  role: pg.text,
  role_policies: pg.nullable(pg.list(pg.text)),
  seat: pg.nullable(pg.uuid),
  home_branch: pg.nullable(pg.uuid),
  companies: pg.nullable(pg.json<Company[]>()),
  branches: pg.nullable(pg.json<Branch[]>()),
  identity: pg.json<IdentityRow>(),
}
type Row = pg.RowOf<typeof PRINCIPAL>

/** SQL of these columns, over the account `a`, its seat `s` and what `principalJoins` adds. `role` is SQL. */
export const principalSql = (role: string): string => `
  a.account_id, a.plan, a.time_zone, a.locale, a.former_secrets, ${role} as role, r.policies as role_policies,
  s.id as seat, coalesce(s.branch_id, h.id) as home_branch,
  (select json_agg(json_build_object('id', c.id, 'isDefault', c.is_default, 'active', c.active, 'country', c.tax_country, 'currency', c.currency)
    order by c.is_default desc, c.name, c.id) from companies c where c.account_id = a.account_id) as companies,
  (select json_agg(json_build_object('id', b.id, 'companyId', b.company_id, 'isHeadquarters', b.is_headquarters, 'active', b.active)
    order by b.is_headquarters desc, b.created_at, b.id) from branches b where b.account_id = a.account_id) as branches,
  ${identitySql(role)} as identity`
export const principalJoins = (role: string): string => `
  left join roles r on r.account_id = a.account_id and r.name = ${role}
  left join branches h on h.account_id = a.account_id and h.is_headquarters`

export function principalOf(row: Row, scopes: readonly Scope[]): Omit<Principal, 'kind' | 'id'> {
  const policies = policiesOf(row.role, row.role_policies)
  const plan: Plan = isPlan(row.plan) ? PLANS[row.plan] : PLANS.starter
  return {
    actor: {
      account: row.account_id,
      timeZone: row.time_zone,
      locale: row.locale,
      scopes: new Set(scopes),
      policies,
      seat: row.seat,
      homeBranch: row.home_branch,
      companies: row.companies ?? [],
      branches: row.branches ?? [],
    },
    plan,
    role: row.role,
    formerSecrets: row.former_secrets,
    identityAt: identityAt(row.identity, plan, policies),
  }
}
