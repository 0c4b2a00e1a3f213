import { type AddressInfo, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { CERTIFICATE } from './certificate.ts'

export type Receiver = {
  readonly port: number
  /** The data received over each connection, a character for each byte. */
  readonly heard: readonly string[]
  /** Happens at the end of the test, if not before. */
  readonly close: () => void
}
type Behaviour = {
  /** At the connection; `count` is its number, from 1. False keeps it open without an answer. */
  readonly onConnection?: (socket: Socket, count: number) => boolean
  /** At a request that came in whole. */
  readonly onRequest?: (socket: Socket, count: number) => void
  /** Whether it shows the certificate of `receiver.test`. */
  readonly secure?: boolean
}

/** A webhook receiver that may break every rule of HTTP: it sends anything at any time. */
export async function startReceiver({ onConnection, onRequest, secure = false }: Behaviour): Promise<Receiver> {
  const heard: string[] = []
  const sockets: Socket[] = []
  const server = createServer((raw) => {
    sockets.push(raw.on('error', () => {})) // the caller may disconnect
    const count = sockets.length
    if (onConnection?.(raw, count) === false) return
    const socket = secure ? new TLSSocket(raw, { isServer: true, ...CERTIFICATE }).on('error', () => {}) : raw
    heard.push('')
    const at = heard.length - 1
    socket.on('data', (chunk) => {
      heard[at] += chunk.toString('latin1')
      if (isWhole(heard[at] as string)) onRequest?.(socket, count)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  onTestFinished(close)
  return { port, heard, close }
}

function isWhole(text: string): boolean {
  const [head = '', ...body] = text.split('\r\n\r\n')
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  return length !== undefined && body.join('\r\n\r\n').length === Number(length)
}
