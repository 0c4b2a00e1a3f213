import { randomUUIDv7 } from 'node:crypto'
import type { Policies } from '../../../platform/access/policies.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { restrictedSql } from '../../customers/reads/restricted.ts'
import { releaseFiles } from '../../uploads/commands/release-files.ts'
import { bareAddress } from '../addresses.ts'
import { cleanHtml, plainOf } from '../clean-html.ts'
import type { Channel } from '../message-kinds.ts'
import { BODY_KEPT, HTML_KEPT, LISTED_KEPT, NAME_KEPT, SUBJECT_KEPT, TAGS_KEPT } from '../message-limits.ts'
import { keepMessageIds, lockThreads, openIds, threadOf } from '../threads.store.ts'
import { attachToMessage, keepMessage } from './keep-message.ts'
import { notifyOfMessage } from './notify-of-message.ts'
import { type MessageCustomer, placeMessage } from './place-message.ts'

/** An inbound message. */
export type Inbound = {
  readonly channel: Channel
  /** The company; null for that of the trip or customer, or else the account's default. */
  readonly company: string | null
  readonly customer: string | null
  readonly trip: string | null
  readonly subject: string | null
  readonly plain: string | null
  /** As received: not sanitised. */
  readonly html: string | null
  readonly from: string | null
  readonly replyTo: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  readonly thread: string | null
  /** The id of a message of ours, or a Message-ID. */
  readonly inReplyTo: string | null
  /** Message-IDs, the oldest first, as mail lists them. */
  readonly references: readonly string[]
  /** An empty value counts as none. */
  readonly messageId: string | null
  readonly externalId: string | null
  readonly sentAt: string | null
  /** `auto_submitted: true` means that a machine wrote it; no notification is sent. */
  readonly metadata: object | null
  readonly author: string | null
  /** Ids of files that were claimed for it. */
  readonly files: readonly string[]
}

const MESSAGE_ID = /^<[^<>\r\n]+>$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isMessageId = (name: string): boolean => name.length <= NAME_KEPT && MESSAGE_ID.test(name) && name.isWellFormed()
/** Mails may have any In-Reply-To. */
const namesMessage = (name: string): boolean => UUID.test(name) || isMessageId(name)
/** A role that is not allowed to know the customer finds the message only by the name under which it is shown. */
const known = statement(
  { account: pg.integer, own: pg.text, shown: pg.boolean },
  { id: pg.uuid },
  `
  select m.communication_id as id
  from message_ids m join communications t on t.account_id = m.account_id and t.id = m.communication_id
  where m.account_id = $account and m.message_id = $own and m.own and (not $shown::boolean or t.external_id is not null) limit 1`,
)
/** Locked, so that it is not merged before the message refers to it. Two matches count as none. */
const sendersBy = (condition: string, knowable = 'true') =>
  statement(
    { account: pg.integer, address: pg.text },
    { id: pg.uuid, company: pg.uuid, email: pg.nullable(pg.text), phone: pg.nullable(pg.text) },
    `
    select c.id, c.company_id as company, c.email, c.phone from customers c
    where c.account_id = $account and ${condition} and c.deleted_at is null and ${knowable} limit 2 for key share of c`,
  )
const OPENLY = `not (${restrictedSql('c')})`
const BY_EMAIL = 'c.email_key = lower($address)'
const BY_PHONE = 'c.phone = $address'
const senders = { email: sendersBy(BY_EMAIL), phone: sendersBy(BY_PHONE) }
const knowableSenders = { email: sendersBy(BY_EMAIL, OPENLY), phone: sendersBy(BY_PHONE, OPENLY) }

/**
 * Files an inbound message with the customer who has its address, in the thread and trip of the message that it
 * answers, and notifies its seats. A known Message-ID is not filed again. References to missing records are refused
 * together with the other reasons. `writer` are the policies of the caller: neither an address nor a Message-ID leads
 * to a customer whom these hide.
 */
