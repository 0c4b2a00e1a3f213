import { once } from 'node:events'
import { createServer, connect as dial, type NetConnectOpts, type Socket } from 'node:net'
import { atEnd } from './at-end.ts'

export type StallingProxy = {
  readonly port: number
  /** Whether data is forwarded; otherwise it is held back. */
  stall(stalled: boolean): void
  /** Whether it hangs up on everybody, as if no server were there. */
  hangUp(away: boolean): void
}

/** A proxy in front of a server that can be told to forward nothing, or to disconnect. */
export async function startProxy(to: NetConnectOpts): Promise<StallingProxy> {
  const open = new Set<Socket>()
  let stalled = false
  let away = false
  const closeAll = () => {
    for (const socket of open) socket.destroy()
  }
  const server = createServer((client) => {
    if (away) return void client.destroy()
    const upstream = dial(to)
    for (const [from, into] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.on('data', (chunk) => into.write(chunk))
      from.on('error', () => into.destroy())
      from.on('close', () => {
        open.delete(from)
        into.destroy()
      })
      if (stalled) from.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    closeAll()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    stall(now) {
      stalled = now
      for (const socket of open) now ? socket.pause() : socket.resume()
    },
    hangUp(now) {
      away = now
      if (away) closeAll()
    },
  }
}
