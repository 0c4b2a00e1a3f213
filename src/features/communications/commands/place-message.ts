import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import type { Reasons } from '../../../platform/http/reasons.ts'
import { lockThreads } from '../threads.store.ts'

/** The references of a message: whom it is about, and what it answers. */
export type MessageReferences = {
  readonly customer: string | null
  readonly trip: string | null
  readonly thread: string | null
  /** The id of a message of ours, or a Message-ID. */
  readonly inReplyTo: string | null
  /** More Message-IDs of the conversation, the nearest first. */
  readonly references: readonly string[]
}
/** The answered message; if only a thread is named, its newest one. */
export type Parent = RowFrom<typeof parentById>
export type MessageCustomer = RowFrom<typeof person>
/** The customer of a message, and the answered message, if known. */
export type MessagePlace = {
  readonly parent: Parent | null
  readonly customer: MessageCustomer | null
  readonly trip: { readonly id: string; readonly company: string } | null
}

const PARENT = `t.thread_id as thread, t.channel, t.direction, t.subject, t.customer_id as customer, t.trip_id as trip,
  t.from_address as "from", t.reply_to, t.to_addresses as "to"`
const parentById = statement(
  { account: pg.integer, id: pg.uuid },
  {
    thread: pg.uuid,
    channel: pg.textOf<'email' | 'sms' | 'whatsapp' | 'phone' | 'meeting' | 'web_chat' | 'other'>(),
    direction: pg.text,
    subject: pg.nullable(pg.text),
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    from: pg.nullable(pg.text),
    reply_to: pg.nullable(pg.text),
    to: pg.list(pg.text),
  },
  `select ${PARENT} from communications t where t.account_id = $account and t.id = $id`,
)
const parentByMessageId = statement(
  { account: pg.integer, ids: pg.list(pg.text) },
  {
    thread: pg.uuid,
    channel: pg.textOf<'email' | 'sms' | 'whatsapp' | 'phone' | 'meeting' | 'web_chat' | 'other'>(),
    direction: pg.text,
    subject: pg.nullable(pg.text),
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    from: pg.nullable(pg.text),
    reply_to: pg.nullable(pg.text),
    to: pg.list(pg.text),
  },
  `
  select ${PARENT} from message_ids m join communications t on t.account_id = m.account_id and t.id = m.communication_id
  where m.account_id = $account and m.message_id = any($ids::text[]) and m.own
  order by array_position($ids::text[], m.message_id), t.created_at, t.id limit 1`,
)
/** Named by who began it: of a thread that was tied to an older one, the old name leads there. */
const newestOfThread = statement(
  { account: pg.integer, thread: pg.uuid },
  {
    thread: pg.uuid,
    channel: pg.textOf<'email' | 'sms' | 'whatsapp' | 'phone' | 'meeting' | 'web_chat' | 'other'>(),
    direction: pg.text,
    subject: pg.nullable(pg.text),
    customer: pg.nullable(pg.uuid),
    trip: pg.nullable(pg.uuid),
    from: pg.nullable(pg.text),
    reply_to: pg.nullable(pg.text),
    to: pg.list(pg.text),
  },
  `
  select ${PARENT} from communications t where t.account_id = $account
    and t.thread_id = (select first.thread_id from communications first where first.account_id = $account and first.id = $thread)
  order by t.created_at desc, t.id desc limit 1`,
)
/** Held, so that it is not merged away before the message names it. */
const person = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid, company: pg.uuid, email: pg.nullable(pg.text), phone: pg.nullable(pg.text) },
  `
  select id, company_id as company, email, phone from customers
  where account_id = $account and id = $id and deleted_at is null for key share`,
)
const trip = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid, company: pg.uuid },
  'select id, company_id as company from trips where account_id = $account and id = $id',
)

const isMessageId = (name: string): boolean => name.startsWith('<')

/**
 * Resolves the references of a message, and locks the account's threads if it belongs to one. A reply is about the
 * customer of the answered message unless stated otherwise. Unknown ids are errors; an unknown Message-ID may refer to
 * a message elsewhere, or to a later one.
 */
export async function placeMessage(tx: AccountTx, named: MessageReferences, reasons: Reasons): Promise<MessagePlace> {
  const ids = [...(named.inReplyTo ? [named.inReplyTo] : []), ...named.references]
  if (named.thread || ids.length > 0) lockThreads(tx)
  const parent = await findParent(tx, named, ids.filter(isMessageId), reasons)
  const [customer, ofTrip] = await Promise.all([
    find(named.customer ?? parent?.customer, (id) => tx.one(person, { id })),
    find(named.trip ?? parent?.trip, (id) => tx.one(trip, { id })),
  ])
  if (named.customer && !customer) reasons.add(['customer_id', 'No customer with this id exists in this account.'])
  if (named.trip && !ofTrip) reasons.add(['trip_id', 'No trip with this id exists in this account.'])
  return { parent, customer, trip: ofTrip }
}

const find = async <T>(id: string | null | undefined, look: (id: string) => Promise<T | undefined>) =>
  id ? ((await look(id)) ?? null) : null

async function findParent(
  tx: AccountTx,
  { thread, inReplyTo }: MessageReferences,
  ids: readonly string[],
  reasons: Reasons,
): Promise<Parent | null> {
  const isOurs = inReplyTo !== null && !isMessageId(inReplyTo)
  const [answered, newest] = await Promise.all([
    isOurs ? tx.one(parentById, { id: inReplyTo }) : ids.length > 0 ? tx.one(parentByMessageId, { ids }) : undefined,
    thread ? tx.one(newestOfThread, { thread }) : undefined,
  ])
  if (isOurs && !answered) reasons.add(['in_reply_to', 'No message with this id exists in this account.'])
  if (thread && !newest) reasons.add(['thread_id', 'No thread with this id exists in this account.'])
  if (newest && answered && answered.thread !== newest.thread)
    reasons.add([
      'thread_id',
      'The message in in_reply_to belongs to another thread. Send thread_id or in_reply_to, not both.',
    ])
  return answered ?? newest ?? null
}
