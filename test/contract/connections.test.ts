import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp, TIMEOUTS } from '../../src/app.ts'
import type { WindowCounts } from '../../src/platform/http/rate-limit.ts'
import { openLog } from '../../src/platform/open-log.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { uploaded } from '../harness/upload.ts'

const HOST = '127.0.0.1'
const ON_LINUX = process.platform === 'linux'
const MEGABYTES = 1024 * 1024
const SOON = { ...TIMEOUTS, headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 10 }
const ERROR_LEVEL = 40
const UPLOAD = { path: '/api/v1/uploads', type: 'multipart/form-data; boundary=b' }
const FILE_BEGINS = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
const BODIES = [
  ['a record', { path: '/api/v1/customers', type: 'application/json' }, '{"customer":'],
  ['an import', { path: '/api/v1/imports/customers', type: 'application/json' }, '{"rows":['],
  ['a ticket file', { path: '/api/v1/ticket_imports', type: 'application/json' }, '{"content":"'],
  ['an upload before its file', UPLOAD, '--b\r\n'],
  ['an upload in the middle of its file', UPLOAD, FILE_BEGINS],
] as const

type Line = { msg: string; level: number; request?: string; status?: unknown }
let cell: TestCell
let agency: Agency
let port: number
const lines: Line[] = []
const waiting = new Map<string, () => void>()
beforeAll(async () => {
  const write = (text: string) => {
    const line = JSON.parse(text) as Line
    lines.push(line)
    if (line.msg === 'answered') waiting.get(line.request ?? '')?.()
  }
  cell = await startCell({ logRequests: true, deps: { count: uncounted, log: openLog('trace', { write }) } })
  agency = await makeAgency(cell)
  port = Number(new URL(await cell.app.listen({ port: 0, host: HOST })).port)
})

async function open(to = port): Promise<Socket> {
  const socket = connect({ port: to, host: HOST, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}
const headOf = ({ path, type }: { path: string; type: string }, bytes: number, id: string) =>
  `${[
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${agency.key}`,
    `X-Request-Id: ${id}`,
    `Content-Type: ${type}`,
    `Content-Length: ${bytes}`,
  ].join('\r\n')}\r\n\r\n`
/** The request is over on our side. */
const over = (id: string) => new Promise<void>((resolve) => void waiting.set(id, resolve))
const filesHeldOpen = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(cell.deps.config.dataDir)
    } catch {
      return false // closed in the meantime
    }
  })

describe('a connection', () => {
  it('has 15 s for the head of a request, the first of which ends silent ones too', () => {
    expect(TIMEOUTS.headersTimeout + TIMEOUTS.connectionsCheckingInterval).toBeLessThanOrEqual(16_000)
  })
  it.each([
    ['sends nothing', ''],
    ['sends half of a head', 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n'],
    ['sends half of a body', 'POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{'],
  ])('that %s is informed and closed in time, even if its client never closes it', async (_, sent) => {
    const app = buildApp(cell.deps, undefined, SOON)
    onTestFinished(() => void app.close())
    await app.listen({ port: 0, host: HOST })
    const accepted = once(app.server, 'connection') as Promise<[Socket]>
    const socket = await open((app.server.address() as AddressInfo).port)
    const [ours] = await accepted
    const closed = once(ours, 'close')
    socket.write(sent)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[18] /)
    await closed
  })
  it.each(BODIES)('that breaks during %s is not an error, and leaves nothing behind', async (_, to, body) => {
    const id = crypto.randomUUID()
    const [before, ended] = [lines.length, over(id)]
    const socket = await open()
    const arrived = once(cell.app.server, 'request')
    socket.write(headOf(to, 200_000, id) + body + 'x'.repeat(100_000))
    await arrived
    if (body === FILE_BEGINS && ON_LINUX) await expect.poll(filesHeldOpen).toHaveLength(1)
    socket.resetAndDestroy()
    await ended
    expect(lines.slice(before).filter(({ level }) => level >= ERROR_LEVEL)).toEqual([])
    expect(lines.at(-1)).toMatchObject({ request: id, status: 'aborted' })
    if (ON_LINUX) await expect.poll(filesHeldOpen).toEqual([])
  })
})

describe('large bodies', () => {
  it('of one account are four at a time; more are refused unread, and smaller ones and other accounts are taken', async () => {
    const ids = Array.from({ length: 200 }, () => crypto.randomUUID())
    const sockets = await Promise.all(ids.map(() => open()))
    const answers = sockets.map((socket) => once(socket, 'data').then(([chunk]) => String(chunk)))
    const refused = Promise.withResolvers<string[]>()
    const receivedTexts: string[] = []
    for (const answer of answers)
      void answer.then(
        (text) => receivedTexts.push(text) === ids.length - 4 && refused.resolve(receivedTexts),
        () => {},
      )
    for (const [at, socket] of sockets.entries())
      socket.write(headOf(at % 2 ? UPLOAD : BODIES[1][1], 10 * MEGABYTES, ids[at] ?? ''))
    for (const text of await refused.promise) {
      expect(text).toMatch(/^HTTP\/1\.1 429 /)
      expect(text).toMatch(/retry-after: \d+\r\n[\s\S]*"code":"rate_limited"/)
    }
    await uploaded(cell, (await makeAgency(cell)).key, 'a.txt', Buffer.alloc(MEGABYTES, 'a'))
    await uploaded(cell, agency.key, 'a.txt', 'A note.')
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await cell.call('POST', '/uploads', nineMegabytes())).status).toBe(201)
  })
  it('of clients that hang up while their key is looked up take nothing from those that come after', async () => {
    const { promise: lookedUp, resolve } = Promise.withResolvers<WindowCounts>()
    const app = buildApp({ ...cell.deps, count: () => lookedUp })
    onTestFinished(() => void app.close())
    await app.listen({ port: 0, host: HOST })
    for (let at = 0; at < 4; at++) {
      const socket = await open((app.server.address() as AddressInfo).port)
      const asked = once(app.server, 'request') as Promise<[unknown, ServerResponse]>
      socket.write(headOf(UPLOAD, 10 * MEGABYTES, crypto.randomUUID()))
      const [, response] = await asked
      socket.resetAndDestroy()
      await once(response, 'close')
    }
    resolve({ minute: 0, requests: [] })
    const { key, raw, headers } = nineMegabytes()
    const answer = await app.inject({
      method: 'POST',
      url: UPLOAD.path,
      headers: { ...headers, authorization: `Bearer ${key}` },
      payload: raw,
    })
    expect(answer.statusCode).toBe(201)
  })
})

function nineMegabytes() {
  const body = `${FILE_BEGINS}${'a'.repeat(9 * MEGABYTES)}\r\n--b--\r\n`
  return { key: agency.key, raw: body, headers: { 'content-type': UPLOAD.type } }
}
