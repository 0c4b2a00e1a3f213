import { SCOPES } from '../../platform/access/policies.ts'
import type { ConsoleSession } from '../../platform/access/principal.ts'
import { hashToken, isWellFormed } from '../../platform/access/token.ts'
import type { TokenStore } from '../../platform/access/token-ring.ts'
import type { Database } from '../../platform/db/database.ts'
import { listing } from '../../platform/db/listing.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { PRINCIPAL, principalJoins, principalOf, principalSql } from '../accounts/reads/principal.ts'
import { LIVING, sessionView } from './sessions.view.ts'

export const SESSION_PREFIX = 'ses_'

const millis = (column: string) => `extract(epoch from ${column})::float8 * 1000`
const find = statement(
  { hash: pg.bytes },
  {
    id: pg.uuid,
    ended: pg.boolean,
    expires_ms: pg.filled(pg.float),
    last_used_ms: pg.filled(pg.float),
    proven_ms: pg.filled(pg.float),
    lacks_factor: pg.filled(pg.boolean),
    ...PRINCIPAL,
  },
  `
  select e.id, e.ended_at is not null or not s.active as ended, ${millis('e.expires_at')} as expires_ms,
    ${millis('e.last_used_at')} as last_used_ms, ${millis('e.proven_at')} as proven_ms,
    (a.second_factor_required or e.owes_factor) and not e.second_factor as lacks_factor, ${principalSql('s.role')}
  from sessions e
  join accounts a on a.account_id = e.account_id and a.status = 'active'
  join seats s on s.account_id = e.account_id and s.id = e.seat_id ${principalJoins('s.role')}
  where e.token_hash = $hash and ${notMovedSql('e.account_id')}`,
)
const noteUses = statement(
  { uses: pg.jsonText },
  {},
  `
  update sessions e set last_used_at = to_timestamp(u.at_ms / 1000), last_used_ip = u.ip
  from json_to_recordset($uses::json) as u(account integer, id uuid, at_ms float8, ip text)
  where e.account_id = u.account and e.id = u.id`,
)

/** The sessions of a cell, each with everything that its requests ask of it, in one query. */
export const sessionStore = (db: Database): TokenStore<ConsoleSession> => ({
  isWellFormed: (token) => isWellFormed(token, SESSION_PREFIX),
  async find(token) {
    const [row] = await db.askSystem('resolve a session', find, { hash: hashToken(token) })
    if (!row) return null
    await db.loadKeys(row.account_id) // cursors are read before anything else of the account
    return {
      ...principalOf(row, SCOPES),
      kind: 'session',
      id: row.id,
      ended: row.ended,
      expiresAt: row.expires_ms,
      lastUsedAt: row.last_used_ms,
      provenAt: row.proven_ms,
      lacksFactor: row.lacks_factor,
    }
  },
  noteUses: (uses) =>
    db.askSystem('note when sessions of all accounts were used', noteUses, { uses: JSON.stringify(uses) }),
})

/** The sessions of a seat that are still good, newest first. */
export const listSessions = listing({ seat: pg.uuid, session: pg.uuid }, {}, ({ policies, where, continues }) =>
  pageSql(
    {
      item: viewSql(sessionView, policies),
      from: 'sessions e',
      where: ['e.account_id = $account', 'e.seat_id = $seat::uuid', LIVING, ...where],
      keys: [
        { sql: 'e.created_at', pg: 'timestamptz' },
        { sql: 'e.id', pg: 'uuid' },
      ],
      descending: true,
    },
    continues,
  ),
)
/** One that owes a factor has proven nothing until it shows one: it cannot enrol another. */
export const insertSession = statement(
  {
    account: pg.integer,
    seat: pg.uuid,
    hash: pg.bytes,
    method: pg.text,
    secondFactor: pg.boolean,
    owesFactor: pg.boolean,
    userAgent: pg.nullable(pg.text),
    address: pg.text,
  },
  { id: pg.uuid },
  `
  insert into sessions (account_id, seat_id, token_hash, method, second_factor, owes_factor, proven_at, user_agent, began_ip, last_used_ip)
  values ($account, $seat, $hash, $method, $secondFactor, $owesFactor,
    case when $owesFactor then to_timestamp(0) else now() end, $userAgent, $address, $address) returning id`,
)
export const endSession = statement(
  { account: pg.integer, seat: pg.uuid, id: pg.uuid },
  { id: pg.uuid },
  'update sessions set ended_at = now() where account_id = $account and seat_id = $seat and id = $id and ended_at is null returning id',
)
/** Ends the sessions of a seat, but for one. */
export const endSessionsOfSeat = statement(
  { account: pg.integer, seat: pg.uuid, except: pg.nullable(pg.uuid) },
  { id: pg.uuid },
  `
  update sessions set ended_at = now()
  where account_id = $account and seat_id = $seat and id is distinct from $except::uuid and ended_at is null returning id`,
)
/** Ends the sessions that seats began by a provider, but for one; of one seat, if it is given. */
export const endSessionsByProvider = statement(
  { account: pg.integer, provider: pg.uuid, seat: pg.nullable(pg.uuid), except: pg.nullable(pg.uuid) },
  {},
  `
  update sessions e set ended_at = now()
  where e.account_id = $account and e.method = 'provider' and e.ended_at is null and e.id is distinct from $except::uuid
    and (e.seat_id = $seat::uuid or $seat::uuid is null and exists (select from seat_identities i
      where i.account_id = e.account_id and i.seat_id = e.seat_id and i.provider_id = $provider))`,
)
export const noteProof = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'update sessions set proven_at = now() where account_id = $account and id = $id',
)
/** Browsers and addresses that sessions of a seat began in within the last 90 days. */
export const listPlaces = statement(
  { account: pg.integer, seat: pg.uuid },
  { began_ip: pg.text, user_agent: pg.nullable(pg.text) },
  `
  select distinct began_ip, user_agent from sessions
  where account_id = $account and seat_id = $seat and created_at > now() - interval '90 days' limit 1000`,
)
/** The person of a session has shown a second factor in it. */
export const noteFactor = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'update sessions set second_factor = true where account_id = $account and id = $id',
)
