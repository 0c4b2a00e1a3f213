import { type CustomerMove, moveCustomerIn } from '../../../records/customer-move.ts'

/** Ids are unique across tables, so the type of the record need not be compared. */
export const movesOfTasks: readonly CustomerMove[] = [moveCustomerIn('tasks', 'taskable_id')]
