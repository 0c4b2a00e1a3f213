import { randomUUIDv7 } from 'node:crypto'
import { complete } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { readAttributes, refuseAttributes } from '../../../records/attributes.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { insertDay, shiftDaysAfter } from '../itinerary.store.ts'
import { DAYS_MAXIMUM } from '../reads/trip-span.ts'
import { dayAttributes } from '../trip-attributes.ts'
import { requireTrip } from './require-trip.ts'

/** Adds a day after the given number, or at the end. Later days, and the end of the trip, move by one day. */
export async function addDay(
  tx: AccountTx,
  desk: FoundDesk,
  trip: string,
  after: number | null,
  given: Record<string, unknown>,
): Promise<{ readonly id: string; readonly day_number: number }> {
  const { day_count } = await requireTrip(tx, trip)
  const read = readAttributes(dayAttributes, given, { company: desk, timeZone: desk.time_zone, creates: true })
  const before = after ?? day_count
  if (before > day_count)
    refuseAttributes([['after', `The trip has ${day_count} days. Send a number from 0 to ${day_count}.`]])
  if (day_count >= DAYS_MAXIMUM)
    refuseAttributes([['base', `A trip has at most ${DAYS_MAXIMUM} days. Delete one first.`]])
  const [id, day] = [randomUUIDv7(), before + 1]
  tx.later(shiftDaysAfter, { trip, after: before, by: 1 })
  tx.later(insertDay, { trip, id, day, values: JSON.stringify(complete(dayAttributes, read)) })
  return { id, day_number: day }
}
