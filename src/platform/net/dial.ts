import { connect as connectTcp, isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Destination, hostOf, portOf } from './destination.ts'
import type { Failure } from './failure.ts'

/** So that each has seconds: a silent one takes its share of the time, and leaves the rest to those behind it. */
const ADDRESSES_TRIED = 4

/**
 * A connection to the first of a destination's addresses that accepts one, or the failure of the last. TLS is verified
 * against the host name of the URL, whichever address responds.
 */
export async function dial({ url, addresses }: Destination, timeoutMs: number): Promise<Socket | Failure> {
  const deadline = performance.now() + timeoutMs
  let failure: Failure = { error: 'connection', message: 'no address to connect to' }
  let left = Math.min(addresses.length, ADDRESSES_TRIED)
  for (const address of addresses.slice(0, left)) {
    const outcome = await connect(url, address, (deadline - performance.now()) / left--)
    if (outcome instanceof Socket) return outcome
    failure = outcome
  }
  return failure
}

function connect(url: URL, address: string, timeoutMs: number): Promise<Socket | Failure> {
  const { promise, resolve } = Promise.withResolvers<Socket | Failure>()
  const secure = url.protocol === 'https:'
  const socket = secure ? secured(url, address) : connectTcp({ host: address, port: portOf(url) })
  const timer = setTimeout(() => {
    socket.destroy()
    resolve({ error: 'connect_timeout', message: `connecting to ${address} timed out` })
  }, timeoutMs)
  let reached = false
  socket.once('connect', () => {
    reached = true
  })
  socket.once(secure ? 'secureConnect' : 'connect', () => {
    clearTimeout(timer)
    resolve(socket)
  })
  // Stays when the socket is handed on: an unhandled error event ends the process.
  socket.on('error', (error: Error & { reason?: string }) => {
    clearTimeout(timer)
    // The reason of OpenSSL, without the place in its source that found it.
    resolve({ error: reached ? 'tls' : 'connection', message: error.reason ?? error.message })
  })
  return promise
}

function secured(url: URL, address: string): Socket {
  const name = hostOf(url)
  return connectTls({
    host: address, // what the certificate is verified against where the URL has no name
    port: portOf(url),
    ...(isIP(name) === 0 && { servername: name }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true, // overrides the environment
  })
}
