import Type from 'typebox'
import { homeCompany } from '../../platform/access/places.ts'
import type { Policies } from '../../platform/access/policies.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf, itemOf } from '../../platform/http/by-id.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, type RouteAnswer, route } from '../../platform/http/route.ts'
import { enumOf } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { readAttributes, refuseAttributes } from '../../records/attributes.ts'
import { redeliver, redeliverFailed, sendPing } from './commands/redeliver.ts'
import { deliveryDetail, deliveryItem, SENT_EVENTS } from './deliveries.view.ts'
import { listDeliveries, readDelivery } from './delivery-log.store.ts'
import { DELIVERY_STATUSES } from './delivery-queue.store.ts'
import { spanAttributes } from './webhook-attributes.ts'
import { fieldsInput, WEBHOOKS_TAG } from './webhooks.routes.ts'
import { readWebhook } from './webhooks.store.ts'

const FULL = ['full'] as const
const policy = 'manage_webhooks'
const ofWebhook = byId('webhook')
const ofDelivery = {
  params: Type.Object({
    ...ofWebhook.params.properties,
    delivery_id: { ...ofWebhook.params.properties.id, description: 'Id of the delivery.' },
  }),
}
const Delivery = Type.Object({ data: viewSchema(deliveryDetail, 'Delivery') })

/** A delivery that was just added, and where to follow it. */
async function added(tx: AccountTx, policies: Policies, webhook: string, id: string): Promise<RouteAnswer> {
  const found = await tx.last(readDelivery(policies), { webhook, id })
  return { body: dataOf(found, 'delivery'), location: `/api/v1/webhooks/${webhook}/deliveries/${id}` }
}

export const deliveryRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    tag: WEBHOOKS_TAG,
    summary: 'List the deliveries of a webhook',
    description: 'Newest first, with all attempts. Deliveries are stored for 30 days.',
    scope: FULL,
    policy,
    takes: {
      ...ofWebhook,
      query: Type.Object({
        ...paging,
        status: Type.Optional(enumOf(DELIVERY_STATUSES)),
        event: Type.Optional(enumOf(SENT_EVENTS)),
      }),
    },
    answers: {
      status: 200,
      body: listOf(viewSchema(deliveryItem, 'Delivery in a list')),
      description: 'A page of deliveries.',
    },
    errors: ['invalid_cursor', 'invalid_parameter', 'not_found'],
    async handle(reader, { params: { id }, query: { status, event }, actor: { policies }, page }) {
      const [webhook, deliveries] = await Promise.all([
        reader.one(readWebhook(policies), { id }),
        listDeliveries(reader, policies, page, { status, event }, { webhook: id }),
      ])
      itemOf(webhook, 'webhook')
      return listText(page, deliveries)
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/:id/deliveries/:delivery_id',
    tag: WEBHOOKS_TAG,
    summary: 'Read a delivery',
    description:
      '`payload` is the body of the delivery. It is null, like the excerpts of responses, if the role sees less than the role that created the webhook.',
    scope: FULL,
    policy,
    takes: ofDelivery,
    answers: { status: 200, body: Delivery, description: 'The delivery.' },
    errors: ['not_found'],
    async handle(reader, { params: { id, delivery_id }, actor: { policies } }) {
      const found = await reader.last(readDelivery(policies), { webhook: id, id: delivery_id })
      return dataOf(found, 'delivery')
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
    tag: WEBHOOKS_TAG,
    summary: 'Send a delivery again',
    description:
      'Creates a new delivery of the same event with the same body. Returns 409 while a delivery of the event is pending, or if the webhook is inactive.',
    scope: FULL,
    policy,
    takes: ofDelivery,
    answers: { status: 202, body: Delivery, description: 'The new delivery.' },
    errors: ['conflict', 'not_found'],
    handle: async (tx, { params: { id, delivery_id }, actor: { policies } }) =>
      added(tx, policies, id, await redeliver(tx, id, delivery_id)),
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/redeliver',
    tag: WEBHOOKS_TAG,
    summary: 'Send failed deliveries again',
    description:
      'Creates a delivery for each event whose delivery failed at or after `since` and before `until` (default: now), unless the event was delivered later or is pending. Returns 409 if the webhook is inactive.',
    scope: FULL,
    policy,
    takes: { ...ofWebhook, ...fieldsInput(spanAttributes, 'Span of time') },
    answers: {
      status: 202,
      body: Type.Object({
        data: Type.Object(
          { redelivered: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }) },
          { title: 'Redelivered', additionalProperties: false },
        ),
      }),
      description: 'Number of deliveries created.',
    },
    errors: ['conflict', 'not_found', 'validation_failed'],
    async handle(tx, { params: { id }, body, actor }) {
      const { timeZone } = actor
      const given = readAttributes(spanAttributes, body, { company: homeCompany(actor), timeZone, creates: true })
      const { since, until = null } = given as { since: string; until?: string | null }
      if (until !== null && until <= since) refuseAttributes([['until', 'Send a time after since.']])
      const redelivered = await redeliverFailed(tx, id, { since, until })
      return {
        body: jsonText({ data: { redelivered } }),
        location: `/api/v1/webhooks/${id}/deliveries?status=pending`,
      }
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/test',
    tag: WEBHOOKS_TAG,
    summary: 'Test a webhook',
    description: 'Sends a `ping` event like any other event. Returns 409 if the webhook is inactive.',
    scope: FULL,
    policy,
    takes: ofWebhook,
    answers: { status: 202, body: Delivery, description: 'The delivery of the `ping` event.' },
    errors: ['conflict', 'not_found'],
    handle: async (tx, { params: { id }, actor: { policies } }) => added(tx, policies, id, await sendPing(tx, id)),
  }),
]
