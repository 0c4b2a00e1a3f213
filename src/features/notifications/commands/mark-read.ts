import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { statement } from '../../../platform/db/statement.ts'

type OfSeat = { account: number; seat: string | null }
const UNREAD =
  'update notifications set read_at = now() where account_id = $account and seat_id = $seat and read_at is null'
const markOne = statement<OfSeat & { id: string }, never>(`${UNREAD} and id = $id`)
const markAll = statement<OfSeat, { marked: number }>(
  `with marked as (${UNREAD} returning id) select count(*)::integer as marked from marked`,
)

/** Marks a notification of the seat as read; one that is read stays as it was. */
export const markRead = (tx: AccountTx, seat: string | null, id: string): void => tx.later(markOne, { seat, id })

/** Marks all that the seat has not read by now, and answers how many they were. */
export async function markAllRead(tx: AccountTx, seat: string | null): Promise<number> {
  return (await tx.one(markAll, { seat }))?.marked ?? 0
}
