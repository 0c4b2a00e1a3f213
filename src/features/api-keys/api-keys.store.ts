import { PREFIX } from '../../platform/access/token.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

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
