import type { Database } from '../../platform/db/database.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'

const KEPT = '30 days'
const AT_ONCE = 2_000
const LEASE_MS = 15 * 60_000

/** Of an event that was sent again since, everything stays. */
const OLD = `o.occurred_at < now() - interval '${KEPT}' and not exists (
  select from webhook_deliveries d
  where d.account_id = o.account_id and d.event_id = o.id and d.created_at >= now() - interval '${KEPT}')`
const lockOld = statement(
  {},
  { account: pg.integer, id: pg.uuid },
  `
  select o.account_id as account, o.id from webhook_events o where ${OLD}
  order by o.occurred_at limit ${AT_ONCE} for update skip locked`,
)
/** Looked at again: until they were locked, somebody could send them again. The database deletes what belongs to them. */
const purgeLocked = statement(
  { accounts: pg.list(pg.integer), ids: pg.list(pg.uuid) },
  {},
  `
  delete from webhook_events o using unnest($accounts::integer[], $ids::uuid[]) as locked(account_id, id)
  where o.account_id = locked.account_id and o.id = locked.id and ${OLD}`,
)

/** Forgets what happened, and who was told of it, a while ago. */
export const deliveryPurge: ScheduledJob<{ db: Database }> = {
  name: 'webhook events',
  dueAgain: every('1 hour'),
  leaseMs: LEASE_MS,
  async run({ db }, stopping) {
    for (let gone = AT_ONCE; gone === AT_ONCE; ) {
      stopping.throwIfAborted()
      gone = await db.asSystem('purge old webhook events of all accounts', async (tx) => {
        const old = await tx.all(lockOld, {})
        const [accounts, ids] = [old.map(({ account }) => account), old.map(({ id }) => id)]
        if (old.length > 0) await tx.all(purgeLocked, { accounts, ids })
        return old.length
      })
    }
  },
}
