import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

export const dropRecoveryCodes = statement(
  { account: pg.integer, seat: pg.uuid },
  {},
  'delete from recovery_codes where account_id = $account and seat_id = $seat',
)
export const insertRecoveryCodes = statement(
  { account: pg.integer, seat: pg.uuid, hashes: pg.list(pg.bytes) },
  {},
  `
  insert into recovery_codes (account_id, seat_id, code_hash)
  select $account::integer, $seat::uuid, unnest($hashes::bytea[])`,
)
/** Takes a code; no row where there is none, or it was used. */
export const takeRecoveryCode = statement(
  { account: pg.integer, seat: pg.uuid, hash: pg.bytes },
  { seat_id: pg.uuid },
  `
  update recovery_codes set used_at = now()
  where account_id = $account and seat_id = $seat and code_hash = $hash and used_at is null returning seat_id`,
)
