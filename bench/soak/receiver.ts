import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../cleanup.ts'

export type Receiver = {
  readonly url: string
  /** How often each delivery came, by its id. */
  readonly heard: ReadonlyMap<string, number>
}

/** Accepts every delivery and stores its id. */
export async function startReceiver(): Promise<Receiver> {
  const heard = new Map<string, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['x-service-delivery'])
    heard.set(id, (heard.get(id) ?? 0) + 1)
    request.resume().on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  atEnd(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard }
}
