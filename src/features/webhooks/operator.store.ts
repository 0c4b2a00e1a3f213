import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** The webhooks of an account as its operator sees them: never a key. */
export const webhooksOf = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    url: pg.text,
    active: pg.boolean,
    events: pg.list(pg.text),
    entities: pg.list(pg.text),
    role: pg.text,
    failing_since: pg.nullable(pg.instant),
    failed: pg.integer,
    pending: pg.integer,
    created_at: pg.instant,
  },
  `
  select w.id, w.url, w.active, w.events, w.entities, w.role, w.failing_since, w.failed, (
      select count(*)::integer from webhook_deliveries d
      where d.account_id = w.account_id and d.webhook_id = w.id and d.status = 'pending'
    ) as pending, w.created_at
  from webhooks w where w.account_id = $account and w.deleted_at is null order by w.created_at desc, w.id desc`,
)
/** The deliveries of a subscription, each with the result of its last attempt, without the body. */
export const deliveriesOf = statement(
  { account: pg.integer, webhook: pg.uuid, status: pg.nullable(pg.text), limit: pg.integer },
  {
    id: pg.uuid,
    event: pg.text,
    entity: pg.nullable(pg.text),
    external_id: pg.nullable(pg.text),
    status: pg.text,
    attempts: pg.integer,
    last_answer: pg.nullable(pg.text),
    next_attempt_at: pg.nullable(pg.instant),
    created_at: pg.instant,
  },
  `
  select d.id, e.event, e.entity, e.external_id, d.status, d.attempts, coalesce(a.error, a.status_code::text) as last_answer,
    case when d.status = 'pending' then d.next_attempt_at end as next_attempt_at, d.created_at
  from webhook_deliveries d
  join webhook_events e on e.account_id = d.account_id and e.id = d.event_id
  left join lateral (
    select a.error, a.status_code from webhook_attempts a
    where a.account_id = d.account_id and a.delivery_id = d.id order by a.number desc limit 1
  ) a on true
  where d.account_id = $account and d.webhook_id = $webhook and ($status::text is null or d.status = $status)
  order by d.created_at desc, d.id desc limit $limit`,
)
