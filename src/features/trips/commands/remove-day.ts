import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { UserError } from '../../../platform/user-error.ts'
import { deleteDay, shiftDaysAfter } from '../itinerary.store.ts'
import { requireDay, requireTrip } from './require-trip.ts'

/** Removes a day without segments. Later days, and the end of the trip, move one day back. */
export async function removeDay(tx: AccountTx, trip: string, day: number): Promise<string> {
  const { start_date, end_date, day_count } = await requireTrip(tx, trip)
  const { id, segments } = await requireDay(tx, trip, day)
  if (segments > 0)
    throw new UserError('not_allowed_now', `Day ${day} has ${segments} segments. Move or remove them first.`)
  if (start_date && end_date && day_count === 1)
    throw new UserError('not_allowed_now', 'A trip with dates needs at least one day. Remove the dates first.')
  tx.later(deleteDay, { id })
  tx.later(shiftDaysAfter, { trip, after: day, by: -1 })
  return id
}
