import { randomUUIDv7 } from 'node:crypto'
import { complete } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { insertSegment, placeSegment } from '../itinerary.store.ts'
import { readGivenSegment, refuseSegment } from '../read-given-segment.ts'
import { segmentAttributes } from '../segment-attributes.ts'
import { requireDay, requireTrip } from './require-trip.ts'

/** The attributes of a segment. */
export const SEGMENT_FIELDS = Object.keys(segmentAttributes)

/** Adds a segment to a day, at a place from 1 or at its end. Answers its id. */
export async function addSegment(
  tx: AccountTx,
  desk: FoundDesk,
  trip: string,
  { day, place }: { readonly day: number; readonly place: number | null },
  given: Record<string, unknown>,
): Promise<string> {
  await requireTrip(tx, trip)
  const found = await requireDay(tx, trip, day)
  const reasons = new Reasons()
  const record = complete(segmentAttributes, readGivenSegment(desk, given, { creates: true, reasons }))
  await refuseSegment(tx, record, reasons)
  const id = randomUUIDv7()
  tx.later(insertSegment, { trip, id, day: found.id, values: JSON.stringify(record) })
  if (place !== null) tx.later(placeSegment, { id, day: found.id, place })
  return id
}
