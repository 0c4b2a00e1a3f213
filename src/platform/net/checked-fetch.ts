import { type IncomingMessage, request } from 'node:http'
import { Socket } from 'node:net'
import { type DestinationRules, findDestination } from './destination.ts'
import { dial } from './dial.ts'
import type { Failure } from './failure.ts'

export type CheckedRequest = {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}
const CONNECT_MS = 5_000
const HEADERS_MAXIMUM_BYTES = 16 * 1024
const BODY_MAXIMUM_BYTES = 256 * 1024
const WITHOUT_BODY = new Set([204, 205, 304])

/** Why a request of `checkedFetch` had no answer. */
export class NotFetched extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/**
 * What `fetch` is for libraries that take one, for addresses that users give: each request goes to a destination that is
 * checked then, over a new connection to a checked address. Redirects are answered, not followed.
 */
export const checkedFetch =
  (rules: DestinationRules) =>
  async (address: string, asked: CheckedRequest): Promise<Response> => {
    const destination = await findDestination(address, rules)
    if ('error' in destination) throw new NotFetched(destination)
    const socket = await dial(destination, CONNECT_MS)
    if (!(socket instanceof Socket)) throw new NotFetched(socket)
    try {
      return await exchange(destination.url, socket, asked)
    } catch (error) {
      const { message } = error as Error
      throw new NotFetched({ error: asked.signal?.aborted ? 'read_timeout' : 'invalid_response', message })
    } finally {
      socket.destroy()
    }
  }

async function exchange(url: URL, socket: Socket, asked: CheckedRequest): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request({
    createConnection: () => socket,
    method: asked.method,
    path: url.pathname + url.search,
    headers: { ...asked.headers, host: url.host, 'accept-encoding': 'identity' },
    maxHeaderSize: HEADERS_MAXIMUM_BYTES,
    ...(asked.signal && { signal: asked.signal }),
  })
    .on('response', resolve)
    .on('error', reject)
    .on('close', () => reject(new Error('the connection was closed without a response')))
    .end(asked.body === undefined || asked.body === null ? undefined : String(asked.body))
  const response = await promise
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > BODY_MAXIMUM_BYTES) throw new Error(`the response is larger than ${BODY_MAXIMUM_BYTES} bytes`)
  }
  asked.signal?.throwIfAborted() // a body without a length seems to end with its connection
  const status = response.statusCode ?? 0
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Response(WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), { status, headers })
}
