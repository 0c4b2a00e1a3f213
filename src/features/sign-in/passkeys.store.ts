import { byPolicies } from '../../platform/db/by-policies.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { passkeyView } from './passkeys.view.ts'

const ofSeat = { account: pg.integer, seat: pg.uuid }
const stored = { id: pg.uuid, credential_id: pg.bytes, public_key: pg.bytes, counter: pg.bigint }

/** The passkeys of a seat, oldest first. */
export const listPasskeys = byPolicies(
  ofSeat,
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(passkeyView, policies)}::text as item from passkeys k where k.account_id = $account and k.seat_id = $seat order by k.created_at, k.id`,
)
export const readPasskey = byPolicies(
  { ...ofSeat, id: pg.uuid },
  { item: pg.printedJson },
  (policies) =>
    `select ${viewSql(passkeyView, policies)}::text as item from passkeys k where k.account_id = $account and k.seat_id = $seat and k.id = $id`,
)
/** What authenticators are told of the passkeys of a seat. */
export const listCredentials = statement(
  ofSeat,
  { credential_id: pg.bytes, transports: pg.list(pg.text) },
  'select credential_id, transports from passkeys where account_id = $account and seat_id = $seat order by created_at, id',
)
/** No row where the authenticator's id is taken. */
export const insertPasskey = statement(
  {
    ...ofSeat,
    name: pg.text,
    credentialId: pg.bytes,
    publicKey: pg.bytes,
    counter: pg.bigint,
    transports: pg.list(pg.text),
  },
  { id: pg.uuid },
  `
  insert into passkeys (account_id, seat_id, name, credential_id, public_key, counter, transports)
  values ($account, $seat, $name, $credentialId, $publicKey, $counter, $transports)
  on conflict (credential_id) do nothing returning id`,
)
export const findPasskey = statement(
  { ...ofSeat, credentialId: pg.bytes },
  stored,
  `
  select id, credential_id, public_key, counter from passkeys
  where account_id = $account and seat_id = $seat and credential_id = $credentialId`,
)
/** The passkey of any account, and its seat. */
export const findPasskeyOfAnybody = statement(
  { credentialId: pg.bytes },
  { ...stored, account: pg.integer, seat: pg.uuid, email: pg.text },
  `
  select k.account_id as account, k.id, k.seat_id as seat, s.email, k.credential_id, k.public_key, k.counter
  from passkeys k join seats s on s.account_id = k.account_id and s.id = k.seat_id
    join accounts a on a.account_id = k.account_id
  where k.credential_id = $credentialId and s.active and a.status = 'active' and ${notMovedSql('a.account_id')}`,
)
/** Notes that a passkey has signed; no row where it was removed, or its counter did not go on: then there are two of it. */
export const notePasskeyUse = statement(
  { account: pg.integer, id: pg.uuid, counter: pg.bigint },
  { id: pg.uuid },
  `
  update passkeys set counter = $counter, last_used_at = now()
  where account_id = $account and id = $id and (counter < $counter or counter = 0 and $counter = 0) returning id`,
)
export const lockPasskey = statement(
  { ...ofSeat, id: pg.uuid },
  { name: pg.text, version: pg.integer },
  'select name, version from passkeys where account_id = $account and seat_id = $seat and id = $id for update',
)
export const renamePasskey = statement(
  { ...ofSeat, id: pg.uuid, name: pg.text },
  {},
  'update passkeys set name = $name, version = version + 1 where account_id = $account and seat_id = $seat and id = $id',
)
export const dropPasskey = statement(
  { ...ofSeat, id: pg.uuid },
  { name: pg.text },
  'delete from passkeys where account_id = $account and seat_id = $seat and id = $id returning name',
)
export const dropPasskeys = statement(
  ofSeat,
  {},
  'delete from passkeys where account_id = $account and seat_id = $seat',
)

const BOUND = 'account_id = $account and bound_to = $to and purpose = $purpose'
/** Replaces an earlier one. */
export const saveChallenge = statement(
  { account: pg.integer, to: pg.uuid, purpose: pg.text, challenge: pg.bytes },
  {},
  `
  insert into passkey_challenges (account_id, bound_to, purpose, challenge) values ($account, $to, $purpose, $challenge)
  on conflict (account_id, bound_to, purpose) do update
    set challenge = excluded.challenge, expires_at = excluded.expires_at`,
)
export const takeChallenge = statement(
  { account: pg.integer, to: pg.uuid, purpose: pg.text },
  { challenge: pg.bytes },
  `delete from passkey_challenges where ${BOUND} and expires_at > now() returning challenge`,
)
export const insertSignInChallenge = statement(
  { hash: pg.bytes, challenge: pg.bytes },
  {},
  'insert into sign_in_challenges (token_hash, challenge) values ($hash, $challenge)',
)
export const takeSignInChallenge = statement(
  { hash: pg.bytes },
  { challenge: pg.bytes },
  'delete from sign_in_challenges where token_hash = $hash and expires_at > now() returning challenge',
)
export const purgeChallenges = statement(
  {},
  {},
  `
  with bound as (delete from passkey_challenges where expires_at < now())
  delete from sign_in_challenges where expires_at < now()`,
)
