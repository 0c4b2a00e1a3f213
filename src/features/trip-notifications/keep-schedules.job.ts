import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { keepSchedulesFrom } from './keep-schedules.store.ts'
import { scheduleNotifications } from './schedule-notifications.ts'

const LEASE_MS = 10 * 60_000

type Place = { readonly account: number; readonly trip: string }
const START: Place = { account: 0, trip: '00000000-0000-0000-0000-000000000000' }

/** Updates schedules that no command updated: after a change of time zone, or for trips older than a notification kind. */
export const keepSchedules: ScheduledJob<{ db: Database }> = {
  name: 'trip schedules',
  dueAgain: every('1 day'),
  leaseMs: LEASE_MS,
  async run({ db }, stopping) {
    let at: Place | undefined = START
    while (at && !stopping.aborted) {
      const found = await lookFrom(db, at)
      for (const { account, astray } of found)
        if (astray.length > 0) await db.inAccount(account, async (tx) => scheduleNotifications(tx, astray))
      at = found.at(-1)
    }
  },
}

const lookFrom = (db: Database, place: Place) =>
  db.askSystem('update the schedules of all accounts', keepSchedulesFrom, place)
