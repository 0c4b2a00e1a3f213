import { setGlobalProxyFromEnv } from 'node:http'
import type { Socket } from 'node:net'
import { setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CERTIFICATE } from '../../../test/harness/certificate.ts'
import { startReceiver } from '../../../test/harness/receiver.ts'
import { type Network, readNetwork } from '../access/source-address.ts'
import { findDestination, type Resolve } from './destination.ts'
import { post, type Timeouts } from './post.ts'

const LOOPBACK = [readNetwork('127.0.0.0/8') as Network]
const BODY = '{"name":"Ayşe 😀"}'
const HEADERS = { 'content-type': 'application/json', 'x-service-event': 'record.created' }
/** Long enough that tests never wait for one, unless they test it. */
const PATIENT: Timeouts = { connectMs: 10_000, readMs: 10_000, totalMs: 20_000 }
const SOON_MS = 40

type Options = { timeouts?: Partial<Timeouts>; resolve?: Resolve; allowed?: readonly Network[] }
const send = (url: string, { timeouts, ...options }: Options = {}) =>
  post(
    { url, headers: HEADERS, body: BODY },
    {
      allowed: LOOPBACK,
      resolve: async () => ['127.0.0.1'],
      timeouts: { ...PATIENT, ...timeouts },
      ...options,
    },
  )
const answering =
  (head: string, body: string | Buffer = '') =>
  (socket: Socket) => {
    socket.write(`HTTP/1.1 ${head}\r\n\r\n`)
    socket.end(body)
  }
const ok = answering('200 OK\r\ncontent-length: 2', 'ok')
/** Writes as long as there is a reader. */
const forever = (socket: Socket, text: string) => {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', write)
  write()
}
/** A word every few milliseconds, as long as there is a reader. */
const drip = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 5)
  socket.on('close', () => clearInterval(timer))
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

describe('a post', () => {
  it('sends the body’s exact bytes and the headers, and answers with status and excerpt', async () => {
    const { port, heard } = await startReceiver({ onRequest: answering('202 Accepted', 'thanks') })
    expect(await send(`http://receiver.test:${port}/hooks/a%20b?c=d`)).toEqual({
      statusCode: 202,
      excerpt: 'thanks',
      durationMs: expect.any(Number),
    })
    const [head, body] = (heard[0] as string).split('\r\n\r\n') as [string, string]
    expect(Buffer.from(body, 'latin1').toString()).toBe(BODY)
    expect(head.split('\r\n').sort()).toEqual(
      [
        'POST /hooks/a%20b?c=d HTTP/1.1',
        `host: receiver.test:${port}`,
        'accept-encoding: identity',
        'content-type: application/json',
        'x-service-event: record.created',
        `Content-Length: ${Buffer.byteLength(BODY)}`,
        'Connection: close',
      ].sort(),
    )
  })
  it('has a connection of its own, also where the receiver would keep it', async () => {
    const onRequest = (socket: Socket) =>
      socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok')
    const { port, heard } = await startReceiver({ onRequest })
    for (const count of [1, 2, 3]) {
      expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ statusCode: 200 })
      expect(heard).toHaveLength(count)
    }
  })
  it('asks no proxy of the environment', async () => {
    const proxy = await startReceiver({ onRequest: answering('502 Bad Gateway') })
    // What NODE_USE_ENV_PROXY does when a process starts, which is past here.
    onTestFinished(setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${proxy.port}` }))
    const { port } = await startReceiver({ onRequest: ok })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ statusCode: 200 })
    expect(proxy.heard).toEqual([])
  })
  it.each([204, 301, 400, 404, 410, 413, 429, 500, 503])('reports the status %d', async (status) => {
    const { port } = await startReceiver({ onRequest: answering(`${status} Whatever\r\ncontent-length: 0`) })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ statusCode: status, excerpt: '' })
  })
  it('waits past interim answers for the final one', async () => {
    const interim = '100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK'
    const { port } = await startReceiver({ onRequest: answering(interim, 'ok') })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ statusCode: 200, excerpt: 'ok' })
  })

  it.each([
    ['120', 120],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ])('reads Retry-After: %s', async (text, seconds) => {
    const { port } = await startReceiver({ onRequest: answering(`429 Slow\r\nretry-after: ${text}`) })
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-01T00:00:00Z') })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ statusCode: 429, retryAfterSeconds: seconds })
  })
  it.each(['', 'soon', '-5', '1.5', '99999999999', 'Thu, 99 Jan 2026 00:00:00 GMT', '2026-01-01'])(
    'leaves Retry-After: “%s” out',
    async (text) => {
      const { port } = await startReceiver({ onRequest: answering(`503 Busy\r\nretry-after: ${text}`) })
      expect(await send(`http://receiver.test:${port}/`)).not.toHaveProperty('retryAfterSeconds')
    },
  )
})

