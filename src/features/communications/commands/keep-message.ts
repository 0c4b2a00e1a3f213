import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Channel, Purpose } from '../message-kinds.ts'

/** A message that is not sent: it came, or it is a record. */
export type RecordedMessage = {
  readonly id: string
  readonly direction: 'inbound' | 'outbound' | 'internal'
  readonly status: 'received' | 'recorded'
  readonly channel: Channel
  /** Defaults to a conversation. */
  readonly purpose?: Purpose
  /** Null for the account's default company. */
  readonly company: string | null
  readonly customer: string | null
  readonly trip: string | null
  readonly subject: string | null
  readonly plain: string | null
  readonly html: string | null
  readonly from: string | null
  readonly replyTo: string | null
  readonly to: readonly string[]
  readonly cc: readonly string[]
  /** Null for a new thread. */
  readonly thread: string | null
  readonly inReplyTo: string | null
  readonly externalId: string | null
  readonly metadata: object | null
  readonly author: string | null
  readonly sentAt: string | null
}

const keep = statement(
  { account: pg.integer, given: pg.jsonText },
  {},
  `
  insert into communications (account_id, id, direction, status, channel, purpose, company_id, customer_id, trip_id, subject, body_plain,
    body_html, from_address, reply_to, to_addresses, cc_addresses, thread_id, in_reply_to, external_id, metadata, author_id, sent_at)
  select $account::integer, id, direction, status, channel, coalesce(purpose, 'conversation'),
    coalesce(company, (select c.id from companies c where c.account_id = $account and c.is_default)), customer, trip, subject,
    plain, html, "from", "replyTo", "to", cc, coalesce(thread, id), "inReplyTo", "externalId", metadata, author, "sentAt"
  from json_to_record($given::json) as m(id uuid, direction text, status text, channel text, purpose text, company uuid, customer uuid,
    trip uuid, subject text, plain text, html text, "from" text, "replyTo" text, "to" text[], cc text[], thread uuid,
    "inReplyTo" text, "externalId" text, metadata jsonb, author uuid, "sentAt" timestamptz)`,
)
const attach = statement(
  { account: pg.integer, id: pg.uuid, files: pg.list(pg.uuid) },
  {},
  `
  insert into communication_attachments (account_id, communication_id, file_id)
  select $account::integer, $id::uuid, file from unnest($files::uuid[]) file`,
)

/** Stores a message. */
export const keepMessage = (tx: AccountTx, message: RecordedMessage): void =>
  tx.later(keep, { given: JSON.stringify(message) })

/** Gives a message files that were claimed for it. */
export function attachToMessage(tx: AccountTx, id: string, files: readonly string[]): void {
  if (files.length > 0) tx.later(attach, { id, files })
}
