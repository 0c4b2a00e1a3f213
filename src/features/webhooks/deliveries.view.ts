import Type from 'typebox'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, type View } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { DELIVERY_ATTEMPTS, DELIVERY_STATUSES } from './delivery-queue.store.ts'
import { eventIdSql } from './event-id.ts'
import { FIRING_ENTITIES, RECORD_EVENTS } from './event-kinds.ts'
import { seesAllSql } from './sees-all.ts'

export const SENT_EVENTS = [...RECORD_EVENTS, 'ping'] as const

const EventId = Type.String({ pattern: '^evt_[0-9a-f]{32}$', maxLength: 36 })
const Attempt = Type.Object(
  {
    number: Type.Integer({ minimum: 1, maximum: DELIVERY_ATTEMPTS }),
    at: Instant,
    status_code: maybe(Type.Integer({ minimum: 0, maximum: 999 })),
    error: maybe(Text(2000)),
    duration_ms: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    response_excerpt: maybe(Text(2048)),
  },
  { title: 'Attempt', additionalProperties: false },
)
const Payload = Type.Object(
  { id: EventId, event: enumOf(SENT_EVENTS), occurred_at: Instant, data: Type.Record(Type.String(), Type.Unknown()) },
  { title: 'Payload' },
)

/** A receiver may return what it was sent, so its answer is masked like the event. */
const attemptsSql = (policies: Policies) => `(
  select coalesce(json_agg(row_to_json(made) order by made.number), '[]') from (
    select a.number, ${instantSql('a.at')} as at, a.status_code, a.error, a.duration_ms,
      case when ${seesAllSql(policies)} then a.response_excerpt end as response_excerpt
    from webhook_attempts a where a.account_id = d.account_id and a.delivery_id = d.id
  ) made)`

/** A delivery `d` of the event `e` to the subscription `t`. */
export const deliveryItem: View = {
  id: { sql: 'd.id', schema: Uuid },
  event_id: { sql: eventIdSql('d.event_id'), schema: EventId },
  event: { sql: 'e.event', schema: enumOf(SENT_EVENTS) },
  entity: { sql: 'e.entity', schema: maybe(enumOf(FIRING_ENTITIES)) },
  external_id: { sql: 'e.external_id', schema: maybe(Text(2000)) },
  status: { sql: 'd.status', schema: enumOf(DELIVERY_STATUSES) },
  attempts: { sql: attemptsSql, schema: Type.Array(Attempt, { maxItems: DELIVERY_ATTEMPTS }) },
  next_attempt_at: {
    sql: `case when d.status = 'pending' then ${instantSql('d.next_attempt_at')} end`,
    schema: maybe(Instant),
  },
  created_at: { sql: instantSql('d.created_at'), schema: Instant },
}

/** The whole delivery. */
export const deliveryDetail: View = {
  ...deliveryItem,
  payload: {
    sql: (policies) => `case when ${seesAllSql(policies)} then p.payload::json end`,
    schema: maybe(Payload),
  },
}
