import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { UserError } from '../../../platform/user-error.ts'
import { wantFacts } from '../../day-facts/commands/want-facts.ts'
import { scheduleNotifications } from '../../trip-notifications/commands/schedule-notifications.ts'
import { deleteSegmentsOf, deleteSegmentsOutside } from '../../trips/commands/derived-segments.store.ts'
import { holdTrip } from '../../trips/commands/hold-trip.ts'
import { refuseUnknownBooking } from '../../trips/commands/refuse-unknown.ts'
import { refileBookings } from './refile-bookings.ts'

const find = statement(
  { account: pg.integer, booking: pg.uuid },
  { trip: pg.nullable(pg.uuid) },
  'select trip_id as trip from trip_bookings where account_id = $account and booking_id = $booking for update',
)
const file = statement(
  { account: pg.integer, booking: pg.uuid, trip: pg.uuid },
  {},
  `
  insert into trip_bookings (account_id, booking_id, trip_id) values ($account::integer, $booking::uuid, $trip::uuid)
  on conflict (account_id, booking_id) do update set trip_id = excluded.trip_id`,
)
/** The row stays, so that the job leaves the booking alone. */
const unfile = statement(
  { account: pg.integer, booking: pg.uuid, trip: pg.uuid },
  { booking_id: pg.uuid },
  `
  update trip_bookings set trip_id = null where account_id = $account and booking_id = $booking and trip_id = $trip
  returning booking_id`,
)

/** Puts a booking into a trip, whatever its dates and customer; out of another, if it was in one. */
export async function fileBooking(tx: AccountTx, trip: string, booking: string): Promise<void> {
  await holdTrip(tx, trip)
  await refuseUnknownBooking(tx, 'booking', booking)
  const before = (await tx.one(find, { booking }))?.trip
  tx.later(deleteSegmentsOutside, { trip, booking }) // in this one the job derives them
  tx.later(file, { trip, booking })
  follow(tx, before && before !== trip ? [trip, before] : [trip])
}

/** Takes a booking out of a trip, for good: it is not filed again by itself. */
export async function unfileBooking(tx: AccountTx, trip: string, booking: string): Promise<void> {
  await holdTrip(tx, trip)
  tx.later(deleteSegmentsOf, { trip, booking })
  if (!(await tx.one(unfile, { trip, booking })))
    throw new UserError('trip_part_not_found', `The trip has no booking ${booking}.`)
  follow(tx, [trip])
}

function follow(tx: AccountTx, trips: readonly string[]): void {
  refileBookings(tx, trips)
  scheduleNotifications(tx, trips)
  wantFacts(tx, trips)
}
