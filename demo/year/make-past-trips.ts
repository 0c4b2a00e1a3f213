import type { FoundDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { fileBookings } from '../../src/features/filing/file-bookings.ts'
import { scheduleChangedTrips } from '../../src/features/trip-notifications/changed-trips.job.ts'
import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import type { Random } from '../random.ts'
import { fileStays, insertSegments, insertTrips, readHouses, readStays } from './past-trips.store.ts'
import { type PastTrip, planTrips } from './plan-trips.ts'
import type { Timeline } from './timeline.ts'
import { writeRows } from './write-rows.ts'

export type By = {
  readonly random: Random
  readonly time: Timeline
  readonly desk: FoundDesk
  /** The day on the agency's clock. */
  readonly today: string
  readonly advisors: readonly string[]
}

/** Makes the trips that are over, of stays as far as there are some, with their days, segments and schedules. */
export async function makePastTrips(tx: AccountTx, { random, time, desk, today, advisors }: By): Promise<PastTrip[]> {
  const [stays, houses] = await Promise.all([tx.all(readStays, { today }), tx.all(readHouses, {})])
  const trips = planTrips({ random, time, stays, houses, advisors })
  tx.later(insertTrips, { company: desk.company, branch: desk.branch, trips: JSON.stringify(trips) })
  const filed = trips.flatMap(({ id, booking, created_at }) =>
    booking === null ? [] : [{ booking_id: booking, trip_id: id, created_at }],
  )
  writeRows(tx, fileStays, filed)
  const setting = { timeZone: desk.time_zone, today, locale: desk.locale }
  await fileBookings(
    tx,
    filed.map(({ booking_id }) => booking_id),
    setting,
  )
  tx.later(insertSegments, { segments: JSON.stringify(trips.flatMap(({ segments }) => segments)) })
  await scheduleChangedTrips.run(tx) // not at commit time: the messages follow
  return trips
}