describe('the destination of a post', () => {
  it('is checked at every attempt: a name that leads elsewhere by then is refused', async () => {
    const { port, heard } = await startReceiver({ onRequest: ok })
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']]
    const resolve = vi.fn<Resolve>(async () => answers.shift() as string[])
    expect(await send(`http://rebinding.test:${port}/`, { resolve })).toMatchObject({ statusCode: 200 })
    expect(await send(`http://rebinding.test:${port}/`, { resolve })).toMatchObject({ error: 'refused_address' })
    expect(resolve).toHaveBeenCalledTimes(2)
    expect(heard).toHaveLength(1)
  })
  it('was public at registration and is loopback when it is sent: nothing is sent', async () => {
    const { port, heard } = await startReceiver({ onRequest: ok })
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    const resolve: Resolve = async () => answers.shift() as string[]
    const url = `http://rebinding.test:${port}/`
    expect(await findDestination(url, { allowed: [], resolve })).toMatchObject({ addresses: ['8.8.8.8'] })
    expect(await send(url, { allowed: [], resolve })).toMatchObject({ error: 'refused_address' })
    expect(heard).toEqual([])
  })
  it('is the address that was checked: the name is looked up once', async () => {
    const { port } = await startReceiver({ onRequest: ok })
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const resolve: Resolve = async () => answers.shift() ?? []
    expect(await send(`http://rebinding.test:${port}/`, { resolve })).toMatchObject({ statusCode: 200 })
    expect(answers).toHaveLength(1)
  })
  it.each([[['127.0.0.1', '10.0.0.1']], [['10.0.0.1', '127.0.0.1']], [['127.0.0.1', 'fd00::1']]])(
    'is refused where one of the addresses is: %j',
    async (addresses) => {
      const { port, heard } = await startReceiver({ onRequest: ok })
      const outcome = await send(`http://mixed.test:${port}/`, { resolve: async () => addresses })
      expect(outcome).toMatchObject({ error: 'refused_address' })
      expect(heard).toEqual([])
    },
  )
  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '①②⑦.⓪.⓪.①', '[::1]', 'localhost'])(
    'is not %s',
    async (host) => {
      const { port, heard } = await startReceiver({ onRequest: ok })
      expect(await send(`http://${host}:${port}/`, { allowed: [] })).toMatchObject({ error: 'refused_address' })
      expect(heard).toEqual([])
    },
  )
  it.each([301, 302, 303, 307, 308])('is nowhere else after a %d', async (status) => {
    const inside = await startReceiver({ onRequest: ok })
    const location = `location: http://127.0.0.1:${inside.port}/`
    const { port } = await startReceiver({ onRequest: answering(`${status} Moved\r\n${location}`) })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ statusCode: status })
    expect(inside.heard).toEqual([])
  })
  it('is the next address where one refuses', async () => {
    const { port } = await startReceiver({ onRequest: ok })
    const resolve: Resolve = async () => ['127.0.0.2', '127.0.0.1']
    expect(await send(`http://receiver.test:${port}/`, { resolve })).toMatchObject({ statusCode: 200 })
  })
  it('has no header of its URL’s making', async () => {
    const { port, heard } = await startReceiver({ onRequest: ok })
    for (const path of ['/\r\nx-injected: 1', '/%0d%0ax-injected:%201'])
      await send(`http://receiver.test:${port}${path}`)
    expect(heard).toHaveLength(1)
    expect(heard[0]).toMatch(/^POST \/%0d%0ax-injected:%201 HTTP/)
  })
})

