import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

export const movesOfLeads: readonly CustomerMove[] = [
  moveCustomerIn('leads', 'customer_id'),
  moveCustomerIn('leads', 'imported_customer_id'),
]
