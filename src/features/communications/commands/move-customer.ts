import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

export const movesOfCommunications: readonly CustomerMove[] = [moveCustomerIn('communications', 'customer_id')]
