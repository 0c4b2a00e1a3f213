import type { Database } from '../../platform/db/database.ts'
import type { RowFrom } from '../../platform/db/statement.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { dayIn } from '../../platform/time.ts'
import { type AccountNotification, notifyAccounts } from '../notifications/commands/notify.ts'
import { optionTimeZones, warnOfOptions } from './option-warnings.store.ts'

/** Somewhere a day begins every quarter of an hour, and options are entered at any time. */
const OFTEN = '5 minutes'
const LEASE_MS = 60_000

const notificationOf = ({
  account,
  seat,
  booking,
  label,
  title,
  isLast,
}: RowFrom<typeof warnOfOptions>): AccountNotification => ({
  account,
  seat,
  kind: 'option_expiring',
  title,
  body: null,
  priority: isLast ? 'high' : 'normal',
  subjectType: 'Booking',
  subjectId: booking,
  subjectLabel: label,
})

/** Warns the advisor once of every option that expires within days. `now` is milliseconds since the epoch. */
export const optionWarnings: ScheduledJob<{ db: Database; now(): number }> = {
  name: 'option dates',
  dueAgain: every(OFTEN),
  leaseMs: LEASE_MS,
  run: ({ db, now }) =>
    db.asSystem('find expiring options of all accounts', async (tx) => {
      const today = now()
      const days = (await tx.all(optionTimeZones, {})).map(({ zone }) => ({ zone, day: dayIn(zone, today) }))
      const warned = await tx.all(warnOfOptions, { days: JSON.stringify(days) })
      await notifyAccounts(tx, warned.map(notificationOf))
    }),
}
