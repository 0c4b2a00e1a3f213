import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'

/** Takes the place of an earlier change of the seat. */
export const saveEmailChange = statement(
  {
    account: pg.integer,
    seat: pg.uuid,
    oldEmail: pg.text,
    newEmail: pg.text,
    oldHash: pg.bytes,
    newHash: pg.bytes,
  },
  { expires_at: pg.text },
  `
  insert into email_changes (account_id, seat_id, old_email, new_email, old_hash, new_hash)
  values ($account, $seat, $oldEmail, $newEmail, $oldHash, $newHash)
  on conflict (account_id, seat_id) do update set old_email = excluded.old_email, new_email = excluded.new_email,
    old_hash = excluded.old_hash, new_hash = excluded.new_hash, old_confirmed = false, new_confirmed = false,
    created_at = now(), expires_at = excluded.expires_at
  returning ${instantSql('expires_at')} as expires_at`,
)
const CHANGE = {
  old_email: pg.text,
  new_email: pg.text,
  old_confirmed: pg.boolean,
  new_confirmed: pg.boolean,
  expires_at: pg.text,
}
const CHANGE_SQL = `c.old_email, c.new_email, c.old_confirmed, c.new_confirmed, ${instantSql('c.expires_at')} as expires_at`
/** The change that a seat waits for. */
export const findOwnEmailChange = statement(
  { account: pg.integer, seat: pg.uuid },
  CHANGE,
  `select ${CHANGE_SQL} from email_changes c where c.account_id = $account and c.seat_id = $seat and c.expires_at > now()`,
)
export type FoundEmailChange = RowFrom<typeof findEmailChange>
/** The change of which this is a token that was not used. */
export const findEmailChange = statement(
  { hash: pg.bytes },
  { account: pg.integer, seat: pg.uuid, is_new: pg.filled(pg.boolean), account_name: pg.text, ...CHANGE },
  `
  select c.account_id as account, c.seat_id as seat, c.new_hash = $hash as is_new, a.name as account_name, ${CHANGE_SQL}
  from email_changes c
    join seats s on s.account_id = c.account_id and s.id = c.seat_id
    join accounts a on a.account_id = c.account_id
  where (c.old_hash = $hash and not c.old_confirmed or c.new_hash = $hash and not c.new_confirmed)
    and c.expires_at > now() and s.active and a.status = 'active' and ${notMovedSql('a.account_id')}`,
)
/** Confirms one of the addresses; no row where the token was used, or another change took the place of this one. */
export const confirmEmail = statement(
  { account: pg.integer, seat: pg.uuid, hash: pg.bytes },
  { old_email: pg.text, new_email: pg.text, complete: pg.filled(pg.boolean) },
  `
  update email_changes set old_confirmed = old_confirmed or old_hash = $hash, new_confirmed = new_confirmed or new_hash = $hash
  where account_id = $account and seat_id = $seat and expires_at > now()
    and (old_hash = $hash and not old_confirmed or new_hash = $hash and not new_confirmed)
  returning old_email, new_email, old_confirmed and new_confirmed as complete`,
)
export const dropEmailChange = statement(
  { account: pg.integer, seat: pg.uuid },
  { new_email: pg.text },
  'delete from email_changes where account_id = $account and seat_id = $seat returning new_email',
)
export const purgeEmailChanges = statement({}, {}, 'delete from email_changes where expires_at < now()')
