import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Deliverable, Purpose } from '../message-kinds.ts'

/** What wakes the workers that send. */
export const MESSAGE_QUEUE = 'messages'

/** A message that is to be sent. Addresses and subject have no line breaks, and `html` is sanitised. */
export type QueuedMessage = {
  /** Made by whoever writes it. */
  readonly id: string
  readonly channel: Deliverable
  readonly purpose: Purpose
  readonly company: string
  readonly customer: string | null
  readonly trip: string | null
  readonly subject: string | null
  readonly plain: string | null
  readonly html: string | null
  /** Of whom it should come; null for the cell's own address. */
  readonly from: string | null
  readonly replyTo: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  /** That of the message that it answers; null where it begins one. */
  readonly thread: string | null
  readonly inReplyTo: string | null
  readonly externalId: string | null
  readonly author: string | null
}
/** A mail to a seat, about its work. It is in no inbox. */
export type SeatMail = {
  readonly to: string
  readonly subject: string
  readonly plain: string
  readonly html: string | null
  /** A file of the account that goes with it, and is there until it is sent. */
  readonly file?: { readonly id: string; readonly name: string; readonly type: string }
}

const keep = statement(
  { account: pg.integer, given: pg.jsonText },
  {},
  `
  insert into communications (account_id, id, direction, status, channel, purpose, company_id, customer_id, trip_id, subject,
    body_plain, body_html, from_address, reply_to, to_addresses, cc_addresses, thread_id, in_reply_to, external_id, author_id)
  select $account::integer, id, 'outbound', 'queued', channel, purpose, company, customer, trip, subject, plain, html, "from",
    "replyTo", "to", cc, coalesce(thread, id), "inReplyTo", "externalId", author
  from json_to_recordset($given::json) as m(id uuid, channel text, purpose text, company uuid, customer uuid, trip uuid,
    subject text, plain text, html text, "from" text, "replyTo" text, "to" text[], cc text[], thread uuid, "inReplyTo" text,
    "externalId" text, author uuid)`,
)
const send = statement(
  { account: pg.integer, given: pg.jsonText },
  {},
  `
  insert into message_sends (account_id, communication_id, transport)
  select $account::integer, id, case channel when 'email' then 'mail' else 'messaging' end
  from json_to_recordset($given::json) as m(id uuid, channel text)`,
)
const sendToSeats = statement(
  { account: pg.integer, given: pg.jsonText },
  {},
  `
  insert into message_sends (account_id, seat_mail, transport) select $account::integer, mail, 'mail' from jsonb_array_elements($given::jsonb) mail`,
)

/** Keeps messages and has them sent after the commit. */
export function queueMessages(tx: AccountTx, messages: readonly QueuedMessage[]): void {
  if (messages.length === 0) return
  tx.later(keep, { given: JSON.stringify(messages) })
  tx.later(send, { given: JSON.stringify(messages.map(({ id, channel }) => ({ id, channel }))) })
  tx.wake(MESSAGE_QUEUE)
}

/** Has mails to seats sent after the commit. */
export function mailSeats(tx: AccountTx, mails: readonly SeatMail[]): void {
  if (mails.length === 0) return
  tx.later(sendToSeats, { given: JSON.stringify(mails) })
  tx.wake(MESSAGE_QUEUE)
}
