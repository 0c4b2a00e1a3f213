import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

export const EVENTS_AT_ONCE = 2_000

const KEPT = '30 days'

/** Events that were sent again since are kept whole. */
const OLD = `o.occurred_at < now() - interval '${KEPT}' and not exists (
  select from webhook_deliveries d
  where d.account_id = o.account_id and d.event_id = o.id and d.created_at >= now() - interval '${KEPT}')`

export const lockOldEvents = statement(
  {},
  { account: pg.integer, id: pg.uuid },
  `
  select o.account_id as account, o.id from webhook_events o where ${OLD}
  order by o.occurred_at limit ${EVENTS_AT_ONCE} for update skip locked`,
)

/**
 * Checked again, since an event could be sent again until it was locked. Dependent rows are deleted by the database.
 */
export const purgeLockedEvents = statement(
  { accounts: pg.list(pg.integer), ids: pg.list(pg.uuid) },
  {},
  `
  delete from webhook_events o using unnest($accounts::integer[], $ids::uuid[]) as locked(account_id, id)
  where o.account_id = locked.account_id and o.id = locked.id and ${OLD}`,
)
