import { statement } from '../../../platform/db/statement.ts'
import { type CustomerMove, MOVED, moveCustomerIn } from '../../../records/customer-move.ts'

/** A trip that both of them buy names the survivor once. */
const moveBuyers = statement(
  MOVED,
  {},
  `
  with gone as (delete from trip_customers where account_id = $account::integer and customer_id = $loser returning trip_id, is_primary)
  insert into trip_customers as t (account_id, trip_id, customer_id, is_primary)
  select $account, trip_id, $into::uuid, is_primary from gone
  on conflict (account_id, trip_id, customer_id) do update set is_primary = t.is_primary or excluded.is_primary`,
)
export const movesOfTrips: readonly CustomerMove[] = [
  { of: 'trip_customers.customer_id', statement: moveBuyers },
  moveCustomerIn('trip_travelers', 'customer_id'),
]
