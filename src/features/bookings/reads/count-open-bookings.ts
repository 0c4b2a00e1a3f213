import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { quoted } from '../../../platform/db/quoted.ts'
import { statement } from '../../../platform/db/statement.ts'
import { statesWhere } from './booking-states.ts'

const count = statement(
  { account: pg.integer, customer: pg.uuid },
  { open: pg.integer },
  `
  select count(*)::integer as open from bookings where account_id = $account and customer_id = $customer and deleted_at is null
    and status not in (${quoted(statesWhere(({ isOpen }) => !isOpen))})`,
)

/** How many open bookings name a customer. */
export const countOpenBookings = async (tx: AccountTx, customer: string): Promise<number> =>
  (await tx.one(count, { customer }))?.open ?? 0
