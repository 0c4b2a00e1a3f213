import type { Socket } from 'node:net'
import { verifyWebhook } from 'backdesk'
import { expect } from 'vitest'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export type Heard = {
  readonly event: string
  readonly delivery: string
  readonly attempt: number
  readonly signature: string
  readonly body: string
}
/** A receiver, and the subscription that sends to it. */
export type Subscriber = Receiver & { readonly id: string; readonly secret: string; requests(): Heard[] }
export const OK = 'HTTP/1.1 204 No Content\r\n\r\n'
export const answer = (status: string, ...headers: string[]) =>
  [`HTTP/1.1 ${status}`, ...headers, 'Content-Length: 0', '', ''].join('\r\n')

/** Subscribes a receiver that answers every request so. */
export async function subscribe(
  cell: TestCell,
  of: Agency,
  respond: string | ((socket: Socket) => void) = OK,
): Promise<Subscriber> {
  const whole: Heard[] = []
  const receiver = await startReceiver({
    onRequest(socket, count) {
      whole.push(read(receiver.heard[count - 1] as string))
      if (typeof respond === 'string') socket.end(respond)
      else respond(socket)
    },
  })
  const body = { url: `http://127.0.0.1:${receiver.port}/` }
  const made = (await cell.call('POST', '/webhooks', { key: of.key, body })).body as {
    id: string
    signing_secret: string
  }
  const { id, signing_secret: secret } = made
  return { ...receiver, id, secret, requests: () => whole }
}
function read(heard: string): Heard {
  const [head = '', ...body] = heard.split('\r\n\r\n')
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] as string
  return {
    event: header('X-Service-Event'),
    delivery: header('X-Service-Delivery'),
    attempt: Number(header('X-Service-Attempt')),
    signature: header('X-Service-Signature'),
    body: Buffer.from(body.join('\r\n\r\n'), 'latin1').toString(),
  }
}
/** A receiver that does not respond until it is told to. */
export function holding() {
  const held: Socket[] = []
  let most = 0
  let open = false
  return {
    held,
    most: () => most,
    respond(socket: Socket) {
      if (open) return void socket.end(OK)
      most = Math.max(most, held.push(socket))
    },
    /** Answers all that it holds, and from now on at once. */
    release(text = OK) {
      open = true
      for (const socket of held.splice(0)) socket.end(text)
    },
  }
}

/** Whether every attempt of a delivery had the same body, the next number, and signatures with all of the secrets. */
export function expectFaithful({ requests, secret }: Subscriber, secrets = [secret]): void {
  for (const attempts of Map.groupBy(requests(), ({ delivery }) => delivery).values()) {
    const numbers = attempts.map(({ attempt }) => attempt)
    expect(numbers).toEqual([...new Set(numbers)].sort())
    expect(numbers.every((number) => number >= 1 && number <= 5)).toBe(true)
    expect(new Set(attempts.map(({ body }) => body)).size).toBe(1)
    for (const { body, event, signature } of attempts) {
      expect(JSON.parse(body)).toMatchObject({ id: expect.stringMatching(/^evt_[0-9A-Za-z]+$/), event })
      expect(secrets.map((one) => verifyWebhook(body, signature, one))).toEqual(secrets.map(() => true))
    }
  }
}
