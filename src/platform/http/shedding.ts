import type { FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { counter } from '../metrics/instruments.ts'
import type { Overload } from '../overload.ts'
import { RETRY_AFTER_S } from './answer-error.ts'
import { ApiError } from './errors.ts'

/** Who asks how the process is has to be told, above all when it is not well. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['/api/v1/health', '/ready'])
const TOLD_EVERY_MS = 10_000

const shed = counter('backdesk_requests_shed_total', 'Requests refused unread, by what the process is behind with.', [
  'behind',
])

/**
 * Refuses a request that there is no time for, before anything is done for it: those that are taken are answered in time,
 * and what is refused costs next to nothing. The log is told from time to time.
 */
export function shedding({ behind }: Overload, log: Pick<Log, 'warn'>): (request: FastifyRequest) => ApiError | null {
  let toldAt = Number.NEGATIVE_INFINITY
  let untold = 0
  return ({ url }) => {
    const cause = behind()
    if (cause === null || ALWAYS_ANSWERED.has(url)) return null
    shed.add([cause])
    untold++
    if (performance.now() - toldAt > TOLD_EVERY_MS) {
      log.warn({ behind: cause, refused: untold }, 'too far behind: requests are refused')
      toldAt = performance.now()
      untold = 0
    }
    return new ApiError('unavailable', `The cell is busy. Try again in ${RETRY_AFTER_S} s.`, {
      retryAfter: RETRY_AFTER_S,
    })
  }
}
