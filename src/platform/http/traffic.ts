import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { counter, gauge, histogram } from '../metrics/instruments.ts'
import { askedBy, keyTraffic } from './key-traffic.ts'
import type { RequestLog } from './request-log.ts'

const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const KNOWN_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** What a client hung up on before it was answered, and what no route takes. */
const ABORTED = 'aborted'
const NO_ROUTE = 'none'

const requests = counter('backdesk_http_requests_total', 'Requests completed, by route.', ['method', 'route', 'status'])
const seconds = histogram(
  'backdesk_http_request_seconds',
  'Duration of requests, from the headers of the request to the end of the response.',
  ['method', 'route'],
  BOUNDS_S,
)
const inFlight = gauge('backdesk_http_requests_in_flight', 'Requests in progress.')

let open = 0

/** Updates the number of requests in progress. */
export const noteTraffic = (): void => inFlight.set([], open)

/** The counts of one route and method. */
type Counted = { readonly ended: Map<number | typeof ABORTED, { value: number }>; took(seconds: number): void }

/**
 * Counts the requests of this process, and notes those of keys. `log`, if given, receives each by its route, never by its
 * address.
 */
export function traffic(
  log: Pick<Log, 'info'> | null,
  requestLog: Pick<RequestLog, 'note'>,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const noteKey = keyTraffic()
  const routes = new Map<string, Map<string, Counted>>()
  const countedOf = (method: string, route: string): Counted => {
    const methods = routes.get(route) ?? new Map<string, Counted>()
    routes.set(route, methods)
    const known = methods.get(method) ?? { ended: new Map(), took: seconds.of([method, route]) }
    methods.set(method, known)
    return known
  }
  return (request, { raw }) => {
    const begun = performance.now()
    open++
    // Called after the response, also if the client has disconnected.
    raw.on('close', () => {
      open--
      const ms = performance.now() - begun
      const route = request.routeOptions.url ?? NO_ROUTE
      const method = KNOWN_METHODS.has(request.method) ? request.method : 'OTHER'
      const status = raw.writableEnded ? raw.statusCode : ABORTED
      const { ended, took } = countedOf(method, route)
      const count = ended.get(status) ?? requests.of([method, route, String(status)])
      ended.set(status, count)
      count.value++
      took(ms / 1000)
      const { principal } = request
      if (principal) noteKey(principal, status, ms / 1000)
      requestLog.note(request, route, status === ABORTED ? null : status, ms)
      log?.info({ request: request.id, method, route, status, ms: Math.round(ms), ...askedBy(principal) }, 'answered')
    })
  }
}
