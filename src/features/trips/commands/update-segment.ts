import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { type Reason, Reasons } from '../../../platform/http/reasons.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { closeGaps, findSegment, placeSegment, updateSegment } from '../itinerary.store.ts'
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

/** Updates the given attributes of a segment, and its place. A role changes only what its policies show. */
export async function changeSegment(
  tx: AccountTx,
  desk: FoundDesk,
  trip: string,
  id: string,
  { day, place }: { readonly day: number | null; readonly place: number | null },
  given: Record<string, unknown>,
  policies?: Policies,
): Promise<void> {
  await requireTrip(tx, trip)
  const stored = await tx.one(findSegment, { trip, id })
  if (!stored) throw new RecordNotFound('trip_part', `The trip has no segment ${id}.`)
  const reasons = new Reasons()
  const read = readGivenSegment(desk, given, { creates: false, reasons, policies })
  const record = complete(segmentAttributes, { ...stored, ...read })
  const to = day === null ? stored.trip_day_id : (await requireDay(tx, trip, day)).id
  if (stored.booking_id !== null) refuseFollowing(stored, record, to !== stored.trip_day_id, reasons)
  reasons.refuse()
  if (JSON.stringify(record) !== JSON.stringify(complete(segmentAttributes, stored))) {
    await refuseSegment(tx, record, reasons, stored)
    tx.later(updateSegment, { id, values: JSON.stringify(record) })
  }
  if (place === null && to === stored.trip_day_id) return
  tx.later(placeSegment, { id, day: to, place: place ?? LAST })
  if (to !== stored.trip_day_id) tx.later(closeGaps, { days: [stored.trip_day_id] })
}

function refuseFollowing(stored: Values, record: Values, moves: boolean, reasons: Reasons): void {
  const changed = Object.keys(record).filter((name) => record[name] !== stored[name] && !OWN_WORDS.includes(name))
  const refused = moves ? [...changed, 'day'] : changed
  reasons.add(
    ...refused.map(
      (name): Reason => [
        name,
        `This value comes from the booking ${String(stored.booking_id)}. Change it in the booking.`,
      ],
    ),
  )
}
