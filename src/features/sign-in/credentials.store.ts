import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'

/** Of accounts and seats that are active and have not moved. */
const ACTIVE = `s.active and a.status = 'active' and ${notMovedSql('a.account_id')}`

/** The seats that have this e-mail and a password, in any account: those that were signed in to last come first. */
export const findSeatsByEmail = statement(
  { email: pg.text },
  {
    account: pg.integer,
    seat: pg.uuid,
    hash: pg.text,
    /** Addresses of the networks that its sessions of the last 90 days began in. */
    networks: pg.list(pg.text),
  },
  `
  select s.account_id as account, s.id as seat, p.hash,
    array(select distinct e.began_ip from sessions e where e.account_id = s.account_id and e.seat_id = s.id
      and e.created_at > now() - interval '90 days' limit 100) as networks
  from seats s join accounts a on a.account_id = s.account_id
    join seat_passwords p on p.account_id = s.account_id and p.seat_id = s.id
  where s.email_key = lower($email) and ${ACTIVE}
  order by (select max(e.created_at) from sessions e where e.account_id = s.account_id and e.seat_id = s.id) desc nulls last, s.account_id`,
)
export const findPassword = statement(
  { account: pg.integer, seat: pg.uuid },
  { hash: pg.text },
  'select hash from seat_passwords where account_id = $account and seat_id = $seat',
)
/** The same, locked until the transaction ends. */
export const holdPassword = statement(
  { account: pg.integer, seat: pg.uuid },
  { hash: pg.text },
  'select hash from seat_passwords where account_id = $account and seat_id = $seat for no key update',
)
export const savePassword = statement(
  { account: pg.integer, seat: pg.uuid, hash: pg.text },
  {},
  `
  insert into seat_passwords (account_id, seat_id, hash) values ($account, $seat, $hash)
  on conflict (account_id, seat_id) do update set hash = excluded.hash, changed_at = now()`,
)

export const insertLink = statement(
  { account: pg.integer, seat: pg.uuid, purpose: pg.text, hash: pg.bytes, minutes: pg.integer },
  { id: pg.uuid, expires_at: pg.text },
  `
  insert into sign_in_links (account_id, seat_id, purpose, token_hash, expires_at)
  values ($account, $seat, $purpose, $hash, now() + $minutes::integer * interval '1 minute')
  returning id, ${instantSql('expires_at')} as expires_at`,
)
/** Links of a seat that are no longer good: a newer one took their place, or the password was chosen. */
export const withdrawLinks = statement(
  { account: pg.integer, seat: pg.uuid, purposes: pg.list(pg.text) },
  {},
  `
  update sign_in_links set used_at = now()
  where account_id = $account and seat_id = $seat and purpose = any ($purposes::text[]) and used_at is null`,
)
export type FoundLink = RowFrom<typeof findSignInLink>
/** The link that has this token, if it is still good. */
export const findSignInLink = statement(
  { hash: pg.bytes },
  {
    account: pg.integer,
    id: pg.uuid,
    seat: pg.uuid,
    purpose: pg.textOf<'sign_in' | 'invitation' | 'reset'>(),
    email: pg.text,
    name: pg.nullable(pg.text),
    account_name: pg.text,
  },
  `
  select l.account_id as account, l.id, l.seat_id as seat, l.purpose, s.email, s.name, a.name as account_name
  from sign_in_links l
    join seats s on s.account_id = l.account_id and s.id = l.seat_id
    join accounts a on a.account_id = l.account_id
  where l.token_hash = $hash and l.used_at is null and l.expires_at > now() and ${ACTIVE}`,
)
/** An invitation that is still good, and whom it invites. */
export const findInvitation = statement(
  { account: pg.integer, id: pg.uuid },
  { seat: pg.uuid, email: pg.text },
  `
  select s.id as seat, s.email
  from sign_in_links l
    join seats s on s.account_id = l.account_id and s.id = l.seat_id
    join accounts a on a.account_id = l.account_id
  where l.account_id = $account and l.id = $id and l.purpose = 'invitation'
    and l.used_at is null and l.expires_at > now() and ${ACTIVE}`,
)
/** Takes a link; no row where another request took it first. */
export const takeLink = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'update sign_in_links set used_at = now() where account_id = $account and id = $id and used_at is null and expires_at > now() returning id',
)
export const findSeat = statement(
  { account: pg.integer, seat: pg.text },
  { id: pg.uuid, email: pg.text, name: pg.nullable(pg.text), active: pg.boolean },
  'select id, email, name, active from seats where account_id = $account and (id::text = lower($seat) or email_key = lower($seat))',
)
export const purgeSignIn = statement(
  {},
  {},
  `
  with links as (delete from sign_in_links where expires_at < now() - interval '30 days')
  delete from sessions where expires_at < now() - interval '30 days'`,
)
