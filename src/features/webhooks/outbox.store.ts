import { identityTable, ofEntity } from '../../catalogue/columns.ts'
import type { Entity } from '../../catalogue/entity.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { leasedRows } from '../../platform/jobs/leased-rows.ts'
/** Events of one type for the records of an entity in a change. */
export type OutboxBatch = RowFrom<typeof lockOutbox>
/** Events of a batch, and batches of one transaction, which takes a second or two for any number of subscriptions. */
const EVENTS = 500
const BATCHES = 4

const LISTENS = 'w.account_id = $account and w.active and w.deleted_at is null'
/** SQL that selects one batch, `b`. */
export const BATCH_SQL =
  'b.account_id = $account and b.changed = $changed::bigint and b.entity = $entity and b.event = $event and b.part = $part'
/** The number of this transaction; null if it changed nothing, or was rolled back. */
const NUMBER = `nullif(split_part(current_setting('app.change', true), ':', 2), '')::bigint`

/** Whether events must be stored, or an earlier change still waits. */
export const readListening = statement(
  { account: pg.integer },
  { listening: pg.boolean },
  `
  select exists (select from webhooks w where ${LISTENS})
    or exists (select from webhook_outbox b where b.account_id = $account) as listening`,
)

const changesOf = (entity: Entity) => `
  select t.id, '${entity.key}' as entity, case
    when t.deleted_at is not null then 'record.deleted'
    when t.created_at = now() then 'record.created' else 'record.updated' end as event
  from ${identityTable(entity)} t where t.account_id = $account and ${ofEntity(entity)} and t.changed = ${NUMBER}`

export type KeptEvents = {
  readonly kept: boolean
  /** Whether events of an earlier change wait. */
  readonly earlier: boolean
  readonly updated: readonly { readonly entity: string; readonly ids: string[] }[]
}
/** Keeps the events of this transaction that some subscription listens to. */
export const keepEvents = (entities: readonly Entity[]) =>
  statement(
    { account: pg.integer },
    { kept: pg.boolean, earlier: pg.boolean, updated: pg.json<KeptEvents['updated']>() },
    `
  with changes as (
    select entity, event, array_agg(id) as ids from (${entities.map(changesOf).join(' union all ')}) c
    group by entity, event
  ),
  heard as (
    select * from changes c where exists (
      select from webhooks w where ${LISTENS} and c.event = any(w.events) and (w.entities = '{}' or c.entity = any(w.entities)))
  ),
  kept as (
    insert into webhook_outbox (account_id, changed, entity, event, part, event_ids, record_ids)
    select $account::integer, ${NUMBER}, entity, event, part, array(select uuidv7() from unnest(slice)), slice
    from heard cross join generate_series(0, (cardinality(ids) - 1) / ${EVENTS}) as part
    cross join lateral (select ids[part * ${EVENTS} + 1 : (part + 1) * ${EVENTS}] as slice) s
  )
  select exists (select from heard) as kept,
    exists (select from webhook_outbox b where b.account_id = $account) as earlier,
    coalesce((select json_agg(json_build_object('entity', entity, 'ids', ids)) from heard where event = 'record.updated'), '[]') as updated`,
  )

/** Notes how records looked before this transaction. */
export const noteFormerDigests = statement(
  { account: pg.integer, entity: pg.text, ids: pg.list(pg.uuid), digests: pg.list(pg.text) },
  {},
  `
  update webhook_outbox b set former_digests = array(
    select former.digest from unnest(b.record_ids) with ordinality as r(id, nth)
    left join unnest($ids::uuid[], $digests::text[]) as former(id, digest) on former.id = r.id order by r.nth)
  where b.account_id = $account and b.changed = ${NUMBER} and b.entity = $entity and b.event = 'record.updated'`,
)

/** Claims the account whose events have waited longest. */
export const leasedOutbox = leasedRows({
  table: 'webhook_outbox',
  key: [],
  waiting: 'true',
  unnamed: true, // a second worker waits for the lock of the first, and continues with the rest
  gives: {},
  columns: {},
})

/**
 * All waiting events, claimed or not, by the age of their change: a batch that keeps failing is claimed most of the
 * time.
 */
export const DUE = `select occurred_at as due_at from webhook_outbox where ${notMovedSql('account_id')}`

/** Locks the first waiting changes, in order. A second transaction waits, and then finds the rest. */
export const lockOutbox = statement(
  { account: pg.integer },
  {
    changed: pg.bigint,
    entity: pg.text,
    event: pg.textOf<'record.created' | 'record.updated' | 'record.deleted'>(),
    part: pg.integer,
  },
  `
  select changed, entity, event, part from webhook_outbox b where account_id = $account
  order by changed, event, entity, part limit ${BATCHES} for update`,
)

/** For the rest of the transaction. */
export const limitLockWait = statement(
  { ms: pg.integer },
  { set_config: pg.text },
  `select set_config('lock_timeout', $ms::integer::text, true)`,
)

export type Subscription = RowFrom<typeof lockSubscriptions>
/** The active subscriptions. A concurrent delete waits, and then cancels their deliveries. */
export const lockSubscriptions = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    events: pg.list(pg.textOf<'record.created' | 'record.updated' | 'record.deleted'>()),
    entities: pg.list(pg.text),
    role: pg.text,
    policies: pg.nullable(pg.list(pg.text)),
  },
  `
  select w.id, w.events, w.entities, w.role, r.policies
  from webhooks w left join roles r on r.account_id = w.account_id and r.name = w.role
  where ${LISTENS} order by w.id for key share of w`,
)

export const deleteBatch = statement(
  {
    account: pg.integer,
    changed: pg.bigint,
    entity: pg.text,
    event: pg.textOf<'record.created' | 'record.updated' | 'record.deleted'>(),
    part: pg.integer,
  },
  {},
  `delete from webhook_outbox b where ${BATCH_SQL}`,
)
