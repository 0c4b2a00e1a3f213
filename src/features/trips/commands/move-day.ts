import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import { closeAllGaps, placeDay } from '../itinerary.store.ts'
import { requireDay, requireTrip } from './require-trip.ts'

/** Gives a day another number. The dates of the trip stay, and so does what comes from bookings. */
export async function moveDay(tx: AccountTx, trip: string, day: number, to: number): Promise<void> {
  const { day_count } = await requireTrip(tx, trip)
  const { id } = await requireDay(tx, trip, day)
  if (to < 1 || to > day_count)
    refuseAttributes([['day_number', `The trip has ${day_count} days. Send a number from 1 to ${day_count}.`]])
  if (to === day) return
  tx.later(placeDay, { trip, id, from: day, to })
  tx.later(closeAllGaps, { trip })
}
