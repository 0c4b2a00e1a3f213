import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

export const movesOfDocuments: readonly CustomerMove[] = [
  moveCustomerIn('operator_invoices', 'customer_id'),
  moveCustomerIn('customer_invoices', 'customer_id'),
]
