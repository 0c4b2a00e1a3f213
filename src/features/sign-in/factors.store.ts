import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'

/** Codes that may be tried in one sign-in. */
const MOST_ATTEMPTS = 5

const count = (table: string, and = '') =>
  `(select count(*)::integer from ${table} f where f.account_id = s.account_id and f.seat_id = s.id${and})`
export type Factors = RowFrom<typeof findFactors>
/** By what the person of a seat can prove who they are. */
export const findFactors = statement(
  { account: pg.integer, seat: pg.uuid },
  {
    agency: pg.text,
    email: pg.text,
    /** The account demands a second factor. */
    required: pg.boolean,
    password: pg.filled(pg.boolean),
    /** Since when the seat has an authenticator app. */
    totp_since: pg.nullable(pg.text),
    passkeys: pg.filled(pg.integer),
    recovery_codes: pg.filled(pg.integer),
  },
  `
  select a.name as agency, s.email, a.second_factor_required as required, p.seat_id is not null as password,
    ${instantSql('t.confirmed_at')} as totp_since, ${count('passkeys')} as passkeys,
    ${count('recovery_codes', ' and f.used_at is null')} as recovery_codes
  from seats s join accounts a on a.account_id = s.account_id
    left join seat_passwords p on p.account_id = s.account_id and p.seat_id = s.id
    left join seat_totp t on t.account_id = s.account_id and t.seat_id = s.id
  where s.account_id = $account and s.id = $seat`,
)
/** Locks a seat, so that changes of its factors wait for each other. */
export const holdSeat = statement(
  { account: pg.integer, seat: pg.uuid },
  { id: pg.uuid },
  'select id from seats where account_id = $account and id = $seat for no key update',
)

export const insertPendingSignIn = statement(
  { account: pg.integer, seat: pg.uuid, hash: pg.bytes, method: pg.text, knownNetwork: pg.boolean },
  { expires_at: pg.text },
  `
  insert into waiting_sign_ins (account_id, seat_id, token_hash, method, known_network)
  values ($account, $seat, $hash, $method, $knownNetwork) returning ${instantSql('expires_at')} as expires_at`,
)
/** The sign-in that has this token, if it is still good. */
export const findPendingSignIn = statement(
  { hash: pg.bytes },
  {
    account: pg.integer,
    id: pg.uuid,
    seat: pg.uuid,
    email: pg.text,
    method: pg.textOf<'link' | 'password' | 'provider'>(),
    known_network: pg.boolean,
  },
  `
  select w.account_id as account, w.id, w.seat_id as seat, s.email, w.method, w.known_network
  from waiting_sign_ins w join seats s on s.account_id = w.account_id and s.id = w.seat_id
    join accounts a on a.account_id = w.account_id
  where w.token_hash = $hash and w.expires_at > now() and s.active and a.status = 'active' and ${notMovedSql('a.account_id')}`,
)
/** Counts a code that is tried; no row where there were too many. */
export const countPendingAttempt = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  `
  update waiting_sign_ins set attempts = attempts + 1
  where account_id = $account and id = $id and attempts < ${MOST_ATTEMPTS} returning id`,
)
/** Takes a sign-in; no row where another request took it, or it was withdrawn. */
export const takePendingSignIn = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'delete from waiting_sign_ins where account_id = $account and id = $id and expires_at > now() returning id',
)
/** Sign-ins whose first factor was changed meanwhile. */
export const dropPendingSignIns = statement(
  { account: pg.integer, seat: pg.uuid },
  {},
  'delete from waiting_sign_ins where account_id = $account and seat_id = $seat',
)
export const purgePendingSignIns = statement({}, {}, 'delete from waiting_sign_ins where expires_at < now()')
