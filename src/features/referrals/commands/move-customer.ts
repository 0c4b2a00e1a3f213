import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

export const movesOfReferrals: readonly CustomerMove[] = [moveCustomerIn('referral_codes', 'customer_id')]
