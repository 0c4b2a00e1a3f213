import { byPolicies } from '../../platform/db/by-policies.ts'
import { listing } from '../../platform/db/listing.ts'
import { pageSql } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { viewSql } from '../../platform/db/view.ts'
import { deliveryDetail, deliveryItem } from './deliveries.view.ts'
import { payloadSql } from './payload-sql.ts'

const FROM = `webhook_deliveries d
  join webhook_events e on e.account_id = d.account_id and e.id = d.event_id
  join webhook_payloads p on p.account_id = d.account_id and p.event_id = d.event_id and p.role = d.role
  join webhooks t on t.account_id = d.account_id and t.id = d.webhook_id and t.deleted_at is null`
const OF = 'd.account_id = $account and d.webhook_id = $webhook'

/** The deliveries of a subscription, newest first. */
export const listDeliveries = listing(
  { webhook: pg.uuid, status: pg.text, event: pg.text },
  { status: 'd.status = $status', event: 'e.event = $event' },
  ({ policies, where, continues }) =>
    pageSql(
      {
        item: viewSql(deliveryItem, policies),
        from: FROM,
        where: [OF, ...where],
        keys: [
          { sql: 'd.created_at', pg: 'timestamptz' },
          { sql: 'd.id', pg: 'uuid' },
        ],
        descending: true,
      },
      continues,
    ),
)

export const readDelivery = byPolicies(
  { account: pg.integer, webhook: pg.uuid, id: pg.uuid },
  { item: pg.printedJson },
  (policies) => `select ${viewSql(deliveryDetail, policies)}::text as item from ${FROM} where ${OF} and d.id = $id`,
)

/** Locks an event against purging while a delivery of it is added. */
const ITS_EVENT = 'join webhook_events e on e.account_id = d.account_id and e.id = d.event_id'
const HOLDS_EVENT = 'for key share of e'

/** Whether the event of a delivery is on its way to the same subscription. */
export const findPending = statement(
  { account: pg.integer, webhook: pg.uuid, id: pg.uuid },
  { pending: pg.boolean },
  `
  select exists (
    select from webhook_deliveries o where o.account_id = d.account_id and o.event_id = d.event_id
      and o.webhook_id = d.webhook_id and o.status = 'pending'
  ) as pending
  from webhook_deliveries d where ${OF} and d.id = $id`,
)
export const copyDelivery = statement(
  { account: pg.integer, webhook: pg.uuid, id: pg.uuid, copy: pg.uuid },
  {},
  `
  insert into webhook_deliveries (account_id, id, webhook_id, event_id, role)
  select d.account_id, $copy::uuid, d.webhook_id, d.event_id, d.role
  from webhook_deliveries d ${ITS_EVENT} where ${OF} and d.id = $id ${HOLDS_EVENT}`,
)

/** Each event once whose delivery failed in the span, unless it is on its way again, or arrived since. */
export const copyFailed = statement(
  { account: pg.integer, webhook: pg.uuid, since: pg.instant, until: pg.nullable(pg.instant) },
  { redelivered: pg.integer },
  `
  with failed as (
    select distinct on (d.event_id) d.* from webhook_deliveries d
    where ${OF} and d.status = 'failed' and d.finished_at >= $since::timestamptz
      and d.finished_at < coalesce($until::timestamptz, 'infinity')
    order by d.event_id, d.finished_at desc
  ),
  copied as (
    insert into webhook_deliveries (account_id, webhook_id, event_id, role)
    select d.account_id, d.webhook_id, d.event_id, d.role from failed d ${ITS_EVENT}
    where not exists (
      select from webhook_deliveries o where o.account_id = d.account_id and o.event_id = d.event_id
        and o.webhook_id = d.webhook_id
        and (o.status = 'pending' or o.status = 'succeeded' and o.finished_at > d.finished_at))
    order by d.created_at, d.id ${HOLDS_EVENT}
    returning id
  )
  select count(*)::integer as redelivered from copied`,
)

/** A ping, and its delivery. */
export const insertPing = statement(
  { account: pg.integer, webhook: pg.uuid, id: pg.uuid, event: pg.uuid },
  {},
  `
  with ping as (
    insert into webhook_events (account_id, id, event) values ($account::integer, $event::uuid, 'ping')
    returning account_id, id, event
  ),
  kept as (
    insert into webhook_payloads (account_id, event_id, role, payload)
    select ping.account_id, ping.id, t.role, ${payloadSql({
      id: 'ping.id',
      event: 'ping.event',
      at: 'now()',
      data: `'{"webhook_id":"' || t.id || '"}'`,
    })}
    from ping join webhooks t on t.account_id = ping.account_id and t.id = $webhook::uuid
    returning event_id, role
  )
  insert into webhook_deliveries (account_id, id, webhook_id, event_id, role)
  select $account, $id::uuid, $webhook, event_id, role from kept`,
)

export const cancelPending = statement(
  { account: pg.integer, webhook: pg.uuid },
  {},
  `
  update webhook_deliveries d set status = 'cancelled', finished_at = now() where ${OF} and d.status = 'pending'`,
)
