import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './at-end.ts'

type Sent = { content: string; filename: string; encoding?: string; agent: Record<string, string> }
export type Heard = { readonly key: string; readonly authorization: string; readonly body: Sent; readonly text: string }
/**
 * What the cell does with a request instead: nothing; disconnect before or after the capture; or send this response.
 */
type Mishap = 'silent' | 'dropped' | 'cut' | { status: number; headers?: Record<string, string>; body?: object }

export type TicketCell = {
  url: string
  /** Requests, in their order. */
  readonly heard: Heard[]
  /** The text of every file that a sale was made of. */
  readonly captured: string[]
  /** The result of the next requests. */
  readonly mishaps: Mishap[]
  /** How many requests there were at once at most. */
  readonly atOnce: number
  /** Called with each request before it is answered. */
  onRequest: (heard: Heard) => unknown
  /** Stops listening, and hangs up. */
  leave(): Promise<void>
  /** Listens again, where it did before. */
  comeBack(): Promise<void>
}

/**
 * What an agent sees of a cell: a capture for each request, replayed under its key, a duplicate for the same bytes. A
 * file that begins with BAD fails.
 */
export async function startTicketCell(): Promise<TicketCell> {
  const replays = new Map<string, { body: string; answer: object }>()
  const bytes = new Map<string, string>()
  let [port, now, most] = [0, 0, 0]

  function capture({ key, body, text }: Heard): [number, object] {
    const known = replays.get(key)
    if (known && known.body !== JSON.stringify(body)) return [422, { error: 'reused', code: 'idempotency_key_reuse' }]
    if (known) return [201, known.answer]
    const shown = { id: crypto.randomUUID(), provider: 'amadeus', format: 'air', filename: body.filename }
    if (text.startsWith('BAD'))
      return [422, { ...shown, status: 'failed', error: 'Cut off.\nSend it again.', code: 'unparseable' }]
    const sha = hash('sha256', body.content)
    const sale = bytes.get(sha)
    if (sale) return [200, { ...shown, status: 'duplicate', ticket_sale_id: sale, error: null }]
    const ticket_sale_id = crypto.randomUUID()
    const made = { ticket_sale_id, ticket_numbers: ['2352400000001'], document_action: 'issue', error: null }
    const answer = { ...shown, status: 'parsed', ...made }
    bytes.set(sha, ticket_sale_id)
    cell.captured.push(text)
    replays.set(key, { body: JSON.stringify(body), answer })
    return [201, answer]
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const heard = await hear(request)
    if (heard === null) return
    cell.heard.push(heard)
    await cell.onRequest(heard)
    const mishap = cell.mishaps.shift()
    if (mishap === 'silent') return
    if (mishap === 'dropped') return void request.socket.destroy()
    const plain = mishap === undefined || mishap === 'cut'
    const [status, body] = plain ? capture(heard) : [mishap.status, mishap.body ?? { error: 'no', code: 'no' }]
    if (mishap === 'cut') return void request.socket.destroy()
    const headers = plain ? {} : mishap.headers
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

  const server = createServer(async (request, response) => {
    most = Math.max(most, ++now)
    await answer(request, response)
    now -= 1
  })
  const comeBack = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const leave = async () => {
    server.close()
    server.closeAllConnections()
  }
  await comeBack()
  atEnd(leave)
  const cell: TicketCell = {
    url: `http://127.0.0.1:${port}`,
    heard: [],
    captured: [],
    mishaps: [],
    get atOnce() {
      return most
    },
    onRequest: () => {},
    leave,
    comeBack,
  }
  return cell
}

/** Null for a request that was cut off. */
async function hear(request: IncomingMessage): Promise<Heard | null> {
  try {
    const body: Sent = JSON.parse((await Array.fromAsync(request)).join(''))
    const { authorization = '' } = request.headers
    const text = Buffer.from(body.content, 'base64').toString()
    return { key: String(request.headers['idempotency-key']), authorization, body, text }
  } catch {
    return null
  }
}
