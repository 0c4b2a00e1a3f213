import type { AccountTx } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { refuse } from '../../attributes.ts'

/** States of bookings that nothing comes after. */
const CLOSED = [
  'cancelled',
  'completed',
  'checked_out',
  'returned',
  'no_show',
  'void',
  'refunded',
  'exchanged',
  'closed',
  'issued',
  'partly_voided',
  'delivered',
  'rejected',
]

type ById = { account: number; id: string }
/** Waits for who has the customer in hand, also for a merge and for a booking that comes to name it. */
const lock = statement<ById, { id: string }>(
  'select id from customers where account_id = $account and id = $id and deleted_at is null for update',
)
/** A statement of its own, so that it sees what was waited for. */
const countOpen = statement<ById, { open: number }>(`
  select count(*)::integer as open from bookings where account_id = $account and customer_id = $id and deleted_at is null
    and status not in (${CLOSED.map((state) => `'${state}'`).join(', ')})`)
const remove = statement<ById, never>(
  'update customers set deleted_at = now() where account_id = $account::integer and id = $id',
)

/** Deletes a customer softly; false where there is none. Refused while open bookings name it. */
export async function deleteCustomer(tx: AccountTx, id: string): Promise<boolean> {
  takeChangeNumber(tx)
  const [found, bookings] = await Promise.all([tx.one(lock, { id }), tx.one(countOpen, { id })])
  if (!found) return false
  const open = bookings?.open ?? 0
  if (open > 0) refuse([['base', `has ${open} open bookings: cancel or complete them first`]])
  tx.later(remove, { id })
  return true
}
