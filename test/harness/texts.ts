import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { MessagingAddress } from '../../src/platform/messaging/messaging-address.ts'
import { atEnd } from './at-end.ts'

/** A text that was taken, and is on its way. */
export type TakenText = {
  readonly sid: string
  readonly from: string
  readonly to: string
  readonly body: string
  readonly status: string
  readonly error_code: number | null
  readonly date_created: string
  readonly date_sent: null
  readonly callback: string
}
type Behaviour = 'takes' | 'takes and hangs up' | 'takes and breaks' | 'breaks' | 'hangs up' | 'is busy' | 'waits'
export type Provider = {
  readonly address: MessagingAddress
  readonly taken: readonly TakenText[]
  /** Its behaviour from now on. `waits` responds when it is told to. */
  behave(behaviour: Behaviour): void
  /** Whether it lists accepted texts. */
  list(does: boolean): void
  release(): void
}

const SID = 'AC00000000000000000000000000000000'
const TOKEN = 'the auth token'
const NUMBER = /^(whatsapp:)?\+\d{8,15}$/
const PAGE = 50

/** A server that speaks Twilio's API of messages. A number that ends with `#CODE` is refused with that code. */
export async function startProvider(): Promise<Provider> {
  const taken: TakenText[] = []
  const waiting: (() => void)[] = []
  let behaviour: Behaviour = 'takes'
  let lists = true

  function take(form: URLSearchParams): TakenText {
    const message: TakenText = {
      sid: `SM${randomBytes(16).toString('hex')}`,
      from: form.get('From') ?? '',
      to: form.get('To') ?? '',
      body: form.get('Body') ?? '',
      status: 'queued',
      error_code: null,
      date_created: new Date().toUTCString().replace('GMT', '+0000'),
      date_sent: null,
      callback: form.get('StatusCallback') ?? '',
    }
    taken.push(message)
    return message
  }
  async function create(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const [to = '', code] = (form.get('To') ?? '').split('#')
    if (behaviour === 'breaks') return send(response, 503, 'away')
    if (behaviour === 'is busy') return send(response, 429, problem(20_429, 429))
    if (behaviour === 'hangs up') return void request.socket.destroy()
    if (code !== undefined) return send(response, 400, problem(Number(code), 400))
    if (!NUMBER.test(to)) return send(response, 400, problem(21_211, 400))
    const message = take(form)
    if (behaviour === 'takes and hangs up') return void request.socket.destroy()
    if (behaviour === 'takes and breaks') return send(response, 500, 'oops')
    if (behaviour === 'waits') await new Promise<void>((resolve) => waiting.push(resolve))
    send(response, 201, message)
  }
  function search(query: URLSearchParams, response: ServerResponse): void {
    const asked = (['to', 'from'] as const).filter((name) => query.has(name === 'to' ? 'To' : 'From'))
    const found = taken.filter((message) =>
      asked.every((name) => message[name] === query.get(name === 'to' ? 'To' : 'From')),
    )
    if (!lists) send(response, 500, 'oops')
    else send(response, 200, { messages: found.toReversed().slice(0, Number(query.get('PageSize') ?? PAGE)) })
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider.test')
    const expected = `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== expected) return send(response, 401, problem(20_003, 401))
    if (pathname !== `/2010-04-01/Accounts/${SID}/Messages.json`) return send(response, 404, problem(20_404, 404))
    if (request.method === 'GET') return search(searchParams, response)
    void create(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    address: {
      url: `http://127.0.0.1:${port}`,
      sid: SID,
      token: TOKEN,
      smsFrom: '+15005550006',
      whatsappFrom: '+14155238886',
    },
    taken,
    behave: (does) => {
      behaviour = does
    },
    list: (does) => {
      lists = does
    },
    release: () => {
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

const problem = (code: number, status: number) => ({
  code,
  message: 'No',
  more_info: `https://provider.test/${code}`,
  status,
})

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