export async function keepInbound(
  tx: AccountTx,
  message: Inbound,
  writer: Policies,
  reasons = new Reasons(),
): Promise<{ id: string; isNew: boolean }> {
  const messageId = message.messageId !== null && isMessageId(message.messageId) ? message.messageId : null
  const kept = withinLimits(message) // before any locks are taken
  const inReplyTo = message.inReplyTo !== null && namesMessage(message.inReplyTo) ? message.inReplyTo : null
  const references = message.references.filter(isMessageId).slice(-LISTED_KEPT).toReversed()
  const named = [...(inReplyTo !== null && isMessageId(inReplyTo) ? [inReplyTo] : []), ...references]
  if (messageId || named.length > 0) lockThreads(tx)
  const open = new Set(await openIds(tx, writer, messageId ? [messageId, ...named] : named))
  const own = messageId !== null && open.has(messageId) ? messageId : null
  const there = messageId ? await tx.one(known, { own: messageId, shown: own === null }) : undefined
  if (there) {
    reasons.refuse()
    releaseFiles(tx, message.files)
    return { id: there.id, isNew: false }
  }
  const ids = named.filter((id) => open.has(id))
  const answered = inReplyTo !== null && isMessageId(inReplyTo) && !open.has(inReplyTo) ? null : inReplyTo
  const names = { ...message, inReplyTo: answered, references: references.filter((id) => open.has(id)) }
  const place = await placeMessage(tx, names, reasons)
  reasons.refuse()
  const { parent, trip } = place
  const customer = place.customer ?? (await findSender(tx, message, writer))
  const thread = await threadOf(tx, parent?.thread ?? null, own ? [own, ...ids] : ids)
  const id = randomUUIDv7()
  keepMessage(tx, {
    ...kept,
    id,
    direction: 'inbound',
    status: 'received',
    company: message.company ?? trip?.company ?? customer?.company ?? null,
    customer: customer?.id ?? null,
    trip: trip?.id ?? null,
    thread,
  })
  keepMessageIds(tx, id, own, ids)
  attachToMessage(tx, id, message.files)
  if (!isAutomatic(message)) await notifyOfMessage(tx, { id, channel: message.channel, trip: trip?.id ?? null, thread })
  return { id, isNew: true }
}

const isAutomatic = ({ metadata }: Inbound): boolean =>
  (metadata as { auto_submitted?: unknown } | null)?.auto_submitted === true

/** The only customer with the sender's address, among those whose address the writer sees. */
async function findSender(
  tx: AccountTx,
  { channel, from }: Inbound,
  writer: Policies,
): Promise<MessageCustomer | null> {
  const address = from === null ? '' : bareAddress(channel, from)
  if (address === '' || !writer.has('view_personal_data')) return null
  const by = writer.has('view_restricted_customers') ? senders : knowableSenders
  const [sender, other] = await tx.all(channel === 'email' ? by.email : by.phone, { address })
  return (other ? null : sender) ?? null
}

/** Foreign text, made storable. */
const text = (given: string | null, maximum: number): string | null =>
  given?.replaceAll('\0', '').toWellFormed().slice(0, maximum).toWellFormed() || null
const listed = (given: readonly string[]): string[] =>
  given.slice(0, LISTED_KEPT).flatMap((name) => text(name, NAME_KEPT) ?? [])

/** Content beyond the limits is left out. A page of endless tags is not parsed at all. */
function withinLimits({ html: given, channel, metadata, author, sentAt, ...message }: Inbound) {
  const html = given !== null && given.length <= HTML_KEPT && given.split('<').length <= TAGS_KEPT ? given : null
  const clean = html === null ? null : text(cleanHtml(html), HTML_KEPT + 1)
  return {
    channel,
    metadata,
    author,
    sentAt,
    subject: text(message.subject, SUBJECT_KEPT),
    plain: text(message.plain ?? (html === null ? null : plainOf(html)), BODY_KEPT),
    html: clean !== null && clean.length > HTML_KEPT ? null : clean,
    from: text(message.from, NAME_KEPT),
    replyTo: text(message.replyTo, NAME_KEPT),
    to: listed(message.to),
    cc: listed(message.cc),
    inReplyTo: text(message.inReplyTo, NAME_KEPT),
    externalId: text(message.externalId, NAME_KEPT),
  }
}
