import Type from 'typebox'
import { SCOPES } from '../../platform/access/policies.ts'
import { PREFIX } from '../../platform/access/token.ts'
import { instantSql, type View } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'

/** A key `k`: never its token, nor the hash. */
export const apiKeyView: View = {
  id: { sql: 'k.id', schema: Uuid },
  name: { sql: 'k.name', schema: Text(1000) },
  token: {
    sql: `'${PREFIX}' || k.token_start || '…' || k.token_end`,
    schema: Type.String({ maxLength: 20, description: 'Its beginning and its end, to recognise it by.' }),
  },
  scopes: { sql: 'k.scopes', schema: Type.Array(enumOf(SCOPES), { maxItems: SCOPES.length }) },
  role: {
    sql: 'k.role',
    schema: Type.Union([Text(60), Type.Null()], { description: 'Null for a key that acts as the owner.' }),
  },
  allowed_cidrs: { sql: 'k.allowed_cidrs', schema: Texts(100, 50) },
  expires_at: { sql: instantSql('k.expires_at'), schema: maybe(Instant) },
  revoked_at: { sql: instantSql('k.revoked_at'), schema: maybe(Instant) },
  last_used_at: { sql: instantSql('k.last_used_at'), schema: maybe(Instant) },
  requests_24h: {
    sql: `coalesce((select sum(h.requests) from request_hours h
      where h.account_id = k.account_id and h.key_id = k.id and h.hour > now() - interval '24 hours'), 0)::float8`,
    schema: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Requests of the last 24 hours, counted by the hour.',
    }),
  },
  last_used_ip: { sql: 'k.last_used_ip', schema: maybe(Text(100)) },
  created_by: { sql: 'k.created_by', schema: Text(1000) },
  created_at: { sql: instantSql('k.created_at'), schema: Instant },
  version: { sql: 'k.version', schema: Type.Integer({ minimum: 1 }) },
}
