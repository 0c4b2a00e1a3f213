import Type from 'typebox'
import { instantSql, type View } from '../../platform/db/view.ts'
import { Instant, Uuid } from '../../platform/http/shapes.ts'
import { changeableAttributes } from './webhook-attributes.ts'

const { url, events, entities, active } = changeableAttributes

/** A subscription `t`. */
export const webhookView: View = {
  id: { sql: 't.id', schema: Uuid },
  url: { sql: 't.url', schema: url.schema },
  events: { sql: 't.events', schema: events.schema },
  entities: { sql: 't.entities', schema: entities.schema },
  active: { sql: 't.active', schema: active.schema },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
}

const SigningSecret = Type.String({
  pattern: '^whsec_[0-9A-Za-z]{43}$',
  maxLength: 49,
  description: 'Secret that deliveries are signed with. It is shown only once.',
})

export const NewWebhook = Type.Object(
  {
    id: Uuid,
    url: url.schema,
    events: events.schema,
    entities: entities.schema,
    signing_secret: SigningSecret,
    created_at: Instant,
  },
  { title: 'New webhook', additionalProperties: false },
)
export const NewSecret = Type.Object(
  {
    signing_secret: SigningSecret,
    former_secret_until: {
      ...Instant,
      description: 'Until this time, deliveries are also signed with the former secret.',
    },
  },
  { title: 'New signing secret', additionalProperties: false },
)
