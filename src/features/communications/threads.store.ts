import type { Policies } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { restrictedMessageSql } from './reads/message-masks.ts'

const lockStatement = statement(
  { account: pg.integer },
  { pg_advisory_xact_lock: pg.nothing },
  `select pg_advisory_xact_lock(hashtext('message threads'), $account::integer)`,
)
const threadsOf = statement(
  { account: pg.integer, ids: pg.list(pg.text) },
  { thread: pg.uuid },
  `
  select distinct t.thread_id as thread
  from message_ids m join communications t on t.account_id = m.account_id and t.id = m.communication_id
  where m.account_id = $account and m.message_id = any($ids::text[])`,
)
const join = statement(
  { account: pg.integer, oldest: pg.uuid, others: pg.list(pg.uuid) },
  {},
  `
  update communications set thread_id = $oldest where account_id = $account::integer and thread_id = any($others::uuid[])`,
)
const keep = statement(
  { account: pg.integer, id: pg.uuid, own: pg.nullable(pg.text), answered: pg.list(pg.text) },
  {},
  `
  insert into message_ids (account_id, message_id, communication_id, own)
  select $account::integer, message_id, $id::uuid, message_id = coalesce($own, '') from unnest($answered::text[]) message_id`,
)

/** Message-IDs of messages about customers whom the role may not know. */
const hiddenIds = byPolicies(
  { account: pg.integer, ids: pg.list(pg.text) },
  { id: pg.text },
  (policies) => `
    select distinct m.message_id as id
    from message_ids m join communications t on t.account_id = m.account_id and t.id = m.communication_id
    where m.account_id = $account and m.message_id = any($ids::text[]) and ${
      policies.has('view_personal_data')
        ? restrictedMessageSql('t')
        : '(t.customer_id is not null or t.trip_id is not null)'
    }`,
)

/**
 * The Message-IDs among these that a write of this role may follow to their threads. A thread reveals whom its message
 * is about, so a message about a hidden customer is treated like an unknown one.
 */
export async function openIds(tx: AccountTx, policies: Policies, ids: readonly string[]): Promise<string[]> {
  const knowsAll = policies.has('view_personal_data') && policies.has('view_restricted_customers')
  if (knowsAll || ids.length === 0) return [...ids]
  const hidden = new Set((await tx.all(hiddenIds(policies), { ids })).map(({ id }) => id))
  return ids.filter((id) => !hidden.has(id))
}

/** Locks the threads of the account, so that the thread found does not change before the commit. */
export const lockThreads = (tx: AccountTx): void => tx.later(lockStatement, {})

/**
 * The thread of a message that is in `known` and names the Message-IDs: all threads that it connects are merged into
 * the oldest. Messages that share a Message-ID are thus in one thread, in any order of arrival. Null for a new thread.
 */
export async function threadOf(tx: AccountTx, known: string | null, ids: readonly string[]): Promise<string | null> {
  const found = ids.length > 0 ? await tx.all(threadsOf, { ids }) : []
  const threads = new Set([...(known ? [known] : []), ...found.map(({ thread }) => thread)])
  const [oldest = null, ...others] = [...threads].toSorted() // threads are named by their first message, and ids are ordered by time
  if (oldest && others.length > 0) tx.later(join, { oldest, others })
  return oldest
}

/** Stores the Message-IDs of a message: its own, and those that it answers. */
export function keepMessageIds(tx: AccountTx, id: string, own: string | null, answered: readonly string[]): void {
  const ids = new Set([...(own ? [own] : []), ...answered])
  if (ids.size > 0) tx.later(keep, { id, own, answered: [...ids] })
}
