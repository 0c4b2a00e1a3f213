import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { FILING_QUEUE } from '../filing-queue.ts'

const refile = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {},
  `
  insert into trip_refilings (account_id, trip_id) select $account::integer, id from unnest($trips::uuid[]) as trip(id)`,
)
const refileOf = statement(
  { account: pg.integer, customer: pg.uuid },
  {},
  `
  insert into trip_refilings (account_id, trip_id)
  select account_id, trip_id from trip_customers where account_id = $account and customer_id = $customer`,
)

/**
 * Has the bookings of these trips and of their customers looked at again: call it after a trip was made, or its dates,
 * state or customers changed, or a booking was put into it or taken out by hand.
 */
export function refileBookings(tx: AccountTx, trips: readonly string[]): void {
  tx.later(refile, { trips })
  tx.wake(FILING_QUEUE)
}

/** The same for all trips of a customer, whose trips or bookings have become others. */
export function refileBookingsOf(tx: AccountTx, customer: string): void {
  tx.later(refileOf, { customer })
  tx.wake(FILING_QUEUE)
}
