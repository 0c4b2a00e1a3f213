import type { FastifyReply, FastifyRequest } from 'fastify'
import { lastEventId } from './last-event-id.ts'
import type { Input } from './route.ts'
import type { StreamHub } from './stream-hub.ts'

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no', // proxies that buffer would hold events back
}

/** Answers a request with a stream, which takes the response over; refusals are answered like those of any route. */
export async function openStream(
  streams: StreamHub,
  { actor, principal, query }: Input,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const after = lastEventId(request.headers['last-event-id'], (query as { last_event_id?: string }).last_event_id)
  if (request.method === 'HEAD') return reply.headers(HEADERS).send()
  const { account, seat, policies } = actor
  const reader = { account, seat, policies, session: principal.id, role: principal.role }
  await streams.open(reader, after, () => {
    reply.hijack()
    reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS })
    return reply.raw
  })
  return reply
}
