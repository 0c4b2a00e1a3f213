import Type from 'typebox'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf } from '../../platform/http/by-id.ts'
import { listOf, pageText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { enumOf, Text, Uuid } from '../../platform/http/shapes.ts'
import { companyAttribute, takesAttributes, writeShape } from '../../records/attributes.ts'
import { markMessageRead } from './commands/mark-message-read.ts'
import { writeMessage } from './commands/write-message.ts'
import { listMessages, readItem } from './communications.store.ts'
import { messageDetail, messageItem } from './communications.view.ts'
import { messageAttributes } from './message-attributes.ts'
import { CHANNELS, DIRECTIONS } from './message-kinds.ts'
import { REMOTE_IMAGES, shownMessage } from './shown-message.ts'

const TAG = {
  name: 'Communications',
  description: 'One inbox: what customers wrote, what was sent to them, and what was noted, on every channel.',
}
const FULL = ['full'] as const
const Item = viewSchema(messageItem, 'Message in a list')
const Whole = Type.Object({ data: viewSchema(messageDetail, 'Message') })
const Attributes = Type.Object(
  {
    ...writeShape(messageAttributes),
    company_id: companyAttribute('That of the trip or the customer when omitted.'),
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
      'Newest first, across all channels; with `thread_id` the whole conversation, in the same order. `q` looks through subject and body, and finds nothing for a role that may not read them. `unread_count` is of the account, whatever is asked for: the inbound messages that nobody has marked as read.',
    scope: FULL,
    policy: null,
    takes: {
      query: Type.Object({
        ...paging,
        q: Type.Optional(Text(200)),
        customer_id: Type.Optional(Uuid),
        trip_id: Type.Optional(Uuid),
        channel: Type.Optional(enumOf(CHANNELS)),
        direction: Type.Optional(enumOf(DIRECTIONS)),
        thread_id: Type.Optional(Uuid),
        scope: Type.Optional(enumOf(['unread'])),
      }),
    },
    answers: {
      status: 200,
      body: Type.Object({
        ...listOf(Item).properties,
        unread_count: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Of the account.' }),
      }),
      description: 'A page of messages.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query, actor, page }) {
      const { q, scope, customer_id, trip_id, channel, direction, thread_id } = query
      const filters = { unread: scope === 'unread', customer_id, trip_id, channel, direction, thread_id }
      const found = await listMessages(reader, actor.policies, page, q?.trim() || undefined, filters)
      return `{"data":[${found?.items ?? ''}],${pageText(page, found)},"unread_count":${found?.unread ?? 0}}`
    },
  }),
  route({
    method: 'POST',
    path: '/communications',
    tag: TAG,
    summary: 'Send, record or file a message',
    description:
      '`internal` records a note about a customer or a trip, `inbound` files what your system received, and `outbound` needs `send_messages`: on `email`, `sms` and `whatsapp` it is queued and answered at once, and `status` tells later what became of it; on the other channels it is recorded. What is sent goes to `to_addresses`, else to whoever wrote the message that it answers, else to the customer. An answer takes thread, customer and trip from the message that `in_reply_to` names, by its id or its Message-ID. An inbound message of a customer who is not named is filed with the one who has its address. Neither an address nor a Message-ID leads to a customer whom the role may not know: name such a customer by `customer_id`. HTML is kept without whatever runs, embeds or asks.',
    scope: FULL,
    policy: null,
    takes: takesMessage,
    answers: { status: 201, body: Whole, description: 'The message.' },
    alsoAnswers: [{ status: 200, body: Whole, description: 'The message that was filed before with this Message-ID.' }],
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
      'Reading does not mark it as read. Where `content_masked` is true the role may not read what it says: subject, preview and bodies are null. `body_html` of an inbound message is without images that lie on other servers, since loading one tells its sender that the mail was read; `blocked_images` counts them, and `remote_images=shown` answers with them.',
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
    description: 'One that is read stays as it is.',
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
