import type { Database } from '../../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../../platform/jobs/schedule.ts'
import { pauseFallen } from './commands/pause-schedule.ts'
import { findFallen } from './standing.store.ts'

/**
 * Pauses the schedules of all accounts that may not go on, so that their owners hear of it before they miss a report. A run
 * that comes due earlier looks for itself.
 */
export const pausedSchedules: ScheduledJob<{ db: Database }> = {
  name: 'paused schedules',
  dueAgain: every('1 minute'),
  leaseMs: 60_000,
  async run({ db }, stopping) {
    for (const { account, ids } of await db.askSystem('schedules of all accounts pause', findFallen, {})) {
      if (stopping.aborted) return
      await db.inAccount(account, async (tx) => {
        for (const id of ids) await pauseFallen(tx, id)
      })
    }
  },
}
