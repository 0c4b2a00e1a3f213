import { moveSeatIn } from '../../../records/seat-move.ts'

export const seatMoveOfTrips = moveSeatIn('trips', 'assigned_advisor_id', `t.status not in ('completed', 'cancelled')`)
