import { PREFIX } from '../../platform/access/token.ts'
import { statement } from '../../platform/db/statement.ts'

/** The keys of an account as they may be shown: never the token, nor its hash. */
export const listKeys = statement<{ account: number }, { id: string; name: string; token: string }>(`
  select id, name, scopes, role, allowed_cidrs, expires_at, revoked_at, last_used_at, last_used_ip,
    created_by, created_at, '${PREFIX}' || token_start || '…' || token_end as token
  from api_keys where account_id = $account order by created_at`)
