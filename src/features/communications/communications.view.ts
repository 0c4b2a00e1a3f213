import Type, { type TSchema } from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, seatSql, type View, type ViewField } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Texts, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { personal, personalSql, restrictedSql } from '../customers/reads/restricted.ts'
import { Attachments, attachmentsSql } from '../uploads/reads/attachments.ts'
import { DIRECTIONS, FAILURE_REASONS, MESSAGE_CHANNELS, MESSAGE_STATUSES, PURPOSES } from './message-kinds.ts'
import { BODY_KEPT, HTML_KEPT, LISTED_KEPT, NAME_KEPT, SUBJECT_KEPT } from './message-limits.ts'
import { contentMaskedSql, contentSql, restrictedMessageSql } from './reads/message-masks.ts'

const PREVIEW = 160
const NOTHING = `'{}'::text[]`
const instant = (column: string): ViewField => ({ sql: instantSql(`t.${column}`), schema: maybe(Instant) })

/** The content of the message. */
const content = (sql: string, schema: TSchema, masked?: string): ViewField => ({
  sql: (policies) => contentSql('t', sql, policies, masked),
  schema,
})
/** A recipient's address. */
const address = (sql: string, schema: TSchema, masked?: string): ViewField =>
  personal(restrictedMessageSql('t'), sql, schema, masked)
const Address = maybe(Text(NAME_KEPT))
const Addresses = Texts(LISTED_KEPT, NAME_KEPT)

/** A message `t` in a list. */
export const messageItem: View = {
  id: { sql: 't.id', schema: Uuid },
  customer_id: { sql: 't.customer_id', schema: maybe(Uuid) },
  trip_id: { sql: 't.trip_id', schema: maybe(Uuid) },
  direction: { sql: 't.direction', schema: enumOf(DIRECTIONS) },
  channel: { sql: 't.channel', schema: enumOf(MESSAGE_CHANNELS) },
  status: { sql: 't.status', schema: enumOf(MESSAGE_STATUSES) },
  subject: content('t.subject', maybe(Text(SUBJECT_KEPT))),
  preview: content(`left(t.body_plain, ${PREVIEW})`, maybe(Text(2 * PREVIEW))), // an astral character counts twice
  content_masked: { sql: (policies) => contentMaskedSql('t', policies), schema: Type.Boolean() },
  from_address: address('t.from_address', Address),
  to_addresses: address('t.to_addresses', Addresses, NOTHING),
  thread_id: { sql: 't.thread_id', schema: Uuid },
  sent_at: instant('sent_at'),
  delivered_at: instant('delivered_at'),
  read_at: instant('read_at'),
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
  unread: { sql: `t.direction = 'inbound' and t.read_at is null`, schema: Type.Boolean() },
}

const customerSql = (policies: Policies) => `
  (select json_build_object('id', c.id, 'name', ${personalSql(restrictedSql('c'), 'c.name', policies)})
  from customers c where c.account_id = t.account_id and c.id = t.customer_id and c.deleted_at is null)`
const TRIP = `(select json_build_object('id', r.id, 'title', r.title) from trips r where r.account_id = t.account_id and r.id = t.trip_id)`

/** The whole message. */
export const messageDetail: View = {
  ...messageItem,
  purpose: { sql: 't.purpose', schema: enumOf(PURPOSES) },
  body_plain: content('t.body_plain', maybe(Text(BODY_KEPT))),
  body_html: content('t.body_html', maybe(Text(HTML_KEPT))),
  // The number of omitted images is known only after reading the HTML: see `shown-message.ts`.
  blocked_images: { sql: '0', schema: Type.Integer({ minimum: 0, maximum: 1_000_000 }) },
  cc_addresses: address('t.cc_addresses', Addresses, NOTHING),
  reply_to: address('t.reply_to', Address),
  in_reply_to: { sql: 't.in_reply_to', schema: maybe(Text(NAME_KEPT)) },
  external_id: { sql: 't.external_id', schema: maybe(Text(NAME_KEPT)) },
  failed_at: instant('failed_at'),
  failure_reason: { sql: 't.failure_reason', schema: maybe(enumOf(FAILURE_REASONS)) },
  // Server replies contain addresses.
  metadata: {
    sql: (policies) => (policies.has('view_personal_data') ? contentSql('t', 't.metadata', policies) : 'null'),
    schema: maybe(Type.Record(Type.String(), Type.Unknown())),
  },
  author: { sql: seatSql('t.author_id', 't.account_id'), schema: maybe(Seat) },
  customer: { sql: customerSql, schema: maybe(Type.Object({ id: Uuid, name: maybe(Text(200)) })) },
  trip: { sql: TRIP, schema: maybe(Type.Object({ id: Uuid, title: Text(200) })), needs: ['view_trips'] },
  attachments: content(attachmentsSql('communication_attachments', 'communication_id', 't'), Attachments, `'[]'::json`),
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
}
