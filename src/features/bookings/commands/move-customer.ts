import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

export const movesOfBookings: readonly CustomerMove[] = [moveCustomerIn('bookings', 'customer_id')]
