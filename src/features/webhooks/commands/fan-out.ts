import { fromSql, identityTable, ofEntity } from '../../../catalogue/columns.ts'
import type { Entity } from '../../../catalogue/entity.ts'
import { recordSql, tombstoneSql } from '../../../imports/records/record-sql.ts'
import { BUILT_IN_ROLES, type Policies, policiesOf } from '../../../platform/access/policies.ts'
import { byPolicies } from '../../../platform/db/by-policies.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type Statement, statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { FIRING_ENTITIES } from '../event-kinds.ts'
import {
  BATCH_SQL,
  deleteBatch,
  lockOutbox,
  lockSubscriptions,
  type OutboxBatch,
  type Subscription,
} from '../outbox.store.ts'
import { payloadSql } from '../payload-sql.ts'

type OfBatch = OutboxBatch & { account: number }
type Digest = { id: string; digest: string }

export type FanOut = {
  /** The entities whose records are heard of. */
  readonly firing: readonly Entity[]
  /** How records of an entity look to the owner, as far as a change of it is worth an event. */
  digests(entity: string): Statement<{ account: number; ids: string[] }, Digest>
  /** Creates the deliveries of the account's oldest waiting events; false if there are none. */
  step(tx: SystemTx, account: number): Promise<boolean>
}

/** An event and its record, of a batch `b`. */
const EVENTS = `webhook_outbox b cross join unnest(b.event_ids, b.record_ids) as e(id, record_id)`

/** Without what every write changes. */
const digestSql = (entity: Entity) =>
  `md5((${recordSql(entity, BUILT_IN_ROLES.owner as Policies)}::jsonb - 'version' - 'updated_at')::text)`

/** Leaves out the records that look as they did. */
const dropUnchangedSql = (entity: Entity) => `
  with changed as (
    select array_agg(e.id) as event_ids, array_agg(e.record_id) as record_ids
    from webhook_outbox b cross join unnest(b.event_ids, b.record_ids, b.former_digests) as e(id, record_id, digest)
    join ${fromSql(entity)} on t.account_id = $account and t.id = e.record_id
    where ${BATCH_SQL} and e.digest is distinct from ${digestSql(entity)}
  )
  update webhook_outbox b set event_ids = coalesce(c.event_ids, '{}'), record_ids = coalesce(c.record_ids, '{}')
  from changed c where ${BATCH_SQL}`

const insertEventsSql = (entity: Entity) => `
  insert into webhook_events (account_id, id, event, entity, record_id, external_id, occurred_at)
  select $account::integer, e.id, b.event, b.entity, t.id, t.external_id, b.occurred_at
  from ${EVENTS} join ${identityTable(entity)} t on t.account_id = $account and t.id = e.record_id where ${BATCH_SQL}`

/** A body is made once for each event and role, and stored, so that every attempt sends the same bytes. */
const deliverSql = (entity: Entity, policies: Policies) => `
  with written as (
    insert into webhook_payloads (account_id, event_id, role, payload)
    select $account::integer, e.id, $role, ${payloadSql({
      id: 'e.id',
      event: 'b.event',
      at: 'b.occurred_at',
      data: `case when b.event = 'record.deleted'
        then ${tombstoneSql(entity)}::text else ${recordSql(entity, policies)}::text end`,
    })}
    from ${EVENTS} join ${fromSql(entity)} on t.account_id = $account and t.id = e.record_id where ${BATCH_SQL}
    returning event_id
  )
  insert into webhook_deliveries (account_id, webhook_id, event_id, role, next_attempt_at)
  select $account, s.id, written.event_id, $role, clock_timestamp()
  from written cross join unnest($subscriptions::uuid[]) as s(id)`

/**
 * Creates the deliveries of committed events: the body for each role, and a delivery for each active subscription. All
 * in one transaction, so that a crash leaves everything unchanged.
 */
export function fanOutOf(entities: readonly Entity[]): FanOut {
  const firing = entities.filter(({ key }) => (FIRING_ENTITIES as readonly string[]).includes(key))
  const statements = new Map(
    firing.map((entity) => [
      entity.key,
      {
        digests: statement(
          { account: pg.integer, ids: pg.list(pg.uuid) },
          { id: pg.uuid, digest: pg.text },
          `
          select t.id, ${digestSql(entity)} as digest from ${fromSql(entity)}
          where t.account_id = $account and ${ofEntity(entity)} and t.id = any($ids::uuid[])`,
        ),
        dropUnchanged: statement(
          {
            changed: pg.bigint,
            entity: pg.text,
            event: pg.textOf<'record.created' | 'record.updated' | 'record.deleted'>(),
            part: pg.integer,
            account: pg.integer,
          },
          {},
          dropUnchangedSql(entity),
        ),
        insertEvents: statement(
          {
            changed: pg.bigint,
            entity: pg.text,
            event: pg.textOf<'record.created' | 'record.updated' | 'record.deleted'>(),
            part: pg.integer,
            account: pg.integer,
          },
          {},
          insertEventsSql(entity),
        ),
        deliver: byPolicies(
          {
            changed: pg.bigint,
            entity: pg.text,
            event: pg.text,
            part: pg.integer,
            account: pg.integer,
            role: pg.text,
            subscriptions: pg.list(pg.uuid),
          },
          {},
          (policies) => deliverSql(entity, policies),
        ),
      },
    ]),
  )
  const of = (entity: string) => statements.get(entity) as NonNullable<ReturnType<typeof statements.get>>

  async function fanOut(tx: SystemTx, batch: OfBatch, subscriptions: readonly Subscription[]): Promise<void> {
    const { entity, event } = batch
    const listening = subscriptions.filter(
      ({ entities, events }) => events.includes(event) && (entities.length === 0 || entities.includes(entity)),
    )
    if (listening.length === 0) return
    const { dropUnchanged, insertEvents, deliver } = of(entity)
    if (event === 'record.updated') await tx.all(dropUnchanged, batch)
    await tx.all(insertEvents, batch)
    for (const [role, alike] of Map.groupBy(listening, ({ role }) => role)) {
      const subscriptions = alike.map(({ id }) => id)
      await tx.all(deliver(policiesOf(role, alike[0]?.policies ?? null)), { ...batch, role, subscriptions })
    }
  }

  return {
    firing,
    digests: (entity) => of(entity).digests,
    async step(tx, account) {
      const batches = await tx.all(lockOutbox, { account })
      if (batches.length === 0) return false
      const subscriptions = await tx.all(lockSubscriptions, { account })
      for (const batch of batches) {
        await fanOut(tx, { account, ...batch }, subscriptions)
        await tx.all(deleteBatch, { account, ...batch })
      }
      return true
    },
  }
}
