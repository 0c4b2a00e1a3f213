import type { AccountTx, BeforeCommit } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { type DueRows, dueRowsQueue } from '../../platform/jobs/due-rows.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { takeClaimedRequests, takeOwnRequests } from './changed-trips.store.ts'
import { scheduleNotifications } from './schedule-notifications.ts'

const schedule = (tx: AccountTx, taken: readonly { readonly trip: string }[]) =>
  scheduleNotifications(tx, [...new Set(taken.map(({ trip }) => trip))])

/** Schedules the notifications of the trips that a transaction changed, so that a read after it finds them. */
export const scheduleChangedTrips: BeforeCommit = {
  tables: ['trips', 'trip_segments', 'trip_bookings', 'trip_reschedulings'],
  run: async (tx) => schedule(tx, await tx.all(takeOwnRequests, {})),
}

const CHANGED_TRIPS: DueRows = {
  name: 'changed trips',
  table: 'trip_reschedulings',
  key: ['trip_id', 'id'],
  waiting: 'true',
  pollMs: 5_000,
}

/** Schedules the notifications of trips that were changed past the program's transactions, such as by SQL. */
export const changedTripQueue = (
  needs: { readonly db: Database; readonly log: Pick<Log, 'error'> },
  leaseMs?: number,
): Queue =>
  dueRowsQueue(
    needs,
    CHANGED_TRIPS,
    async (tx, lease, trips) => schedule(tx, await tx.all(takeClaimedRequests, { lease, trips })),
    leaseMs,
  )
