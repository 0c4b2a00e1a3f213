import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../../../platform/access/actor.ts'
import { homeCompany } from '../../../platform/access/places.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { Files } from '../../../platform/files/files.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import { companyFor, companyOf } from '../../../records/attributes.ts'
import { claimUploads } from '../../uploads/commands/claim-uploads.ts'
import { ATTACHMENTS_MAXIMUM } from '../../uploads/reads/attachments.ts'
import { withAnswerDefaults } from '../answer-defaults.ts'
import { messageIdIn } from '../message-attributes.ts'
import { type Deliverable, isDeliverable, type Purpose } from '../message-kinds.ts'
import { type MessageInput, readAddresses, readMessage } from '../read-message.ts'
import { unsendable, unsendableByAny, unsuitedPurpose } from '../sendable.ts'
import { keepMessageIds, openIds, threadOf } from '../threads.store.ts'
import { keepInbound } from './keep-inbound.ts'
import { attachToMessage, keepMessage } from './keep-message.ts'
import { type MessagePlace, placeMessage } from './place-message.ts'
import { queueMessages } from './queue-messages.ts'
import { takeDailyQuota } from './take-daily-quota.ts'

type Given = Record<string, unknown>

/** Files, records or sends a message. Returns its id, and whether it existed before. */
export async function writeMessage(
  tx: AccountTx,
  actor: Actor,
  files: Files,
  given: Given,
): Promise<{ id: string; isNew: boolean }> {
  const reasons = new Reasons()
  const message = readMessage(actor, given, reasons)
  if (message.attachment_ids.length > ATTACHMENTS_MAXIMUM)
    reasons.add(['attachment_ids', `A message has at most ${ATTACHMENTS_MAXIMUM} attachments.`])
  const { attachment_ids } = reasons.has('attachment_ids') ? NO_FILES : message
  const attachments = await claimUploads(tx, files, 'attachment_ids', attachment_ids, reasons)
  const writing = { tx, actor, message, company: given.company_id, attachments, reasons }
  return message.direction === 'inbound' ? fileReceived(writing) : { id: await sendOrRecord(writing), isNew: true }
}
const NO_FILES = { attachment_ids: [] as string[] }

/** A parsed message, and its errors so far. */
type Writing = {
  readonly tx: AccountTx
  readonly actor: Actor
  readonly message: MessageInput
  /** As sent. */
  readonly company: unknown
  /** Ids of files that were claimed for it. */
  readonly attachments: readonly string[]
  readonly reasons: Reasons
}

/** Files a message that the client's system received. */
async function fileReceived({ tx, actor, message, company: named, attachments, reasons }: Writing) {
  const company = companyFor(actor, named, homeCompany(actor), reasons)
  const { from_address, reply_to, to_addresses, cc_addresses } = readAddresses(
    message,
    company,
    actor.timeZone,
    reasons,
  )
  refusePurpose(message, null, reasons)
  const { channel, external_id: externalId } = message
  const inbound = {
    channel,
    company: named ? company.id : null,
    customer: message.customer_id,
    trip: message.trip_id,
    subject: message.subject,
    plain: message.body_plain,
    html: message.body_html,
    from: from_address,
    replyTo: reply_to,
    to: to_addresses,
    cc: cc_addresses,
    thread: message.thread_id,
    inReplyTo: message.in_reply_to,
    references: [],
    messageId: channel === 'email' && externalId ? (messageIdIn(externalId) ?? externalId) : null,
    externalId,
    sentAt: null,
    metadata: null,
    author: actor.seat,
    files: attachments,
  }
  return keepInbound(tx, inbound, actor.policies, reasons)
}

/** Records a message, or queues it where the program sends it. Answers its id. */
async function sendOrRecord({ tx, actor, message: written, company: named, attachments, reasons }: Writing) {
  const messageIds = written.in_reply_to?.startsWith('<') ? [written.in_reply_to] : []
  const answered = await openIds(tx, actor.policies, messageIds)
  const names = {
    customer: written.customer_id,
    trip: written.trip_id,
    thread: written.thread_id,
    inReplyTo: messageIds.length > answered.length ? null : written.in_reply_to,
    references: [],
  }
  const place = await placeMessage(tx, names, reasons)
  if (!place.customer && !place.trip && !reasons.has('direction', ...NAMES))
    reasons.add(['customer_id', 'The message is not linked to a customer or trip. Send customer_id or trip_id.'])
  const ofPlace = companyOf(actor, place.trip?.company ?? place.customer?.company)
  const company = companyFor(actor, named, ofPlace, reasons)
  const addressed = { ...written, ...readAddresses(written, company, actor.timeZone, reasons) }
  const isAnswer = written.direction === 'outbound' && !reasons.has('channel')
  const message = isAnswer ? withAnswerDefaults(addressed, place) : addressed
  refusePurpose(message, place, reasons)
  if (message.direction === 'outbound') {
    const against = reasons.has('channel') ? unsendableByAny(message, place) : unsendable(message)
    reasons.add(...against.filter(([at]) => !reasons.has(...(DEPENDS_ON[at] ?? []))))
  }
  reasons.refuse()
  const thread = await threadOf(tx, place.parent?.thread ?? null, answered)
  const id = randomUUIDv7()
  const whole = { id, company: company.id, thread, author: actor.seat, ...valuesOfMessage(message, place) }
  const { channel, direction, purpose } = message
  if (direction === 'outbound' && isDeliverable(channel)) await send(tx, { ...whole, channel, purpose })
  else keepMessage(tx, { ...whole, channel, purpose, direction, status: 'recorded', metadata: null, sentAt: null })
  keepMessageIds(tx, id, null, answered)
  attachToMessage(tx, id, attachments)
  return id
}

function refusePurpose(message: MessageInput, place: MessagePlace | null, reasons: Reasons): void {
  if (!reasons.has('purpose', 'direction', 'channel', ...NAMES))
    reasons.add(...unsuitedPurpose(message, place?.customer != null))
}

const NAMES = ['customer_id', 'trip_id', 'thread_id', 'in_reply_to']
/** The attributes that the checks of others depend on: a reply may omit the address. */
const DEPENDS_ON: Readonly<Record<string, readonly string[]>> = {
  to_addresses: ['to_addresses', ...NAMES],
  cc_addresses: ['cc_addresses', 'to_addresses'],
  body_plain: ['body_plain', 'body_html'],
}

const valuesOfMessage = (message: MessageInput, { customer, trip }: MessagePlace) => ({
  customer: customer?.id ?? null,
  trip: trip?.id ?? null,
  subject: message.subject,
  plain: message.body_plain,
  html: message.body_html,
  from: message.from_address,
  replyTo: message.reply_to,
  to: message.to_addresses,
  cc: message.cc_addresses,
  inReplyTo: message.in_reply_to,
  externalId: message.external_id,
})

/** The daily quota is taken last, because its lock lasts until the commit. */
async function send(
  tx: AccountTx,
  message: ReturnType<typeof valuesOfMessage> & {
    readonly id: string
    readonly company: string
    readonly thread: string | null
    readonly author: string | null
    readonly channel: Deliverable
    readonly purpose: Purpose
  },
): Promise<void> {
  if ((await takeDailyQuota(tx, 1)) === 0)
    throw new ApiError(
      'daily_limit_reached',
      'The account has reached its daily limit of messages. Send the message tomorrow, or ask for a higher limit.',
    )
  queueMessages(tx, [message])
}
