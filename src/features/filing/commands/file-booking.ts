import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { closeGapsOf } from '../../trips/commands/close-gaps.ts'
import { deleteSegmentsOf, deleteSegmentsOutside } from '../../trips/commands/derived-segments.store.ts'
import { refuseUnknownBooking } from '../../trips/commands/refuse-unknown.ts'
import { requireTrip } from '../../trips/commands/require-trip.ts'
import { fileByHand, findFiling, lockTrips, unfileByHand } from '../trip-bookings.store.ts'

/** Puts a booking into a trip, whatever its dates and customer; out of another, if it was in one. */
export async function fileBooking(tx: AccountTx, trip: string, booking: string): Promise<void> {
  const former = (await tx.one(findFiling, { booking }))?.trip
  await tx.all(lockTrips, { trips: former ? [trip, former] : [trip] }) // in the order of the job
  await requireTrip(tx, trip)
  await refuseUnknownBooking(tx, 'booking_id', booking)
  tx.later(deleteSegmentsOutside, { trip, booking }) // in this one the job derives them
  if (former && former !== trip) closeGapsOf(tx, former)
  tx.later(fileByHand, { trip, booking })
}

/** Takes a booking out of a trip, for good: it is not filed again by itself. */
export async function unfileBooking(tx: AccountTx, trip: string, booking: string): Promise<void> {
  await requireTrip(tx, trip)
  tx.later(deleteSegmentsOf, { trip, booking })
  closeGapsOf(tx, trip)
  if (!(await tx.one(unfileByHand, { trip, booking })))
    throw new RecordNotFound('trip_part', `The trip has no booking ${booking}.`)
}
