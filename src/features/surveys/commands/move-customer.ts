import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

export const movesOfSurveys: readonly CustomerMove[] = [moveCustomerIn('surveys', 'customer_id')]
