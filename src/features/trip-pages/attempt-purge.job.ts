import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { purgeAttempts } from './attempts.store.ts'

/** Forgets who tried passwords of share links more than a day ago. */
export const attemptPurge: ScheduledJob<{ db: Database }> = {
  name: 'passwords of share links',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge attempts of all accounts', purgeAttempts, {}),
}
