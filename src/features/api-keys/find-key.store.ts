import type { Actor, Branch, Company } from '../../platform/access/actor.ts'
import { isPlan, PLANS, type Plan } from '../../platform/access/plans.ts'
import { policiesOf } from '../../platform/access/policies.ts'
import type { Key } from '../../platform/access/principal.ts'
import { readNetwork } from '../../platform/access/source-address.ts'
import { hashToken, isWellFormed } from '../../platform/access/token.ts'
import type { TokenStore } from '../../platform/access/token-ring.ts'
import type { Database } from '../../platform/db/database.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { IDENTITY_SQL, type IdentityRow, identityAt } from '../accounts/reads/identity.ts'

type Row = RowFrom<typeof find>

const find = statement(
  { hash: pg.bytes },
  {
    id: pg.uuid,
    account_id: pg.integer,
    scopes: pg.list(pg.textOf<'full' | 'import' | 'ticket_import'>()),
    allowed_cidrs: pg.list(pg.text),
    expires_ms: pg.nullable(pg.float),
    revoked: pg.boolean,
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
  },
  `
  select k.id, k.account_id, k.scopes, k.allowed_cidrs, extract(epoch from k.expires_at)::float8 * 1000 as expires_ms,
    k.revoked_at is not null as revoked, a.plan, a.time_zone, a.locale, a.former_secrets, coalesce(k.role, 'owner') as role, r.policies as role_policies,
    s.id as seat, coalesce(s.branch_id, h.id) as home_branch,
    (select json_agg(json_build_object('id', c.id, 'isDefault', c.is_default, 'active', c.active, 'country', c.tax_country, 'currency', c.currency)
      order by c.is_default desc, c.name, c.id) from companies c where c.account_id = a.account_id) as companies,
    (select json_agg(json_build_object('id', b.id, 'companyId', b.company_id, 'isHeadquarters', b.is_headquarters, 'active', b.active)
      order by b.is_headquarters desc, b.created_at, b.id) from branches b where b.account_id = a.account_id) as branches,
    ${IDENTITY_SQL} as identity
  from api_keys k
  join accounts a on a.account_id = k.account_id and a.status = 'active'
  left join seats s on s.account_id = a.account_id and s.id = a.owner_id
  left join roles r on r.account_id = a.account_id and r.name = coalesce(k.role, 'owner')
  left join branches h on h.account_id = a.account_id and h.is_headquarters
  where k.token_hash = $hash and ${notMovedSql('k.account_id')}`,
)
const noteUses = statement(
  { uses: pg.jsonText },
  {},
  `
  update api_keys k set last_used_at = to_timestamp(u.at_ms / 1000), last_used_ip = u.ip
  from json_to_recordset($uses::json) as u(account integer, id uuid, at_ms float8, ip text) where k.account_id = u.account and k.id = u.id`,
)

/** The keys of a cell, each with everything that its requests ask of it, in one query. */
export const keyStore = (db: Database): TokenStore<Key> => ({
  isWellFormed: (token) => isWellFormed(token),
  async find(token) {
    const [row] = await db.askSystem('resolve a key', find, { hash: hashToken(token) })
    return row ? toKey(row) : null
  },
  noteUses: (uses) =>
    db.askSystem('record the last use of keys of all accounts', noteUses, { uses: JSON.stringify(uses) }),
})

function toKey(row: Row): Key {
  const policies = policiesOf(row.role, row.role_policies)
  const plan: Plan = isPlan(row.plan) ? PLANS[row.plan] : PLANS.starter
  const actor: Actor = {
    account: row.account_id,
    timeZone: row.time_zone,
    locale: row.locale,
    scopes: new Set(row.scopes),
    policies,
    seat: row.seat,
    homeBranch: row.home_branch,
    companies: row.companies ?? [],
    branches: row.branches ?? [],
  }
  return {
    kind: 'key',
    id: row.id,
    actor,
    plan,
    role: row.role,
    revoked: row.revoked,
    formerSecrets: row.former_secrets,
    expiresAt: row.expires_ms ?? Number.POSITIVE_INFINITY,
    networks:
      row.allowed_cidrs.length > 0 ? row.allowed_cidrs.map(readNetwork).filter((network) => network !== null) : null,
    identityAt: identityAt(row.identity, plan, policies),
  }
}
