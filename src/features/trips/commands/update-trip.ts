import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { readAttributes } from '../../../records/attributes.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { refuseUnknownSeat } from '../../accounts/reads/seats.ts'
import { type StoredTrip, updateTrip } from '../itinerary.store.ts'
import { spanRefused } from '../reads/trip-span.ts'
import { tripAttributes } from '../trip-attributes.ts'
import { tripDetail } from '../trips.view.ts'
import { moveDays } from './move-days.ts'
import { requireTrip } from './require-trip.ts'

type Texts = 'title' | 'status' | 'trip_type' | 'start_date' | 'end_date' | 'primary_currency' | 'assigned_advisor_id'
type ReadTrip = Values & { readonly [name in Texts]?: string | null } & {
  readonly destinations?: readonly string[] | null
  readonly settings?: object | null
  readonly notification_preferences?: object | null
}

/** The attributes of a trip. */
export const TRIP_FIELDS = Object.keys(tripAttributes)
/** The attributes in a write of a trip. */
export const readTrip = (desk: FoundDesk, given: Record<string, unknown>, reasons: Reasons): ReadTrip =>
  readAttributes(tripAttributes, given, {
    company: desk,
    timeZone: desk.time_zone,
    creates: false,
    shows: tripDetail,
    reasons,
  })

/** Updates the given attributes. The days follow the dates, and the notification schedule follows both. */
export async function changeTrip(
  tx: AccountTx,
  desk: FoundDesk,
  trip: string,
  given: Record<string, unknown>,
): Promise<void> {
  const stored = await requireTrip(tx, trip)
  const reasons = new Reasons()
  const record = together(stored, readTrip(desk, given, reasons))
  reasons.refuse()
  if (JSON.stringify(record) === JSON.stringify(complete(tripAttributes, stored))) return
  if (stored.status === 'cancelled' && record.status !== 'cancelled')
    reasons.add(['status', 'A cancelled trip cannot be changed. Create a new trip.'])
  if (record.assigned_advisor_id !== stored.assigned_advisor_id)
    await refuseUnknownSeat(tx, 'assigned_advisor_id', record.assigned_advisor_id, reasons)
  const dates = { start: record.start_date, end: record.end_date }
  reasons.add(...spanRefused('end_date', dates.start, dates.end))
  reasons.refuse()
  if (dates.start !== stored.start_date || dates.end !== stored.end_date) {
    await moveDays(tx, trip, { start: stored.start_date, end: stored.end_date }, dates)
  }
  tx.later(updateTrip, { trip, values: JSON.stringify(record) })
}

/** Cancels a trip; its bookings are cancelled one by one. */
export const cancelTrip = (tx: AccountTx, desk: FoundDesk, trip: string): Promise<void> =>
  changeTrip(tx, desk, trip, { status: 'cancelled' })

/** The trip after the update. Settings that are not named stay. */
const together = (stored: StoredTrip, read: ReadTrip) =>
  complete(tripAttributes, {
    ...stored,
    ...read,
    settings: { ...stored.settings, ...read.settings },
    notification_preferences: { ...stored.notification_preferences, ...read.notification_preferences },
  }) as StoredTrip
