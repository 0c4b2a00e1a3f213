import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf } from '../../platform/http/by-id.ts'
import { listMembers, listOf, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonObject } from '../../platform/json-text.ts'
import { companyAttribute, takesAttributes, writeShape } from '../../records/attributes.ts'
import { markMessageRead } from './commands/mark-message-read.ts'
import { writeMessage } from './commands/write-message.ts'
import { listMessages, readItem } from './communications.store.ts'
import { messageDetail, messageItem } from './communications.view.ts'
import { messageAttributes } from './message-attributes.ts'
import { DIRECTIONS, MESSAGE_CHANNELS } from './message-kinds.ts'
import { REMOTE_IMAGES, shownMessage } from './shown-message.ts'

const TAG = {
  name: 'Communications',
  description: 'One inbox for all channels: messages from customers, messages to them, and internal notes.',
}
const FULL = ['full'] as const
const Item = viewSchema(messageItem, 'Message in a list')
const Whole = Type.Object({ data: viewSchema(messageDetail, 'Message') })
const Attributes = Type.Object(
  {
    ...writeShape(messageAttributes),
    company_id: companyAttribute('If omitted, the company of the trip or the customer.'),
  },
  { title: 'Message attributes' },
)
const takesMessage = takesAttributes('communication', messageAttributes, Attributes)

export const communicationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/communications',
    tag: TAG,
    summary: 'List messages',
    description:
      'Newest first, across all channels. `thread_id` returns a whole conversation, in the same order. `q` searches subject and body; it finds nothing for a role that is not allowed to read them. `unread_count` is the number of inbound messages of the account that nobody has marked as read, regardless of the filters.',
    scope: FULL,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        customer_id: Type.Optional(Uuid),
        trip_id: Type.Optional(Uuid),
        channel: Type.Optional(enumOf(MESSAGE_CHANNELS)),
        direction: Type.Optional(enumOf(DIRECTIONS)),
        thread_id: Type.Optional(Uuid),
        scope: Type.Optional(enumOf(['unread'])),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({
        ...listOf(Item).properties,
        unread_count: Type.Integer({
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'Unread inbound messages of the account.',
        }),
      }),
      description: 'A page of messages.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor, page }) {
      const { q, scope, customer_id, trip_id, channel, direction, thread_id } = query
      const filters = { unread: scope === 'unread', customer_id, trip_id, channel, direction, thread_id }
      const found = await listMessages(reader, actor.policies, page, q?.trim() || undefined, filters)
      return jsonObject({ ...listMembers(page, found), unread_count: found?.unread ?? 0 })
    },
  }),
  route({
    method: 'POST',
    path: '/communications',
    tag: TAG,
    summary: 'Send, record or file a message',
    description:
      '`internal` records a note about a customer or trip. `inbound` files a message that your system received. `outbound` needs the policy `send_messages`: on `email`, `sms` and `whatsapp` the message is queued, the response is returned at once, and `status` shows the result later; on other channels the message is only recorded. The message is sent to `to_addresses`; if omitted, to the sender of the message that it replies to; otherwise to the customer. A reply takes thread, customer and trip from the message in `in_reply_to`, given by id or Message-ID. An inbound message without `customer_id` is filed under the customer with its address. Addresses and Message-IDs never match a customer whom the role is not allowed to know; send `customer_id` for such a customer. Scripts, embedded content and forms are removed from HTML.',
    scope: FULL,
    policy: null,
    takes: takesMessage,
    answers: { status: 201, body: Whole, description: 'The message.' },
    alsoAnswers: [
      { status: 200, body: Whole, description: 'A message with this Message-ID already exists; it is returned.' },
    ],
    errors: ['validation_failed', 'unknown_company', 'daily_limit_reached'],
    async handle(tx, { body, actor, files }) {
      const { id, isNew } = await writeMessage(tx, actor, files, body.communication)
      return { status: isNew ? 201 : 200, body: await shownMessage(tx, actor.policies, files, id) }
    },
  }),
  route({
    method: 'GET',
    path: '/communications/:id',
    tag: TAG,
    summary: 'Read a message',
    description:
      'This does not mark the message as read. If `content_masked` is true, the role is not allowed to read the content: subject, preview and bodies are null. Remote images are removed from `body_html` of inbound messages, because loading them would show the sender that the mail was read. `blocked_images` is the number of removed images; `remote_images=shown` returns the HTML with them.',
    scope: FULL,
    policy: null,
    takes: {
      ...byId('message'),
      query: Type.Object({
        remote_images: Type.Optional(enumOf(REMOTE_IMAGES)),
      }),
    },
    answers: { status: 200, body: Whole, description: 'The message.' },
    errors: ['not_found', 'invalid_parameter'],
    handle: (reader, { params, query, actor, files }) =>
      shownMessage(reader, actor.policies, files, params.id, query.remote_images),
  }),
  route({
    method: 'POST',
    path: '/communications/:id/mark_read',
    tag: TAG,
    summary: 'Mark a message as read',
    description: 'Has no effect if it is already marked as read.',
    scope: FULL,
    policy: null,
    takes: byId('message'),
    answers: { status: 200, body: Type.Object({ data: Item }), description: 'The message.' },
    errors: ['not_found'],
    async handle(tx, { params: { id }, actor }) {
      markMessageRead(tx, id)
      return dataOf(await tx.last(readItem(actor.policies), { id }), 'message')
    },
  }),
]
