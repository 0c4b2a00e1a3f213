import { moveSeatIn } from '../../../records/seat-move.ts'
import { OPEN_LEAD_SQL } from '../stages.ts'

export const seatMoveOfLeads = moveSeatIn('leads', 'assigned_to_id', OPEN_LEAD_SQL)
