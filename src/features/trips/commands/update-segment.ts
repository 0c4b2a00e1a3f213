import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { refuseAttributes } from '../../../records/attributes.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { findSegment, placeSegment, updateSegment } from '../itinerary.store.ts'
import { readGivenSegment, refuseSegment } from '../read-given-segment.ts'
import { segmentAttributes } from '../segment-attributes.ts'
import { requireDay, requireTrip } from './require-trip.ts'

/** The attributes of a booking's segment that people may edit. The others follow the booking. */
const OWN_WORDS: readonly string[] = [
  'title',
  'description',
  'internal_notes',
  'location_name',
  'location_address',
  'is_optional',
  'is_highlighted',
  'is_client_visible',
  'cover_image_url',
]
/** The place that a segment has when it is put at the end of a day. */
const LAST = 1_000_000

/** Updates the given attributes of a segment, and its place. */
export async function changeSegment(
  tx: AccountTx,
  desk: FoundDesk,
  trip: string,
  id: string,
  { day, place }: { readonly day: number | null; readonly place: number | null },
  given: Record<string, unknown>,
): Promise<void> {
  await requireTrip(tx, trip)
  const stored = await tx.one(findSegment, { trip, id })
  if (!stored) throw new RecordNotFound('trip_part', `The trip has no segment ${id}.`)
  const record = complete(segmentAttributes, { ...stored, ...readGivenSegment(desk, given, false) })
  if (stored.booking_id !== null) refuseFollowing(stored, record, day)
  if (JSON.stringify(record) !== JSON.stringify(complete(segmentAttributes, stored))) {
    await refuseSegment(tx, record)
    tx.later(updateSegment, { id, values: JSON.stringify(record) })
  }
  const to = day === null ? stored.trip_day_id : (await requireDay(tx, trip, day)).id
  if (place !== null || to !== stored.trip_day_id) tx.later(placeSegment, { id, day: to, place: place ?? LAST })
}

function refuseFollowing(stored: Values, record: Values, day: number | null): void {
  const changed = Object.keys(record).filter((name) => record[name] !== stored[name] && !OWN_WORDS.includes(name))
  const refused = day === null ? changed : [...changed, 'day']
  refuseAttributes(
    refused.map((name) => [
      name,
      `This value comes from the booking ${String(stored.booking_id)}. Change it in the booking.`,
    ]),
  )
}
