import { complete } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { readAttributes } from '../../../records/attributes.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { updateDay } from '../itinerary.store.ts'
import { dayAttributes } from '../trip-attributes.ts'
import { requireDay, requireTrip } from './require-trip.ts'

/** The attributes of a day. */
export const DAY_FIELDS = Object.keys(dayAttributes)

/** Updates the given attributes of a day. Its date follows from the trip. Returns its id. */
export async function changeDay(
  tx: AccountTx,
  desk: FoundDesk,
  trip: string,
  day: number,
  given: Record<string, unknown>,
): Promise<string> {
  await requireTrip(tx, trip)
  const stored = await requireDay(tx, trip, day)
  const read = readAttributes(dayAttributes, given, { company: desk, timeZone: desk.time_zone, creates: false })
  const record = complete(dayAttributes, { ...stored, ...read })
  if (JSON.stringify(record) === JSON.stringify(complete(dayAttributes, stored))) return stored.id
  tx.later(updateDay, { id: stored.id, values: JSON.stringify(record) })
  return stored.id
}
