import { type IncomingMessage, request } from 'node:http'
import { Socket } from 'node:net'
import { type DestinationRules, findDestination } from './destination.ts'
import { dial } from './dial.ts'
import { excerptOf } from './excerpt.ts'
import type { Failure } from './failure.ts'

export type PostRequest = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}
export type PostResponse = {
  readonly statusCode: number
  /** The beginning of the body. */
  readonly excerpt: string
  readonly retryAfterSeconds?: number
}
export type Timeouts = {
  /** For connecting, TLS included. */
  readonly connectMs: number
  /** Time limit from then until the response is complete. */
  readonly readMs: number
  /** For everything, looking up the name included. */
  readonly totalMs: number
}

const TIMEOUTS: Timeouts = { connectMs: 10_000, readMs: 15_000, totalMs: 26_000 }
const HEADERS_MAXIMUM_BYTES = 16 * 1024
/** The rest is not awaited. */
const BODY_MAXIMUM_BYTES = 64 * 1024
const EXCERPT_MAXIMUM_BYTES = 2 * 1024
const SECONDS = /^\d{1,9}$/
/** As RFC 9110 wants dates to be written (section 5.6.7). */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Posts once, to a destination that is checked now, over a new connection to a checked address. Redirects are returned,
 * proxies of the environment are not used, compressed bodies stay compressed. Never throws.
 */
export async function post(
  letter: PostRequest,
  { timeouts = TIMEOUTS, ...rules }: DestinationRules & { readonly timeouts?: Timeouts },
): Promise<(PostResponse | Failure) & { readonly durationMs: number }> {
  const start = performance.now()
  const outcome = await send(letter, rules, timeouts)
  return { ...outcome, durationMs: Math.round(performance.now() - start) }
}

async function send(letter: PostRequest, rules: DestinationRules, timeouts: Timeouts): Promise<PostResponse | Failure> {
  const end = performance.now() + timeouts.totalMs
  const destination = await findDestination(letter.url, rules)
  if ('error' in destination) return destination
  const socket = await dial(destination, Math.min(timeouts.connectMs, end - performance.now()))
  if (!(socket instanceof Socket)) return socket
  const signal = AbortSignal.timeout(Math.max(0, Math.round(Math.min(timeouts.readMs, end - performance.now()))))
  try {
    return await exchange(letter, destination.url, socket, signal)
  } catch (error) {
    return signal.aborted ? { error: 'read_timeout', message: 'the response timed out' } : failureOf(error)
  } finally {
    socket.destroy()
  }
}

/** `http.request` does for both protocols: the socket has been connected, and secured where that was asked for. */
async function exchange(
  { headers, body }: PostRequest,
  url: URL,
  socket: Socket,
  signal: AbortSignal,
): Promise<PostResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({
    createConnection: () => socket,
    method: 'POST',
    path: url.pathname + url.search,
    headers: { host: url.host, 'accept-encoding': 'identity', ...headers },
    maxHeaderSize: HEADERS_MAXIMUM_BYTES,
    signal,
  })
    .on('response', resolve)
    .on('error', reject)
    .on('close', () => reject(new Error('the connection was closed without a response'))) // the whole result of a protocol switch
    .end(body)
  const response = await promise
  const excerpt = excerptOf(await readStart(response), EXCERPT_MAXIMUM_BYTES)
  signal.throwIfAborted() // a body without a length seems to end with its connection
  const retryAfterSeconds = readRetryAfter(response.headers['retry-after'])
  return {
    statusCode: response.statusCode as number,
    excerpt,
    ...(retryAfterSeconds !== null && { retryAfterSeconds }),
  }
}

async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= BODY_MAXIMUM_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
function readRetryAfter(text: string | undefined): number | null {
  if (text === undefined) return null
  if (SECONDS.test(text)) return Number(text)
  const until = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

function failureOf(error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_'))
    return { error: 'invalid_response', message: `the response is not valid HTTP: ${message}` }
  return { error: code.startsWith('ERR_SSL_') ? 'tls' : 'connection', message }
}
