import type { Database } from '../../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../../platform/jobs/schedule.ts'
import { purgeChanges } from './trip-rows.store.ts'

/** Deletes changes of trips that can no longer be undone. They hold names. */
export const tripChangePurge: ScheduledJob<{ db: Database }> = {
  name: 'changes of trips',
  dueAgain: every('10 minutes'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge changes of trips of all accounts', purgeChanges, {}),
}
