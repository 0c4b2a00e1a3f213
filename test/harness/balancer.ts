import { once } from 'node:events'
import { createServer, connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './at-end.ts'

const PROBE_MS = 50
const PROBE_TIMEOUT_MS = 2_000

export type Balancer = {
  readonly url: string
  /** Waits until those of the processes that are ready are as many. */
  until(ready: number): Promise<void>
}

/** Spreads connections over the processes that say that they are ready, and cuts off and repeats nothing. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let ready: readonly number[] = []
  let closed = false
  let turn = 0
  const probe = async (port: number) => {
    try {
      const headers = { connection: 'close' }
      const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
      const answer = await fetch(`http://127.0.0.1:${port}/ready`, { headers, signal })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }
  const watching = (async () => {
    for (; !closed; await sleep(PROBE_MS)) {
      const found = await Promise.all(ports.map(probe))
      ready = ports.filter((_, at) => found[at])
    }
  })()
  const server = createServer({ allowHalfOpen: false }, (client) => {
    const port = ready[turn++ % ready.length]
    if (port === undefined) return void client.destroy()
    const upstream = dial({ port, host: '127.0.0.1', noDelay: true })
    client.setNoDelay(true)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    closed = true
    await watching
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async until(count) {
      while (ready.length !== count) await sleep(PROBE_MS)
    },
  }
}
