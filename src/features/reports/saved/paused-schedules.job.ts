import type { Database } from '../../../platform/db/database.ts'
import { isDatabaseUnavailable } from '../../../platform/db/failures.ts'
import { every, type ScheduledJob } from '../../../platform/jobs/schedule.ts'
import type { Log } from '../../../platform/log.ts'
import { pauseIfNotAllowed } from './commands/pause-schedule.ts'
import { findNotAllowed } from './schedule-rights.store.ts'

/**
 * Pauses schedules of all accounts whose seat or key may not have them sent any more, so that the owner is notified before
 * a report is missing. A run that comes due earlier checks by itself. An account that fails is tried again at the next run.
 */
export const pausedSchedules: ScheduledJob<{ db: Database; log: Pick<Log, 'error'> }> = {
  name: 'paused schedules',
  dueAgain: every('1 minute'),
  leaseMs: 60_000,
  async run({ db, log }, stopping) {
    for (const { account, ids } of await db.askSystem('pause schedules of all accounts', findNotAllowed, {})) {
      if (stopping.aborted) return
      try {
        await db.inAccount(account, async (tx) => {
          for (const id of ids) await pauseIfNotAllowed(tx, id)
        })
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        log.error({ err: error, account }, 'could not pause the schedules of one account; retrying')
      }
    }
  },
}
