import type { Key } from '../../platform/access/principal.ts'
import { readNetwork } from '../../platform/access/source-address.ts'
import { hashToken, isWellFormed } from '../../platform/access/token.ts'
import type { TokenStore } from '../../platform/access/token-ring.ts'
import type { Database } from '../../platform/db/database.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { PRINCIPAL, principalJoins, principalOf, principalSql } from '../accounts/reads/principal.ts'

type Row = RowFrom<typeof find>

/** A key without a role acts as the owner. */
const ROLE = "coalesce(k.role, 'owner')"
const find = statement(
  { hash: pg.bytes },
  {
    id: pg.uuid,
    scopes: pg.list(pg.textOf<'full' | 'import' | 'ticket_import'>()),
    allowed_cidrs: pg.list(pg.text),
    expires_ms: pg.nullable(pg.float),
    revoked: pg.boolean,
    ...PRINCIPAL,
  },
  `
  select k.id, k.scopes, k.allowed_cidrs, extract(epoch from k.expires_at)::float8 * 1000 as expires_ms,
    k.revoked_at is not null as revoked, ${principalSql(ROLE)}
  from api_keys k
  join accounts a on a.account_id = k.account_id and a.status = 'active'
  left join seats s on s.account_id = a.account_id and s.id = a.owner_id ${principalJoins(ROLE)}
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
    if (!row) return null
    await db.loadKeys(row.account_id) // cursors are read before anything else of the account
    return toKey(row)
  },
  noteUses: (uses) =>
    db.askSystem('record the last use of keys of all accounts', noteUses, { uses: JSON.stringify(uses) }),
})

function toKey(row: Row): Key {
  const networks = row.allowed_cidrs.map(readNetwork).filter((network) => network !== null)
  return {
    ...principalOf(row, row.scopes),
    kind: 'key',
    id: row.id,
    revoked: row.revoked,
    expiresAt: row.expires_ms ?? Number.POSITIVE_INFINITY,
    networks: row.allowed_cidrs.length > 0 ? networks : null,
  }
}
