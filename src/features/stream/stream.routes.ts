import Type from 'typebox'
import { SEQ_PATTERN } from '../../platform/http/last-event-id.ts'
import { type Route, streamRoute } from '../../platform/http/route.ts'

export const streamRoutes: readonly Route[] = [
  streamRoute({
    method: 'GET',
    path: '/stream',
    tag: { name: 'Stream', description: 'What has changed, as it happens.' },
    summary: 'Follow changes',
    description:
      'Server-sent events of the account, in order, until either side ends the connection. `ready` comes first. Each `changed` has `data` with `kind` (an entity such as `customers`, or `trips`, `tasks`, `communications`, `notifications`, `imports`, `ticket_imports`, `deliveries`), the `id` of the record and its `version`, null where it has none. An `id` of null means that many records of the kind changed at once. Only kinds that the role may list are sent, and notifications only to their seat. After a lost connection send the last event id, as browsers do in `Last-Event-ID`: the events since then follow. They are stored for 24 hours; if some are not stored any more, `reset` comes instead of `ready`: read everything again. The stream ends when the session ends or its role changes, and does not keep the session alive. A seat may have 10 streams open at a time.',
    policy: null,
    passive: true,
    takes: {
      query: Type.Object({
        last_event_id: Type.Optional(
          Type.String({
            pattern: SEQ_PATTERN,
            maxLength: 15,
            description: 'For clients that cannot send the header Last-Event-ID, which takes precedence.',
          }),
        ),
      }),
    },
    answers: {
      status: 200,
      type: 'text/event-stream',
      body: Type.String({ maxLength: 1_000_000_000 }),
      description: 'The events.',
    },
    errors: ['invalid_parameter', 'rate_limited', 'unavailable'],
  }),
]
