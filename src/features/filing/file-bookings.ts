import type { AccountTx } from '../../platform/db/account-tx.ts'
import { requestSchedules } from '../trip-notifications/commands/request-schedules.ts'
import { makeDays, orderDays } from '../trips/commands/derived-days.store.ts'
import {
  cancelSegments,
  type Living,
  placeSegments,
  readLiving,
  writeSegments,
} from '../trips/commands/derived-segments.store.ts'
import { readServed, type Served } from './booking-services.store.ts'
import { type DaysOfTrip, dayFor, missingDays } from './days-of-trip.ts'
import type { Setting } from './piece.ts'
import { segmentStatus } from './segment-status.ts'
import { type Derived, segmentsOf } from './segments-of.ts'
import { type Filing, fileInto, lockTrips, readDated, readFilings } from './trip-bookings.store.ts'
import { forgetNotReported, keepUnfiled, type Unfiled } from './unfiled.store.ts'

/** A booking with its decision. */
type Decided = Served & { readonly trip: string | null; readonly isNew: boolean; readonly unfiled: Unfiled | null }

/**
 * Files bookings into the trips that they fit into, and brings the segments of all that are filed to what they are now.
 * Once filed, a booking stays in its trip. Doing it again changes nothing.
 */
export async function fileBookings(tx: AccountTx, ids: readonly string[], setting: Setting): Promise<void> {
  const bookings = unique(ids)
  const [filings, living] = await Promise.all([
    tx.all(readFilings, { ids: bookings }),
    tx.all(readLiving, { bookings }),
  ])
  const followed = new Set(living.map(({ booking }) => booking))
  const concerned = filings.filter(({ id, decided, open }) => decided || open.length > 0 || followed.has(id))
  if (concerned.length === 0) return
  const known = new Map(concerned.map((filing) => [filing.id, filing]))
  const decided = (await readServed(tx, concerned, setting)).map((served) =>
    decide(served, known.get(served.booking.id) as Filing, setting.today),
  )
  await followBookings(tx, decided, living)
}

/** The trip of a booking: its current one, or the only one whose dates contain it. */
function decide({ booking, service }: Served, { decided, trip, open }: Filing, today: string): Decided {
  const of = { booking, service, trip, isNew: false, unfiled: null }
  const { customer_id } = booking
  if (decided || service === null || customer_id === null || booking.deleted) return of
  const { first, last } = service
  const fitting = open.filter(({ start, end }) => start <= first && last <= end)
  if (fitting.length === 1) return { ...of, trip: (fitting[0] as (typeof fitting)[0]).id, isNew: true }
  const isOver = last < today || segmentStatus(booking.status) === 'cancelled'
  if (isOver || open.length === 0) return of
  return {
    ...of,
    unfiled: { booking_id: booking.id, customer_id, first_day: first, last_day: last, trips: fitting.length },
  }
}

function keepFilings(tx: AccountTx, decided: readonly Decided[]): void {
  const filed = decided.flatMap(({ booking, trip, isNew }) => (isNew && trip ? [{ id: booking.id, trip }] : []))
  const unfiled = decided.flatMap(({ unfiled }) => unfiled ?? [])
  const others = decided.flatMap(({ booking, unfiled }) => (unfiled ? [] : booking.id))
  if (filed.length > 0)
    tx.later(fileInto, { bookings: filed.map(({ id }) => id), trips: filed.map(({ trip }) => trip) })
  if (unfiled.length > 0) tx.later(keepUnfiled, { unfiled: JSON.stringify(unfiled) })
  tx.later(forgetNotReported, { bookings: others })
}

/** Brings the segments of bookings to what they are now, and lets their trips know. */
async function followBookings(tx: AccountTx, decided: readonly Decided[], living: readonly Living[]): Promise<void> {
  const segments = decided.flatMap(({ booking, service, trip }) =>
    trip && service ? segmentsOf(booking, service, trip) : [],
  )
  const trips = unique(decided.flatMap(({ trip }) => trip ?? []))
  // The trips are locked first, as in every change of their content.
  const daysOf = trips.length > 0 ? await readDays(tx, trips, segments) : new Map<string, DaysOfTrip>()
  keepFilings(tx, decided)
  const gone = goneOf(living, segments)
  if (gone.length > 0) tx.later(cancelSegments, { ids: gone.map(({ id }) => id) })
  const placed = segments.flatMap((segment) => {
    const trip = daysOf.get(segment.trip_id)
    const day = trip && dayFor(trip, segment.date)
    return day ? [{ ...segment, trip_day_id: day }] : []
  })
  const written = placed.length > 0 ? await tx.all(writeSegments, { segments: JSON.stringify(placed) }) : []
  const moved = written.filter(({ placed }) => placed)
  if (moved.length > 0)
    tx.later(placeSegments, { days: unique(moved.map(({ day }) => day)), placed: moved.map(({ id }) => id) })
  requestSchedules(tx, trips) // a booking may have another balance date
}

/** The segments whose service no longer exists. */
function goneOf(living: readonly Living[], segments: readonly Derived[]): Living[] {
  const keyOf = (booking: string, piece: string) => `${booking} ${piece}`
  const there = new Set(segments.map(({ booking_id, piece }) => keyOf(booking_id, piece)))
  return living.filter(({ booking, piece }) => !there.has(keyOf(booking, piece)))
}

/** The trips with their days; those that they lack are made. */
async function readDays(
  tx: AccountTx,
  trips: readonly string[],
  segments: readonly Derived[],
): Promise<Map<string, DaysOfTrip>> {
  const [locked, dated] = await Promise.all([tx.all(lockTrips, { trips }), tx.all(readDated, { trips })])
  const daysOf = Map.groupBy(dated, ({ trip }) => trip)
  const known = new Map(locked.map(({ id, start, end }) => [id, { start, end, days: daysOf.get(id) ?? [] }]))
  const datesOf = Map.groupBy(segments, ({ trip_id }) => trip_id)
  const missing = [...known].flatMap(([trip, days]) =>
    missingDays(
      days,
      (datesOf.get(trip) ?? []).map(({ date }) => date),
    ).map((date) => ({ trip, date })),
  )
  if (missing.length === 0) return known
  tx.later(makeDays, { trips: missing.map(({ trip }) => trip), dates: missing.map(({ date }) => date) })
  tx.later(orderDays, { trips: unique(missing.map(({ trip }) => trip)) })
  return readDays(tx, trips, [])
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]
