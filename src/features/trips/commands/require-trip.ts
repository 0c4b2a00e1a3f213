import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { findDay, lockTrip, type StoredDay, type StoredTrip } from '../itinerary.store.ts'

/** Holds a trip while its itinerary changes, so that changes follow each other. */
export async function requireTrip(tx: AccountTx, trip: string): Promise<StoredTrip> {
  const found = await tx.one(lockTrip, { trip })
  if (!found) throw noSuch('trip')
  return found
}

/** The day of this number, in a trip that is held. */
export async function requireDay(tx: AccountTx, trip: string, day: number): Promise<StoredDay> {
  const found = await tx.one(findDay, { trip, day })
  if (!found) throw new RecordNotFound('trip_part', `The trip has no day ${day}.`)
  return found
}
