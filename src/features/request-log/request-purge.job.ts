import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { purgeHours, purgeRequests, purgeUsage } from './requests.store.ts'

/** Deletes requests after 30 days, their daily counts after 400, and their hourly counts after two. */
export const requestPurge: ScheduledJob<{ db: Database }> = {
  name: 'request log',
  dueAgain: every('1 hour'),
  leaseMs: 10 * 60_000,
  run: async ({ db }) => {
    await db.askSystem('purge requests of all accounts', purgeRequests, {})
    await db.askSystem('purge hourly counts of all accounts', purgeHours, {})
    await db.askSystem('purge usage of all accounts', purgeUsage, {})
  },
}
