import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { EVENTS_AT_ONCE, lockOldEvents, purgeLockedEvents } from './delivery-purge.store.ts'

const LEASE_MS = 15 * 60_000

/** Deletes old events and deliveries. */
export const deliveryPurge: ScheduledJob<{ db: Database }> = {
  name: 'webhook events',
  dueAgain: every('1 hour'),
  leaseMs: LEASE_MS,
  async run({ db }, stopping) {
    for (let gone = EVENTS_AT_ONCE; gone === EVENTS_AT_ONCE; ) {
      stopping.throwIfAborted()
      gone = await db.asSystem('purge old webhook events of all accounts', async (tx) => {
        const old = await tx.all(lockOldEvents, {})
        const [accounts, ids] = [old.map(({ account }) => account), old.map(({ id }) => id)]
        if (old.length > 0) await tx.all(purgeLockedEvents, { accounts, ids })
        return old.length
      })
    }
  },
}
