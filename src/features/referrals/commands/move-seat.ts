import { moveSeatIn } from '../../../records/seat-move.ts'

export const seatMoveOfReferrals = moveSeatIn('referral_codes', 'assigned_to_id', 't.active')
