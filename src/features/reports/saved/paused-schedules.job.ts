import type { Database } from '../../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../../platform/jobs/schedule.ts'
import { pauseIfNotAllowed } from './commands/pause-schedule.ts'
import { findNotAllowed } from './schedule-rights.store.ts'

/**
 * Pauses schedules of all accounts whose seat or key may not have them sent any more, so that the owner is notified before
 * a report is missing. A run that comes due earlier checks by itself.
 */
export const pausedSchedules: ScheduledJob<{ db: Database }> = {
  name: 'paused schedules',
  dueAgain: every('1 minute'),
  leaseMs: 60_000,
  async run({ db }, stopping) {
    for (const { account, ids } of await db.askSystem('schedules of all accounts pause', findNotAllowed, {})) {
      if (stopping.aborted) return
      await db.inAccount(account, async (tx) => {
        for (const id of ids) await pauseIfNotAllowed(tx, id)
      })
    }
  },
}
