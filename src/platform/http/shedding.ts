import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { counter } from '../metrics/instruments.ts'
import type { Overload } from '../overload.ts'
import { RETRY_AFTER_S } from './answer-error.ts'
import { type RateDecision, writeHeaders } from './rate-limit.ts'

/** Health checks must be answered, above all while the process is overloaded. */
const ALWAYS_ANSWERED: ReadonlySet<string | undefined> = new Set(['/api/v1/health', '/ready'])
const LOG_EVERY_MS = 10_000
const BODY = JSON.stringify({
  error: `The cell is busy. Try again in ${RETRY_AFTER_S} s.`,
  code: 'unavailable',
})
const HEADERS = [
  ['content-type', 'application/json; charset=utf-8'],
  ['content-length', String(Buffer.byteLength(BODY))],
  ['retry-after', String(RETRY_AFTER_S)],
]

const shed = counter('backdesk_requests_shed_total', 'Requests refused because the process is overloaded, by cause.', [
  'behind',
])

type Everywhere = {
  readonly log: Pick<Log, 'warn'>
  /** The headers of every response. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  requestId(request: IncomingMessage): string
  /** The request's budget, if it is available at no cost. */
  budgetAtHand(request: IncomingMessage): RateDecision | null
  /** Reads the rest of a refused body. */
  drain(request: IncomingMessage): void
}

/**
 * Refuses a request that cannot be answered in time, before the framework handles it, so that accepted ones are
 * answered in time: this is the cheapest work of the process. Returns whether it did. Logs from time to time.
 */
export function shedding(
  { behind }: Overload,
  { log, headers, requestId, budgetAtHand, drain }: Everywhere,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const known = [...headers, ...HEADERS].flat()
  let loggedAt = Number.NEGATIVE_INFINITY
  let notLogged = 0
  return (request, response) => {
    const cause = behind()
    if (cause === null || ALWAYS_ANSWERED.has(request.url?.split('?', 1)[0])) return false
    const budget = budgetAtHand(request)
    if (budget) writeHeaders({ header: (name, value) => response.setHeader(name, value) }, budget)
    response.writeHead(503, [...known, 'x-request-id', requestId(request)]).end(BODY)
    drain(request)
    shed.add([cause])
    notLogged++
    if (performance.now() - loggedAt > LOG_EVERY_MS) {
      log.warn({ behind: cause, refused: notLogged }, 'overloaded; refusing requests')
      loggedAt = performance.now()
      notLogged = 0
    }
    return true
  }
}
