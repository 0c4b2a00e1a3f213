import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const UNREAD =
  'update notifications set read_at = now() where account_id = $account and seat_id = $seat and read_at is null'
const markOne = statement(
  { account: pg.integer, seat: pg.nullable(pg.uuid), id: pg.uuid },
  {},
  `${UNREAD} and id = $id`,
)
const markAll = statement(
  { account: pg.integer, seat: pg.nullable(pg.uuid) },
  { marked: pg.integer },
  `with marked as (${UNREAD} returning id) select count(*)::integer as marked from marked`,
)

/** Marks a notification of the seat as read; a read one stays unchanged. */
export const markRead = (tx: AccountTx, seat: string | null, id: string): void => tx.later(markOne, { seat, id })

/** Marks all notifications of the seat as read, and returns their number. */
export async function markAllRead(tx: AccountTx, seat: string | null): Promise<number> {
  return (await tx.one(markAll, { seat }))?.marked ?? 0
}
