import type { Database } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'

const KEPT = '30 days'
const AT_ONCE = 2_000
const LEASE_MS = 15 * 60_000

/** With what was said of them, the deliveries and their attempts. One that was sent again since stays. */
const purge = statement<object, { gone: number }>(`
  with gone as (
    delete from webhook_events e using (
      select account_id, id from webhook_events o where occurred_at < now() - interval '${KEPT}' and not exists (
        select from webhook_deliveries d
        where d.account_id = o.account_id and d.event_id = o.id and d.created_at >= now() - interval '${KEPT}')
      order by occurred_at limit ${AT_ONCE} for update skip locked
    ) old where e.account_id = old.account_id and e.id = old.id returning 1
  ) select count(*)::integer as gone from gone`)

/** Forgets what happened, and who was told of it, a while ago. */
export const deliveryPurge: ScheduledJob<{ db: Database }> = {
  name: 'webhook events',
  dueAgain: every('1 hour'),
  leaseMs: LEASE_MS,
  async run({ db }, stopping) {
    for (let gone = AT_ONCE; gone === AT_ONCE; ) {
      stopping.throwIfAborted()
      const [answer] = await db.askSystem('purge old webhook events of all accounts', purge, {})
      gone = answer?.gone ?? 0
    }
  },
}
