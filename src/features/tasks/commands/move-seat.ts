import { moveSeatIn } from '../../../records/seat-move.ts'

export const seatMoveOfTasks = moveSeatIn('tasks', 'assigned_to_id', 't.completed_at is null')
