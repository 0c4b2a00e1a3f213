import { hash } from 'node:crypto'
import { causeOf } from '../import/api-client.ts'
import { type Answer, isAnswer } from './outcome.ts'

/** The cell, and how to speak to it. */
export type AgentCell = {
  readonly url: string
  readonly key: string
  /** Encoding of the files, if it cannot be detected. */
  readonly encoding: string | null
  readonly agent: { readonly version: string; readonly host: string; readonly os: string }
}
export type Outgoing = { readonly name: string; readonly bytes: Buffer; readonly id: string }

/**
 * Why there is no answer. `away`: the cell is unavailable for all files; `busy`: the limit of this minute is reached;
 * `refused`: the cell rejects all requests until the settings are corrected; `failing`: the cell fails to process this
 * file.
 */
export type Trouble = {
  readonly kind: 'away' | 'busy' | 'refused' | 'failing'
  readonly text: string
  /** As the cell asks for; null is as the agent likes. */
  readonly afterMs: number | null
}
export type Verdict = { readonly answer: Answer } | { readonly trouble: Trouble } | 'key_reused'

const TIMEOUT_MS = 60_000
/** How long a request may continue when the agent is stopped. */
const GRACE_MS = 4_000
/** The longest wait for a new rate limit window, whatever the cell states. */
const LONGEST_WAIT_MS = 61_000
/** Answers after which the same request may do better, whatever the file. */
const PASSING = new Set([408, 409, 425, 502, 503, 504])
/** Answers that are about the file, if the cell itself gave them. */
const ABOUT_THE_FILE = new Set([400, 413, 422])

/** Sends a file once. Never throws: failures are returned as a `Trouble`. */
export async function sendFile(cell: AgentCell, { name, bytes, id }: Outgoing, stop: AbortSignal): Promise<Verdict> {
  const { url, key, encoding, agent } = cell
  const body = JSON.stringify({
    content: bytes.toString('base64'),
    filename: name,
    ...(encoding !== null && { encoding }),
    agent,
  })
  const limit = limits(stop)
  try {
    const response = await fetch(`${url}/api/v1/ticket_imports`, {
      method: 'POST',
      redirect: 'manual',
      signal: limit.signal,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        // The bytes, the name and all the rest: with another body it would be another key.
        'idempotency-key': `agent-${hash('sha256', `${id}\n${body}`)}`,
      },
      body,
    })
    return judge(url, name, response, await readBody(response))
  } catch (error) {
    const cause = limit.signal.aborted ? 'it does not respond' : causeOf(error as Error)
    return trouble('away', `${url} cannot be reached: ${cause}.`)
  } finally {
    limit.clear()
  }
}

function limits(stop: AbortSignal): { signal: AbortSignal; clear(): void } {
  const request = new AbortController()
  const abort = () => request.abort()
  const timers = [setTimeout(abort, TIMEOUT_MS)]
  const hurry = () => void timers.push(setTimeout(abort, GRACE_MS))
  stop.addEventListener('abort', hurry)
  return {
    signal: request.signal,
    clear() {
      timers.forEach(clearTimeout)
      stop.removeEventListener('abort', hurry)
    },
  }
}

type Body = { readonly error?: unknown; readonly code?: unknown }

/** Null for a body that is not a JSON object, such as a proxy's error page. Throws if the body is truncated. */
async function readBody(response: Response): Promise<Body | null> {
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' ? body : null
  } catch {
    return null
  }
}

function judge(url: string, name: string, { ok, status, headers }: Response, body: Body | null): Verdict {
  if ((ok || status === 422) && body && isAnswer(body)) return { answer: body }
  if (body?.code === 'idempotency_key_reuse') return 'key_reused'
  const reason = typeof body?.error === 'string' ? body.error : `responded with ${status}.`
  if (ABOUT_THE_FILE.has(status) && (typeof body?.error === 'string' || status === 413))
    return { answer: { status: 'failed', filename: name, ...body, error: reason } }
  const wait = waitOf(headers)
  if (status === 429) return trouble('busy', `${url} has reached its limit of files per minute.`, wait)
  if (PASSING.has(status)) return trouble('away', `${url} is away: ${reason}`, wait)
  if (status >= 500) return trouble('failing', `${url} failed to process the file: ${reason}`, wait)
  if (status === 401 || status === 403) return trouble('refused', `${url} rejected the API key: ${reason}`)
  const moved = headers.get('location')
  const hint = moved ? ` It redirects to ${moved}.` : ''
  return trouble(
    'refused',
    `${url} does not accept ticket files: ${reason}${hint} Check that --url is the address of the cell.`,
  )
}

const trouble = (kind: Trouble['kind'], text: string, afterMs: number | null = null): Verdict => ({
  trouble: { kind, text, afterMs },
})

/** Retry-After is a number of seconds or a day and time. */
function waitOf(headers: Headers): number | null {
  const asked = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(LONGEST_WAIT_MS, Math.max(0, ms))
}
