import { randomUUIDv7 } from 'node:crypto'
import { fromSql, identityTable, ofEntity } from '../../../catalogue/columns.ts'
import type { Entity } from '../../../catalogue/entity.ts'
import { recordSql, tombstoneSql } from '../../../imports/records/record-sql.ts'
import { BUILT_IN_ROLES, type Policies, policiesOf } from '../../../platform/access/policies.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { byPolicies } from '../../../platform/db/by-policies.ts'
import type { OutboxOf } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'
import { FIRING_ENTITIES, type RecordEvent } from '../event-kinds.ts'
import { payloadSql } from '../payload-sql.ts'
import { WEBHOOK_QUEUE } from '../webhook-queue.ts'

type Subscription = { id: string; events: RecordEvent[]; entities: string[]; role: string; policies: string[] | null }
type Change = { id: string; entity: string; external_id: string | null; event: RecordEvent }
type Digest = { id: string; digest: string }

const subscriptions = statement<{ account: number }, Subscription>(`
  select w.id, w.events, w.entities, w.role, r.policies
  from webhooks w left join roles r on r.account_id = w.account_id and r.name = w.role
  where w.account_id = $account and w.active and w.deleted_at is null`)
const insertEvents = statement<{ account: number; events: string }, never>(`
  insert into webhook_events (account_id, id, event, entity, record_id, external_id)
  select $account::integer, e."eventId", e.event, e.entity, e.id, e.external_id
  from json_to_recordset($events::json) as e("eventId" uuid, event text, entity text, id uuid, external_id text)`)

/** The number of this transaction; null where it has changed nothing, or taken it back. */
const NUMBER = `nullif(split_part(current_setting('app.change', true), ':', 2), '')::bigint`
const changesOf = (entity: Entity) => `
  select t.id, '${entity.key}' as entity, t.external_id, case
    when t.deleted_at is not null then 'record.deleted'
    when t.created_at = now() then 'record.created' else 'record.updated' end as event
  from ${identityTable(entity)} t where t.account_id = $account and ${ofEntity(entity)} and t.changed = ${NUMBER}`

/** What an entity's records look like to the owner, without what every write changes. */
const digestOf = (entity: Entity, owner: Policies) => `
  select t.id, md5((${recordSql(entity, owner)}::jsonb - 'version' - 'updated_at')::text) as digest
  from ${fromSql(entity)} where t.account_id = $account and ${ofEntity(entity)} and t.id = any($ids::uuid[])`

/** A body is made once for each event and role, and kept, so that every attempt sends the same bytes. */
const deliveriesOf = (entity: Entity, policies: Policies) => `
  with said as (
    insert into webhook_payloads (account_id, event_id, role, payload)
    select $account::integer, e."eventId", $role, ${payloadSql({
      id: 'e."eventId"',
      event: 'e.event',
      data: `case when e.event = 'record.deleted'
        then ${tombstoneSql(entity)}::text else ${recordSql(entity, policies)}::text end`,
    })}
    from json_to_recordset($events::json) as e("eventId" uuid, id uuid, event text)
    join ${fromSql(entity)} on t.account_id = $account and t.id = e.id
  )
  insert into webhook_deliveries (account_id, webhook_id, event_id, role)
  select $account, s.id, e."eventId", $role
  from json_to_recordset($events::json) as e("eventId" uuid, event text)
  join json_to_recordset($subscriptions::json) as s(id uuid, events text[]) on e.event = any(s.events)`

/**
 * Leaves the events of a transaction and their deliveries with the subscriptions of the account: what it created, what
 * it deleted, and of what it changed the records that look otherwise than before. How they looked is read beside the
 * transaction, whose change number keeps everybody else from changing them meanwhile.
 */
export function eventsOutbox(entities: readonly Entity[]): OutboxOf {
  const firing = entities.filter(({ key }) => (FIRING_ENTITIES as readonly string[]).includes(key))
  const changes = statement<{ account: number }, Change>(firing.map(changesOf).join(' union all '))
  const owner = BUILT_IN_ROLES.owner as Policies
  const made = new Map(
    firing.map((entity) => [
      entity.key,
      {
        digest: statement<{ account: number; ids: string[] }, Digest>(digestOf(entity, owner)),
        deliver: byPolicies<{ account: number; role: string; events: string; subscriptions: string }, never>(
          (policies) => deliveriesOf(entity, policies),
        ),
      },
    ]),
  )
  const of = (entity: string) => made.get(entity) as NonNullable<ReturnType<typeof made.get>>

  return (askSystem) => {
    /** Those of the changed records of an entity that look as they did. */
    async function unchanged(tx: AccountTx, entity: string, ids: string[]): Promise<Set<string>> {
      const { digest } = of(entity)
      const [before, after] = await Promise.all([
        askSystem('read records as they were before a change', digest, { account: tx.account, ids }),
        tx.all(digest, { ids }),
      ])
      const known = new Map(before.map(({ id, digest }) => [id, digest]))
      return new Set(after.filter(({ id, digest }) => known.get(id) === digest).map(({ id }) => id))
    }

    async function publish(tx: AccountTx, listening: readonly Subscription[]): Promise<void> {
      const hears = ({ entities, events }: Subscription, { entity, event }: Change) =>
        events.includes(event) && (entities.length === 0 || entities.includes(entity))
      const heard = (await tx.all(changes, {})).filter((change) => listening.some((each) => hears(each, change)))
      for (const [entity, happened] of Map.groupBy(heard, (change) => change.entity)) {
        const updated = happened.filter(({ event }) => event === 'record.updated').map(({ id }) => id)
        const same = updated.length > 0 ? await unchanged(tx, entity, updated) : new Set()
        const events = happened
          .filter(({ id }) => !same.has(id))
          .map((change) => ({ eventId: randomUUIDv7(), ...change }))
        if (events.length === 0) continue
        tx.later(insertEvents, { events: JSON.stringify(events) })
        const interested = listening.filter((each) => events.some((change) => hears(each, change)))
        for (const [role, alike] of Map.groupBy(interested, ({ role }) => role)) {
          const theirs = events.filter((change) => alike.some((each) => hears(each, change)))
          const input = { role, events: JSON.stringify(theirs), subscriptions: JSON.stringify(alike) }
          tx.later(of(entity).deliver(policiesOf(role, alike[0]?.policies ?? null)), input)
        }
        tx.wake(WEBHOOK_QUEUE)
      }
    }

    return (tx) => {
      // Asked at once, so that nobody waits for the answer at the end.
      const asked = tx.all(subscriptions, {})
      asked.catch(() => {}) // it fails with the transaction, which says why
      return async () => {
        const listening = await asked
        if (listening.length > 0) await publish(tx, listening)
      }
    }
  }
}
