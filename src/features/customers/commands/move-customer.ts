import { statement } from '../../../platform/db/statement.ts'
import { type CustomerMove, MOVED, moveCustomerIn } from '../../../records/customer-move.ts'

/** A customer has one imported note; the other's stays as one of the application. */
const moveNotes = statement(
  MOVED,
  {},
  `
  update customer_notes n set customer_id = $into, source = case when n.source = 'import' and exists (select from customer_notes o
      where o.account_id = n.account_id and o.customer_id = $into and o.source = 'import') then 'app' else n.source end
  where n.account_id = $account::integer and n.customer_id = $loser`,
)
export const movesOfCustomers: readonly CustomerMove[] = [
  { of: 'customer_notes.customer_id', statement: moveNotes },
  moveCustomerIn('travelers', 'customer_id'),
  moveCustomerIn('customers', 'merged_into_id'),
]