describe('a bad receiver', () => {
  const SHORT = { readMs: SOON_MS }
  it('that never answers is given up', async () => {
    const { port } = await startReceiver({})
    const outcome = await send(`http://receiver.test:${port}/`, { timeouts: SHORT })
    expect(outcome).toMatchObject({ error: 'read_timeout' })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(SOON_MS - 1)
  })
  it.each([
    ['a header', 'HTTP/1.1 200 OK\r\n', 'x: y\r\n'],
    ['a byte of the body', 'HTTP/1.1 200 OK\r\n\r\n', '.'],
    ['an interim answer', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('that sends %s now and then is given up', async (_, head, text) => {
    const onRequest = (socket: Socket) => {
      socket.write(head)
      drip(socket, text)
    }
    const { port } = await startReceiver({ onRequest })
    expect(await send(`http://receiver.test:${port}/`, { timeouts: SHORT })).toMatchObject({ error: 'read_timeout' })
  })
  it('has no more time than there is for everything', async () => {
    const { port } = await startReceiver({})
    const outcome = await send(`http://receiver.test:${port}/`, { timeouts: { totalMs: SOON_MS } })
    expect(outcome).toMatchObject({ error: 'read_timeout' })
  })
  it.each([
    ['length', 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000)],
    ['chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `2710\r\n${'x'.repeat(10_000)}\r\n`],
  ])('that never ends its body is cut off, by %s', async (_, head, text) => {
    let end: () => void
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let written = 0
    const onRequest = (socket: Socket) => {
      socket.on('close', () => {
        written = socket.bytesWritten
        end()
      })
      socket.write(head)
      forever(socket, text)
    }
    const { port } = await startReceiver({ onRequest })
    const outcome = await send(`http://receiver.test:${port}/`)
    expect(outcome).toMatchObject({ statusCode: 200, excerpt: 'x'.repeat(2048) })
    await ended
    expect(written).toBeLessThan(32 * 1024 * 1024) // the capacity of the buffers in between
  })
  it('that sends a bomb has sent its bytes', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 'x'))
    const onRequest = answering(`200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}`, bomb)
    const { port } = await startReceiver({ onRequest })
    const outcome = await send(`http://receiver.test:${port}/`)
    expect(outcome).toMatchObject({ statusCode: 200, excerpt: expect.not.stringContaining('xxx') })
  })
  it.each([
    ['hangs up', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['hangs up in its headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nx: y')],
    ['hangs up in its body', answering('200 OK\r\ncontent-length: 100', 'x')],
    ['hangs up in a chunk', answering('200 OK\r\ntransfer-encoding: chunked', '5\r\nab')],
    ['switches protocols', answering('101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade')],
  ])('that %s has not answered', async (_, onRequest) => {
    const { port, heard } = await startReceiver({ onRequest })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ error: 'connection' })
    expect(heard).toHaveLength(1)
  })
  it.each([
    ['is none of the web', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['has too long headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['has too many headers', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`],
    ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['has a line break in a header', 'HTTP/1.1 200 OK\r\nx: a\rb\r\n\r\n'],
  ])('that %s has answered with no HTTP', async (_, text) => {
    const { port } = await startReceiver({ onRequest: (socket) => socket.end(text) })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ error: 'invalid_response' })
  })
  it('that resets every connection is out of reach', async () => {
    const onConnection = (socket: Socket) => {
      socket.resetAndDestroy()
      return false
    }
    const { port } = await startReceiver({ onConnection })
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ error: 'connection' })
  })
  it('that is not there is out of reach', async () => {
    const { port, close } = await startReceiver({})
    close()
    expect(await send(`http://receiver.test:${port}/`)).toMatchObject({ error: 'connection' })
  })
})

describe('TLS', () => {
  const url = (port: number, host = CERTIFICATE.name) => `https://${host}:${port}/`
  const trusting = () => setDefaultCACertificates([CERTIFICATE.cert])
  afterEach(() => setDefaultCACertificates([]))

  it('is taken from the name’s own certificate', async () => {
    trusting()
    const { port, heard } = await startReceiver({ secure: true, onRequest: ok })
    expect(await send(url(port))).toMatchObject({ statusCode: 200, excerpt: 'ok' })
    expect(Buffer.from(heard[0] as string, 'latin1').toString()).toContain(BODY)
  })
  it.each(['other.test', 'sub.receiver.test', '127.0.0.1'])('is not taken for %s', async (host) => {
    trusting()
    const { port, heard } = await startReceiver({ secure: true, onRequest: ok })
    expect(await send(url(port, host))).toMatchObject({ error: 'tls' })
    expect(heard.join('')).toBe('')
  })
  it('is refused without a trusted certificate, regardless of the environment', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { port, heard } = await startReceiver({ secure: true, onRequest: ok })
    expect(await send(url(port))).toMatchObject({ error: 'tls' })
    expect(heard.join('')).toBe('')
  })
  it('is missed at a receiver that speaks none', async () => {
    const onConnection = (socket: Socket) => {
      socket.end('HTTP/1.1 200 OK\r\n\r\n')
      return false
    }
    const { port } = await startReceiver({ onConnection })
    expect(await send(url(port))).toMatchObject({ error: 'tls', message: expect.stringMatching(/^[a-z ]+$/) })
  })
  it('that is never agreed on is given up', async () => {
    const { port } = await startReceiver({ onConnection: () => false })
    const outcome = await send(url(port), { timeouts: { connectMs: SOON_MS } })
    expect(outcome).toMatchObject({ error: 'connect_timeout' })
  })
  it.each([
    ['silent', () => false, { connectMs: 1_000 }],
    ['gone', (socket: Socket) => !socket.destroy(), {}],
  ])('is agreed on with the next address where the first is %s', async (_, first, timeouts) => {
    trusting()
    const onConnection = (socket: Socket, count: number) => count > 1 || first(socket)
    const { port } = await startReceiver({ secure: true, onConnection, onRequest: ok })
    const resolve: Resolve = async () => ['127.0.0.1', '127.0.0.1']
    expect(await send(url(port), { resolve, timeouts })).toMatchObject({ statusCode: 200 })
  })
  it('that breaks after the handshake is a failure', async () => {
    trusting()
    const { port } = await startReceiver({ secure: true, onRequest: (socket) => socket.destroy() })
    expect(await send(url(port))).toMatchObject({ error: 'connection' })
  })
})
