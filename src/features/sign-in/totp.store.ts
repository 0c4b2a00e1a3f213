import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

const OWN = 'account_id = $account and seat_id = $seat'
/** An enrolment that was begun and not confirmed is forgotten. */
const CONFIRMABLE = `confirmed_at is null and created_at > now() - interval '1 hour'`

/** Begins anew what was not confirmed; no row where the seat has an authenticator app already. */
export const saveTotp = statement(
  { account: pg.integer, seat: pg.uuid, secret: pg.bytes },
  { seat_id: pg.uuid },
  `
  insert into seat_totp as t (account_id, seat_id, secret) values ($account, $seat, $secret)
  on conflict (account_id, seat_id) do update set secret = excluded.secret, created_at = now(), last_step = null
    where t.confirmed_at is null
  returning seat_id`,
)
/** The secret of an enrolment that waits for its first code. */
export const findUnconfirmedTotp = statement(
  { account: pg.integer, seat: pg.uuid },
  { secret: pg.bytes },
  `select secret from seat_totp where ${OWN} and ${CONFIRMABLE} for no key update`,
)
export const confirmTotp = statement(
  { account: pg.integer, seat: pg.uuid, step: pg.integer },
  {},
  `update seat_totp set confirmed_at = now(), last_step = $step where ${OWN} and confirmed_at is null`,
)
export const findTotp = statement(
  { account: pg.integer, seat: pg.uuid },
  { secret: pg.bytes },
  `select secret from seat_totp where ${OWN} and confirmed_at is not null`,
)
/** Takes the code of a time step; no row where it, or a later one, was used before. */
export const takeStep = statement(
  { account: pg.integer, seat: pg.uuid, step: pg.integer },
  { seat_id: pg.uuid },
  `
  update seat_totp set last_step = $step
  where ${OWN} and confirmed_at is not null and (last_step is null or last_step < $step) returning seat_id`,
)
export const dropTotp = statement(
  { account: pg.integer, seat: pg.uuid },
  { confirmed: pg.filled(pg.boolean) },
  `delete from seat_totp where ${OWN} returning confirmed_at is not null as confirmed`,
)
