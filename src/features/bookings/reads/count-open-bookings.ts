import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { quoted } from '../../../platform/db/quoted.ts'
import { statement } from '../../../platform/db/statement.ts'

/** States in which nothing is left to do for a customer; in every other one a booking is open. */
export const CLOSED: readonly string[] = [
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

const count = statement(
  { account: pg.integer, customer: pg.uuid },
  { open: pg.integer },
  `
  select count(*)::integer as open from bookings where account_id = $account and customer_id = $customer and deleted_at is null
    and status not in (${quoted(CLOSED)})`,
)

/** How many open bookings name a customer. */
export const countOpenBookings = async (tx: AccountTx, customer: string): Promise<number> =>
  (await tx.one(count, { customer }))?.open ?? 0
