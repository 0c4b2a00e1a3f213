import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { closeGaps, deleteSegment, findSegment } from '../itinerary.store.ts'
import { requireTrip } from './require-trip.ts'

/** Removes a segment created by a person. Segments of a booking are removed with the booking. */
export async function removeSegment(tx: AccountTx, trip: string, id: string): Promise<void> {
  await requireTrip(tx, trip)
  const stored = await tx.one(findSegment, { trip, id })
  if (!stored) throw new RecordNotFound('trip_part', `The trip has no segment ${id}.`)
  if (stored.booking_id)
    throw new UserError(
      'not_allowed_now',
      `The segment comes from the booking ${stored.booking_id}. Cancel the booking, or unfile it from the trip.`,
    )
  tx.later(deleteSegment, { id })
  tx.later(closeGaps, { days: [stored.trip_day_id] })
}
