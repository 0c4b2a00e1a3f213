import type { FastifyRequest } from 'fastify'
import { counter } from '../metrics/instruments.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the import batch that the response is about. */
    batch: string | null
  }
}

export type LoggedRequest = {
  readonly account: number
  readonly key: string
  readonly at_ms: number
  readonly method: string
  readonly route: string
  readonly path: string
  readonly status: number | null
  readonly ms: number
  readonly address: string
  readonly request: string
  readonly batch: string | null
  readonly rows: number
  readonly body: string | null
}
/** Requests of a day, key and route since they were last written. */
export type CountedRequests = {
  readonly account: number
  readonly key: string
  readonly day: string
  readonly method: string
  readonly route: string
  requests: number
  failed: number
  refused: number
  rows: number
}
/** Where they are written. */
export type RequestStore = (logged: readonly LoggedRequest[], counted: readonly CountedRequests[]) => Promise<unknown>
export type RequestLog = {
  /** Notes an answered request of a key. Takes microseconds, and never fails. */
  note(request: FastifyRequest, route: string, status: number | null, ms: number): void
  /** Writes what was noted. */
  flush(): Promise<void>
}

/** Requests that wait to be written: a few seconds of a busy process, some 10 MB. */
const MOST_WAITING = 10_000
/** Of bodies of failed writes; beyond, requests are logged without them. */
const MOST_BODY_BYTES = 4_000_000
const MOST_COUNTED = 10_000
/** Rows of one statement. */
const TOGETHER = 1_000
const LONGEST_PATH = 500
const RATE_LIMITED = 429
const FAILED = 400

const dropped = counter(
  'backdesk_request_log_dropped_total',
  'Requests that were not written to the request log, because too many waited or the database was unavailable.',
)

/** Keeps requests in memory until they are written, bodies masked. Under overload it drops some, and counts them. */
export function requestLog(
  write: RequestStore,
  maskedBody: (body: unknown) => string | null,
  addressOf: (request: FastifyRequest) => string,
  now: () => number,
  mostWaiting = MOST_WAITING,
): RequestLog {
  let waiting: LoggedRequest[] = []
  let bodyBytes = 0
  let counted = new Map<string, CountedRequests>()
  let dayEnds = 0
  let today = ''
  let flushing: Promise<void> | null = null

  function dayAt(ms: number): string {
    if (ms >= dayEnds || today === '') {
      today = new Date(ms).toISOString().slice(0, 10)
      dayEnds = Date.parse(today) + 24 * 3600 * 1000
    }
    return today
  }
  function count(
    one: Omit<CountedRequests, 'requests' | 'failed' | 'refused'>,
    add: Pick<CountedRequests, 'requests' | 'failed' | 'refused'>,
  ) {
    const name = `${one.day}${one.key}${one.method}${one.route}`
    const known = counted.get(name)
    if (known) {
      known.requests += add.requests
      known.failed += add.failed
      known.refused += add.refused
      known.rows += one.rows
    } else if (counted.size < MOST_COUNTED) counted.set(name, { ...one, ...add })
  }
  function bodyOf({ method, body }: FastifyRequest, status: number | null): string | null {
    if (status === null || status < FAILED || method === 'GET' || bodyBytes > MOST_BODY_BYTES) return null
    const masked = maskedBody(body)
    bodyBytes += masked?.length ?? 0
    return masked
  }

  async function writeAll(): Promise<void> {
    const [logged, counts] = [waiting, [...counted.values()]]
    waiting = []
    bodyBytes = 0
    counted = new Map()
    let written = 0
    try {
      do {
        const some = logged.slice(written, written + TOGETHER)
        await write(some, written === 0 ? counts : [])
        written += some.length
      } while (written < logged.length)
    } catch (error) {
      dropped.add([], logged.length - written)
      if (written === 0) for (const one of counts) count(one, one)
      throw error
    }
  }

  return {
    note(request, route, status, ms) {
      const { principal } = request
      if (principal?.kind !== 'key') return
      const at_ms = now()
      const { account } = principal.actor
      const { method } = request
      const rows = rowsOf(request.body)
      const isRefused = status === RATE_LIMITED
      count(
        { account, key: principal.id, day: dayAt(at_ms), method, route, rows: isRefused ? 0 : rows },
        { requests: 1, failed: !isRefused && status !== null && status >= FAILED ? 1 : 0, refused: isRefused ? 1 : 0 },
      )
      if (waiting.length >= mostWaiting) return dropped.add([])
      const [path = ''] = request.url.split('?', 1)
      waiting.push({
        account,
        key: principal.id,
        at_ms,
        method,
        route,
        path: path.slice(0, LONGEST_PATH),
        status,
        ms,
        address: addressOf(request),
        request: request.id,
        batch: request.batch,
        rows,
        body: bodyOf(request, status),
      })
    },
    flush() {
      if (waiting.length === 0 && counted.size === 0) return flushing ?? Promise.resolve()
      flushing ??= writeAll().finally(() => {
        flushing = null
      })
      return flushing
    },
  }
}

/** The rows of an import. */
function rowsOf(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0
  if ('rows' in body && Array.isArray(body.rows)) return body.rows.length
  return 'row' in body ? 1 : 0
}

const BATCH = /^\{"data":\{"id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/
/** The id of the batch in the response of an import; null for a dry run. */
export const batchIn = (answer: string): string | null => BATCH.exec(answer)?.[1] ?? null
