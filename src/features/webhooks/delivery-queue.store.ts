import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { leasedRows, releaseOf } from '../../platform/jobs/leased-rows.ts'

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'cancelled'] as const

/** After only failures for this long, and this many failed deliveries, a subscription is deactivated. */
const HOPELESS_AFTER = '5 days'
const HOPELESS_DELIVERIES = 10
/** SQL of whether a subscription `w` is beyond hope. */
export const FAILING_TOO_LONG_SQL = `w.failing_since <= now() - interval '${HOPELESS_AFTER}' and w.failed >= ${HOPELESS_DELIVERIES}`
/** A delivery and its current destination: changes of its subscription apply from the next attempt on. */
export type Delivery = RowFrom<typeof takeDeliveries>

const FREE = '(w.leased_until is null or w.leased_until <= now())'
const WEBHOOK = { table: 'webhooks', key: ['id'], ends: 'leased_until' } as const
/**
 * A subscription with a due delivery and without a lease: of any account, and then any of its own. The loose index scan
 * touches one entry per subscription, however many deliveries wait. Its lock does not conflict with that of a fan-out
 * (key share).
 */
export const leasedWebhooks = leasedRows({
  ...WEBHOOK,
  with: `recursive waiting as (
    (select account_id, webhook_id from webhook_deliveries where status = 'pending' order by account_id, webhook_id limit 1)
    union all
    select d.account_id, d.webhook_id from waiting w cross join lateral (
      select account_id, webhook_id from webhook_deliveries
      where status = 'pending' and (account_id, webhook_id) > (w.account_id, w.webhook_id)
      order by account_id, webhook_id limit 1) d
  ),
  one_of_each as (
    select distinct on (w.account_id) w.account_id, w.id
    from waiting join webhooks w on w.account_id = waiting.account_id and w.id = waiting.webhook_id
    where w.active and w.deleted_at is null and ${FREE} and ${notMovedSql('w.account_id')} and exists (
      select from webhook_deliveries d where d.account_id = w.account_id and d.webhook_id = w.id
        and d.status = 'pending' and d.next_attempt_at <= now())
    order by w.account_id, random()
  )`,
  from: 'one_of_each join webhooks q using (account_id, id)',
  waiting: 'q.active and q.deleted_at is null',
  order: 'random()',
  lock: 'no key update',
  gives: { id: pg.uuid },
  columns: { id: 'q.id' },
})
/** Releases the lease; the next due time decides which subscription is next. */
export const releaseWebhook = releaseOf(WEBHOOK)

export const DELIVERY_ATTEMPTS = 5

/**
 * The next deliveries of a leased subscription, each with its attempt counted. A delivery whose last attempt never
 * returned has failed. Rows are selected by arrays of ids, so that no plan reads the whole queue. Not `leasedRows`,
 * because the lease belongs to the subscription, and one statement fails some deliveries and takes the others.
 */
export const takeDeliveries = statement(
  { account: pg.integer, webhook: pg.uuid, lease: pg.uuid, most: pg.integer, ms: pg.float },
  {
    id: pg.uuid,
    attempts: pg.integer,
    url: pg.text,
    signing_key: pg.bytes,
    former_key: pg.nullable(pg.bytes),
    event: pg.text,
    payload: pg.text,
  },
  `
  with next as (
    select d.id, d.attempts from webhook_deliveries d
    where d.account_id = $account and d.webhook_id = $webhook and d.status = 'pending' and d.next_attempt_at <= now()
      and exists (
        select from webhooks w where w.account_id = $account and w.id = $webhook
          and w.leased_by = $lease and w.leased_until > now() and w.active and w.deleted_at is null)
    order by d.next_attempt_at limit $most for update skip locked
  ),
  lost as (
    update webhook_deliveries set status = 'failed', finished_at = now()
    where account_id = $account and id = any(array(select id from next where attempts >= ${DELIVERY_ATTEMPTS}))
  )
  update webhook_deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + $ms * interval '1 millisecond'
  from webhooks w
  where d.account_id = $account and d.id = any(array(select id from next where attempts < ${DELIVERY_ATTEMPTS}))
    and w.account_id = $account and w.id = $webhook
  returning d.id, d.attempts, w.url, w.signing_key, case when w.former_until > now() then w.former_key end as former_key,
    (select e.event from webhook_events e where e.account_id = d.account_id and e.id = d.event_id) as event,
    (select p.payload from webhook_payloads p
      where p.account_id = d.account_id and p.event_id = d.event_id and p.role = d.role) as payload`,
)

/**
 * Records outcomes of attempts. Ignores attempts that were counted again meanwhile, or whose delivery was cancelled. A
 * success resets the failure count.
 */
export const recordAttempts = statement(
  { account: pg.integer, webhook: pg.uuid, results: pg.jsonText },
  { hopeless: pg.boolean },
  `
  with results as (
    select * from json_to_recordset($results::json) as r(id uuid, number integer, at timestamptz, status_code integer, error text,
      duration_ms integer, response_excerpt text, outcome text, retry_ms float8)
  ),
  settled as (
    update webhook_deliveries d set status = r.outcome, finished_at = case when r.outcome <> 'pending' then now() end,
      next_attempt_at = now() + r.retry_ms * interval '1 millisecond'
    from results r
    where d.account_id = $account and d.id = any(array(select id from results)) and d.id = r.id
      and d.attempts = r.number and d.finished_at is null
    returning d.id, r.number, r.at, r.status_code, r.error, r.duration_ms, r.response_excerpt, r.outcome
  ),
  noted as (
    insert into webhook_attempts (account_id, delivery_id, number, at, status_code, error, duration_ms, response_excerpt)
    select $account::integer, id, number, at, status_code, error, duration_ms, response_excerpt from settled
  ),
  told as (
    select bool_or(outcome = 'succeeded') as succeeded, count(*) filter (where outcome = 'failed') as failed from settled
    having count(*) > 0
  )
  update webhooks w set failing_since = case when not told.succeeded then coalesce(w.failing_since, now()) end,
    failed = case when told.succeeded then 0 else w.failed + told.failed end
  from told where w.account_id = $account and w.id = $webhook and (not told.succeeded or w.failing_since is not null)
  returning ${FAILING_TOO_LONG_SQL} as hopeless`,
)
