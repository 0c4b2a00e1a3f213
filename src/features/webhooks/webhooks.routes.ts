import Type, { type TSchema } from 'typebox'
import type { Fields } from '../../catalogue/read-cells.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountReader, AccountTx } from '../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../platform/db/take-change-number.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, noSuch, versionedData } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Input, patchAndPut, type Route, route } from '../../platform/http/route.ts'
import { jsonText, NO_BODY } from '../../platform/json-text.ts'
import type { DestinationRules } from '../../platform/net/destination.ts'
import type { Seal } from '../../platform/seal.ts'
import { writeShape } from '../../records/attributes.ts'
import { deleteWebhook } from './commands/delete-webhook.ts'
import { rotateSecret } from './commands/rotate-secret.ts'
import { changeWebhook, createWebhook, readChange, readNewWebhook } from './commands/save-webhook.ts'
import { changeableAttributes, webhookAttributes } from './webhook-attributes.ts'
import { listWebhooks, lockWebhookRow, readWebhook, SUBSCRIPTIONS } from './webhooks.store.ts'
import { NewSecret, NewWebhook, webhookView } from './webhooks.view.ts'

export const WEBHOOKS_TAG = { name: 'Webhooks', description: 'Subscriptions to events, and their deliveries.' }
const FULL = ['full'] as const
const policy = 'manage_webhooks'
const ofWebhook = byId('webhook')
const Webhook = viewSchema(webhookView, 'Webhook')
const whole = { status: 200, body: Type.Object({ data: Webhook }), description: 'The webhook.' } as const

const Unread = Type.Record(Type.String(), Type.Unknown())
/** A body with top-level attributes, which the command validates. */
export const fieldsInput = (fields: Fields, title: string): { body: typeof Unread; bodyInDocument: TSchema } => ({
  body: Unread,
  bodyInDocument: Type.Object(writeShape(fields), { title }),
})

type WebhookTools = {
  /** Seals the keys that webhooks are signed with. */
  readonly signingKeys: Seal
  /** Where webhooks may lead to. */
  readonly destinations: DestinationRules
}

const shown = async (reader: AccountReader, policies: Policies, id: string) =>
  versionedData(await reader.last(readWebhook(policies), { id }), 'webhook')
type OfWebhook = Pick<Input, 'actor'> & { readonly params: { readonly id: string } }
const versioned = {
  lock(tx: AccountTx, { params: { id } }: OfWebhook) {
    takeChangeNumber(tx)
    return tx.one(lockWebhookRow, { id })
  },
  show: (reader: AccountReader, { params, actor }: OfWebhook) => shown(reader, actor.policies, params.id),
}

const allWebhooks = ({ signingKeys, destinations }: WebhookTools): readonly Route[] => [
  route({
    method: 'GET',
    path: '/webhooks',
    tag: WEBHOOKS_TAG,
    summary: 'List webhooks',
    description: 'Newest first.',
    scope: FULL,
    policy,
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(Webhook), description: 'A page of webhooks.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) => listText(page, await listWebhooks(reader, actor.policies, page, {})),
  }),
  route({
    method: 'POST',
    path: '/webhooks',
    tag: WEBHOOKS_TAG,
    summary: 'Subscribe to events',
    description: `Without \`events\`, all three events are sent. Without \`entities\`, events of all booking types are sent, including types added later. Records are sent as the role of this key sees them. The \`url\` must be on the public internet. An account can have at most ${SUBSCRIPTIONS} webhooks.`,
    scope: FULL,
    policy,
    takes: fieldsInput(webhookAttributes, 'Webhook attributes'),
    answers: { status: 201, body: NewWebhook, description: 'The webhook, with its signing secret.' },
    errors: ['validation_failed'],
    prepare: ({ actor, body }) => readNewWebhook(actor, body, destinations),
    async handle(tx, input, read) {
      const made = await createWebhook(tx, read, { role: input.principal.role, seal: signingKeys })
      const { id, record } = made
      const { url, events, entities } = record
      return jsonText({ id, url, events, entities, signing_secret: made.secret, created_at: await tx.now })
    },
  }),
]

const oneWebhook = ({ signingKeys, destinations }: WebhookTools): readonly Route[] => [
  route({
    method: 'GET',
    path: '/webhooks/:id',
    tag: WEBHOOKS_TAG,
    summary: 'Read a webhook',
    scope: FULL,
    policy,
    takes: ofWebhook,
    answers: whole,
    versioned: true,
    errors: ['not_found'],
    handle: (reader, { params, actor }) => shown(reader, actor.policies, params.id),
  }),
  ...patchAndPut({
    path: '/webhooks/:id',
    tag: WEBHOOKS_TAG,
    summary: 'Update a webhook',
    description:
      'Omitted attributes keep their values. A new `url` is checked like that of a new webhook, and refused if the role of the key sees less than the webhook sends. `active: true` activates a deactivated webhook and resets its failures.',
    scope: FULL,
    policy,
    takes: { ...ofWebhook, ...fieldsInput(changeableAttributes, 'Webhook changes') },
    answers: whole,
    versioned,
    errors: ['not_found', 'validation_failed'],
    prepare: ({ actor, body }) => readChange(actor, body, destinations),
    async handle(tx, input, read) {
      const { params, actor } = input
      if (!(await changeWebhook(tx, actor, params.id, read))) throw noSuch('webhook')
      return shown(tx, actor.policies, params.id)
    },
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    tag: WEBHOOKS_TAG,
    summary: 'Delete a webhook',
    description: 'Pending deliveries are cancelled.',
    scope: FULL,
    policy,
    takes: ofWebhook,
    answers: { status: 204, body: Type.Null(), description: 'The webhook was deleted.' },
    errors: ['not_found'],
    async handle(tx, input) {
      if (!(await deleteWebhook(tx, input.params.id))) throw noSuch('webhook')
      return NO_BODY
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/rotate_secret',
    tag: WEBHOOKS_TAG,
    summary: 'Rotate the signing secret of a webhook',
    description: 'For 24 hours, deliveries are signed with both secrets, the former one last.',
    scope: FULL,
    policy,
    takes: ofWebhook,
    answers: { status: 201, body: Type.Object({ data: NewSecret }), description: 'The new secret.' },
    errors: ['not_found'],
    handle: async (tx, input) => jsonText({ data: await rotateSecret(tx, input.params.id, signingKeys) }),
  }),
]

export const webhookRoutes = (tools: WebhookTools): readonly Route[] => [...allWebhooks(tools), ...oneWebhook(tools)]
