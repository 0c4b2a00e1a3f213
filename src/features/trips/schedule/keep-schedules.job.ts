import type { Database } from '../../../platform/db/database.ts'
import { isHere } from '../../../platform/db/moved.ts'
import { statement } from '../../../platform/db/statement.ts'
import { every, type ScheduledJob } from '../../../platform/jobs/schedule.ts'
import { scheduleNotifications } from '../commands/schedule-notifications.ts'
import { PLAN } from './plan.ts'

/** Trips of one transaction. */
const TOGETHER = 500
const LEASE_MS = 10 * 60_000
/** After its end a trip still has so many days on which something is said. */
const LAST_DAYS = Math.max(...PLAN.map(({ offsetDays }) => offsetDays))

/** A day more, since it is another day elsewhere. */
const next = statement<{ account: number; trip: string }, { account: number; trips: string[] }>(`
  with trip as (
    select account_id, id from trips
    where (account_id, id) > ($account, $trip::uuid) and status <> 'cancelled' and coalesce(end_date, start_date) >= current_date - ${LAST_DAYS + 1} and ${isHere('account_id')}
    order by account_id, id limit ${TOGETHER}
  )
  select account_id as account, array_agg(id order by id) as trips from trip group by account_id order by account_id`)

/** Brings every schedule to what nobody calls for: the account's clock was changed, or the trip is older than schedules. */
export const keepSchedules: ScheduledJob<{ db: Database }> = {
  name: 'trip schedules',
  dueAgain: every('1 day'),
  leaseMs: LEASE_MS,
  async run({ db }, stopping) {
    let last = { account: 0, trip: '00000000-0000-0000-0000-000000000000' }
    while (!stopping.aborted) {
      const found = await db.askSystem('schedules of all accounts are kept', next, last)
      for (const { account, trips } of found)
        await db.inAccount(account, async (tx) => scheduleNotifications(tx, trips))
      const end = found.at(-1)
      if (!end) return
      last = { account: end.account, trip: end.trips.at(-1) as string }
    }
  },
}
