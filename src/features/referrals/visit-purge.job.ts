import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { dayIn } from '../../platform/time.ts'
import { purgeVisits } from './visits.store.ts'

/** The time zone in which a day ends last: a day that is over there is over for every account. */
const LAST_ZONE = 'Etc/GMT+12'

/** Deletes the visitors of past days; the codes have their number. */
export const visitPurge: ScheduledJob<{ db: Database; now(): number }> = {
  name: 'visits by referral codes',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: ({ db, now }) => db.askSystem('purge visits of all accounts', purgeVisits, { day: dayIn(LAST_ZONE, now()) }),
}
