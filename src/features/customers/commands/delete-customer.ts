import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { refuseAttributes } from '../../../records/attributes.ts'

/** Waits for other writes of the customer, also for a merge and for a booking that starts to name it. */
const lock = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'select id from customers where account_id = $account and id = $id and deleted_at is null for update',
)
const remove = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'update customers set deleted_at = now() where account_id = $account::integer and id = $id',
)

/** The number of open bookings of a customer; supplied by the feature that knows their statuses. */
export type CountOpenBookings = (tx: AccountTx, customer: string) => Promise<number>

/** Deletes a customer softly; false if it does not exist. Refused while open bookings name it. */
export async function deleteCustomer(
  tx: AccountTx,
  countOpenBookings: CountOpenBookings,
  id: string,
): Promise<boolean> {
  takeChangeNumber(tx)
  // Two statements, so that the second sees what the first has waited for.
  const [found, open] = await Promise.all([tx.one(lock, { id }), countOpenBookings(tx, id)])
  if (!found) return false
  if (open > 0)
    refuseAttributes([['base', `This customer has open bookings (${open}). Cancel or complete them first.`]])
  tx.later(remove, { id })
  auditOwn(tx, { action: 'customer.deleted', subjectType: 'customer', subjectId: id })
  return true
}
