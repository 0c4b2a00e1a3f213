import { setTimeout as sleep } from 'node:timers/promises'
import { ImportError } from './import-error.ts'

/** What the client stands on; tests hand in their own clock. */
export type Surroundings = {
  fetch(url: string, init: RequestInit): Promise<Response>
  sleep(ms: number): Promise<unknown>
  /** Milliseconds since the epoch. */
  now(): number
  /** Hears why the client waits. */
  waiting(reason: string, ms: number): void
}
export type ApiClient = {
  get<T>(path: string): Promise<T>
  /** Sends until it is answered; `key` makes the repeats one write. */
  post<T>(path: string, body: object, key: string): Promise<T>
}

const RETRIES = 8
const BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 15_000
const TIMEOUT_MS = 120_000
/** Answers after which the same request may do better. */
const PASSING_STATUSES = new Set([502, 503, 504])
const PASSING_CODES = new Set(['idempotency_conflict', 'conflict'])
/** No budget takes longer to come back, whatever the clocks say. */
const LONGEST_WINDOW_MS = 61_000

export const realSurroundings = (waiting: Surroundings['waiting']): Surroundings => ({
  fetch: (url, init) => fetch(url, init),
  sleep: (ms) => sleep(ms),
  now: () => Date.now(),
  waiting,
})

export function apiClient(url: string, key: string, { fetch, sleep, now, waiting }: Surroundings): ApiClient {
  /** When the budget of the minute is spent, the moment at which it is whole again. */
  let resumeAt = 0

  async function pause(reason: string, ms: number): Promise<void> {
    waiting(reason, ms)
    await sleep(ms)
  }

  async function once(path: string, init: RequestInit): Promise<Response | Error> {
    if (resumeAt > now()) await pause('the rate limit', resumeAt - now())
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      resumeAt = response.headers.get('x-ratelimit-remaining') === '0' ? now() + untilReset(response.headers) : 0
      return response
    } catch (error) {
      return error as Error
    }
  }

  async function insist<T>(path: string, init: RequestInit): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const response = await once(path, init)
      if (response instanceof Error) {
        if (attempt > RETRIES)
          throw new ImportError('unreachable', `${url} cannot be reached: ${causeOf(response)}. Is the cell running?`)
        await pause(`${url}, which cannot be reached`, backoff(attempt))
        continue
      }
      const body = await readBody(response)
      if (response.ok && body !== null) return body as T
      const { error = `answered ${response.status}`, code = `http_${response.status}` } = (body ?? {}) as {
        error?: string
        code?: string
      }
      const retryAfter = Number(response.headers.get('retry-after')) * 1000
      if (response.status === 429) {
        resumeAt = now() + Math.min(LONGEST_WINDOW_MS, retryAfter || backoff(attempt))
        continue
      }
      const passing = PASSING_STATUSES.has(response.status) || PASSING_CODES.has(code) || response.ok
      if (!passing || attempt > RETRIES) throw new ImportError(code, `The cell refused: ${error}`)
      await pause(`the cell (${code})`, Math.max(retryAfter || 0, backoff(attempt)))
    }
  }
  const headers = { authorization: `Bearer ${key}` }
  return {
    get: (path) => insist(path, { headers }),
    post: (path, body, idempotencyKey) =>
      insist(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      }),
  }
}

/** Milliseconds until the budget is whole again, by the server's own clock, which may not be ours. */
function untilReset(headers: Headers): number {
  const left = Number(headers.get('x-ratelimit-reset')) * 1000 - Date.parse(headers.get('date') ?? '')
  return Number.isFinite(left) ? Math.min(LONGEST_WINDOW_MS, Math.max(1_000, left)) : LONGEST_WINDOW_MS
}

const backoff = (attempt: number) => Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (attempt - 1))
/** Why a request was not answered. Where a name has several addresses, the cause has a code and no message. */
export const causeOf = ({ cause, message }: Error): string =>
  (cause instanceof Error && (cause.message || (cause as NodeJS.ErrnoException).code)) || message

/** Null for what is cut off or no JSON; the answer may have got lost after the write, which the key makes harmless. */
async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return null
  }
}
