import { PREFIX } from '../../platform/access/token.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql, viewSql } from '../../platform/db/view.ts'
import { apiKeyView } from './api-keys.view.ts'

/** The keys of an account as they may be shown: never the token, nor its hash. */
export const listKeys = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    name: pg.text,
    scopes: pg.list(pg.text),
    role: pg.nullable(pg.text),
    allowed_cidrs: pg.list(pg.text),
    expires_at: pg.nullable(pg.instant),
    revoked_at: pg.nullable(pg.instant),
    last_used_at: pg.nullable(pg.instant),
    last_used_ip: pg.nullable(pg.text),
    created_by: pg.text,
    created_at: pg.instant,
    token: pg.text,
  },
  `
  select id, name, scopes, role, allowed_cidrs, expires_at, revoked_at, last_used_at, last_used_ip,
    created_by, created_at, '${PREFIX}' || token_start || '…' || token_end as token
  from api_keys where account_id = $account order by created_at`,
)

/** The keys of an account, newest first. */
export const listApiKeys = listing({}, { active: 'k.revoked_at is null' }, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(apiKeyView, policies),
      from: 'api_keys k',
      where: ['k.account_id = $account', ...where],
      keys: [
        { sql: 'k.created_at', pg: 'timestamptz' },
        { sql: 'k.id', pg: 'uuid' },
      ],
      descending: true,
    },
    continues,
  ),
)
export const readApiKey = byPolicies(
  { account: pg.integer, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(apiKeyView, policies)}::text as item from api_keys k where k.account_id = $account and k.id = $id`,
)
export const insertKey = statement(
  {
    account: pg.integer,
    name: pg.text,
    hash: pg.bytes,
    start: pg.text,
    end: pg.text,
    scopes: pg.list(pg.text),
    role: pg.nullable(pg.text),
    cidrs: pg.list(pg.text),
    expiresAt: pg.nullable(pg.instant),
    forever: pg.boolean,
    createdBy: pg.text,
  },
  { id: pg.uuid, expires_at: pg.nullable(pg.text) },
  `
  insert into api_keys (account_id, name, token_hash, token_start, token_end, scopes, role, allowed_cidrs, expires_at, created_by)
  select $account, $name, $hash::bytea, $start, $end, $scopes, $role, $cidrs, case when $forever::boolean then null
    else coalesce($expiresAt::timestamptz, now() + a.key_life_days * interval '1 day') end, $createdBy
  from accounts a where a.account_id = $account
  returning id, ${instantSql('expires_at')} as expires_at`,
)
