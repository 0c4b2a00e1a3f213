import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { bearer } from '../http.ts'

const GIVE_UP_MS = 60_000

export type Answer = {
  /** 0 without an answer. */
  readonly status: number
  readonly ms: number
  readonly text: string
  /** Seconds of Retry-After, if stated. */
  readonly retryAfter: number | null
}
export type Sent = {
  readonly method?: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly key?: string
  readonly body?: object
  readonly idempotencyKey?: string
}

/** Returns a function that sends requests to a cell over persistent connections. */
export function caller(url: string): (sent: Sent) => Promise<Answer> {
  const agent = new Agent({ keepAlive: true })
  return async ({ method = 'GET', path, key, body, idempotencyKey }) => {
    const begin = performance.now()
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const end = (status: number, text = '', retryAfter: string | undefined = undefined) =>
      resolve({ status, ms: performance.now() - begin, text, retryAfter: retryAfter ? Number(retryAfter) : null })
    const headers = {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(key && bearer(key)),
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    request(url + path, { method, agent, headers, timeout: GIVE_UP_MS }, (answer) => {
      text(answer).then(
        (text) => end(answer.statusCode ?? 0, text, answer.headers['retry-after']),
        () => end(0),
      )
    })
      .on('timeout', function (this: { destroy(): void }) {
        this.destroy()
      })
      .on('error', () => end(0))
      .end(body && JSON.stringify(body))
    return promise
  }
}
