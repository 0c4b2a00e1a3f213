import { quoted } from '../../../platform/db/quoted.ts'
import { moveSeatIn } from '../../../records/seat-move.ts'
import { statesWhere } from '../reads/booking-states.ts'

export const seatMoveOfBookings = moveSeatIn(
  'bookings',
  'assigned_to_id',
  `t.status in (${quoted(statesWhere(({ isOpen }) => isOpen))})`,
)
