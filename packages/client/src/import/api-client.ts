import { setTimeout as sleep } from 'node:timers/promises'
import { ImportError } from './import-error.ts'
import type { Budget, Pace } from './time-left.ts'

/** What the client uses; tests pass their own clock. */
export type ClientEnvironment = {
  fetch(url: string, init: RequestInit): Promise<Response>
  sleep(ms: number): Promise<unknown>
  /** Milliseconds since the epoch. */
  now(): number
  /** Called with the reason of a wait. */
  waiting(reason: string, ms: number): void
}
export type ApiClient = {
  get<T>(path: string): Promise<T>
  /** Retries until there is an answer; `key` makes the repeats one write. */
  post<T>(path: string, body: object, key: string): Promise<T>
  /** The speed of answers so far, and the remaining rate limit. */
  pace(): Pace
}
type ErrorBody = { error?: string; code?: string; details?: Record<string, string[]> }

/** Time limit and number of tries for the first answer, so that a wrong address is reported quickly. */
const FIRST_CONTACT_MS = 2_000
const FIRST_TRIES = 2
const RETRIES = 8
const BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 15_000
const TIMEOUT_MS = 120_000
/** Answers after which the same request may succeed. */
const PASSING_STATUSES = new Set([502, 503, 504])
const PASSING_CODES = new Set(['idempotency_conflict', 'conflict'])
/** The longest wait for a new rate limit window, regardless of the clocks. */
const LONGEST_WINDOW_MS = 61_000

export const realEnvironment = (waiting: ClientEnvironment['waiting']): ClientEnvironment => ({
  fetch: (url, init) => fetch(url, init),
  sleep: (ms) => sleep(ms),
  now: () => Date.now(),
  waiting,
})

/** `from` is the source of the address, for error messages. */
export function apiClient(
  { url, from }: { readonly url: string; readonly from: string },
  key: string,
  { fetch, sleep, now, waiting }: ClientEnvironment,
): ApiClient {
  /** When the budget of the minute is spent, the moment at which it is whole again. */
  let resumeAt = 0
  let budget: Budget | null = null
  let contact: Promise<void> | null = null
  const spent = { requests: 0, ms: 0 }

  async function pause(reason: string, ms: number): Promise<void> {
    waiting(reason, ms)
    await sleep(ms)
  }

  /** Any answer proves that the cell is reachable. */
  async function reach(): Promise<void> {
    const signal = AbortSignal.timeout(FIRST_CONTACT_MS)
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await fetch(`${url}/api/v1/health`, { redirect: 'manual', signal })
        return await response.body?.cancel()
      } catch (error) {
        if (attempt === FIRST_TRIES || signal.aborted) throw unreachable(error as Error)
        await sleep(BACKOFF_MS)
      }
    }
  }

  const unreachable = (error: Error): ImportError =>
    new ImportError(
      'unreachable',
      `No response from ${url} (from ${from}): ${causeOf(error)}. Start the cell, or set its address with --url or BACKDESK_URL.`,
      true,
    )

  async function once(path: string, init: RequestInit): Promise<Response | Error> {
    if (resumeAt > now()) await pause('the rate limit', resumeAt - now())
    const begin = now()
    try {
      const response = await fetch(`${url}/api/v1${path}`, {
        ...init,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      spent.requests += 1
      spent.ms += now() - begin
      budget = budgetOf(response.headers)
      resumeAt = budget?.remaining === 0 ? now() + budget.resetMs : 0
      return response
    } catch (error) {
      return error as Error
    }
  }

  async function sendWithRetries<T>(path: string, init: RequestInit): Promise<T> {
    contact ??= reach()
    await contact
    for (let attempt = 1; ; attempt++) {
      const response = await once(path, init)
      if (response instanceof Error) {
        if (attempt > RETRIES) throw unreachable(response)
        await pause(`${url}, which does not respond`, backoff(attempt))
        continue
      }
      const body = await readBody(response)
      if (response.ok && body !== null) return body as T
      const { code = `http_${response.status}` } = body ?? {}
      const retryAfter = Number(response.headers.get('retry-after')) * 1000
      if (response.status === 429) {
        resumeAt = now() + Math.min(LONGEST_WINDOW_MS, retryAfter || backoff(attempt))
        continue
      }
      const passing = PASSING_STATUSES.has(response.status) || PASSING_CODES.has(code) || response.ok
      if (!passing || attempt > RETRIES) throw refusal(`${url} (from ${from})`, response.status, body, passing)
      await pause(`the cell (${code})`, Math.max(retryAfter || 0, backoff(attempt)))
    }
  }
  const headers = { authorization: `Bearer ${key}` }
  return {
    get: (path) => sendWithRetries(path, { headers }),
    post: (path, body, idempotencyKey) =>
      sendWithRetries(path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      }),
    pace: () => ({ secondsEach: spent.ms / 1000 / Math.max(1, spent.requests), budget }),
  }
}

/** The refusal, with the reason for each field that the response names. */
function refusal(where: string, status: number, body: ErrorBody | null, passing: boolean): ImportError {
  if (body?.error === undefined)
    return new ImportError(
      `http_${status}`,
      `${where} responded with ${status}. Check that this is the address of a cell.`,
      passing,
    )
  const details = Object.entries(body.details ?? {}).flatMap(([field, reasons]) =>
    [reasons].flat().map((reason) => `\n  ${field}: ${reason}`),
  )
  const text = `The cell refused the request: ${body.error}${details.join('')}`
  return new ImportError(body.code ?? `http_${status}`, text, passing)
}

/** Null if the response has no rate limit. Measured by the server's clock, which may differ from ours. */
function budgetOf(headers: Headers): Budget | null {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  const [limit, remaining] = [read('limit'), read('remaining')]
  if (Number.isNaN(remaining)) return null
  const left = read('reset') * 1000 - Date.parse(headers.get('date') ?? '')
  const resetMs = Number.isFinite(left) ? Math.min(LONGEST_WINDOW_MS, Math.max(1_000, left)) : LONGEST_WINDOW_MS
  return { limit, remaining, resetMs }
}

const backoff = (attempt: number) => Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (attempt - 1))
/** Why a request has no response. If a host name has several addresses, the cause has a code and no message. */
export const causeOf = ({ cause, message }: Error): string =>
  (cause instanceof Error && (cause.message || (cause as NodeJS.ErrnoException).code)) || message

/**
 * Null if the body is truncated or not an object. A response may get lost after the write; the idempotency key makes
 * the retry safe.
 */
async function readBody(response: Response): Promise<ErrorBody | null> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}
