import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { residentMb } from '../../harness/process.ts'
import { type Process, prepareStorm, type Storm, startProcess, statusOf } from '../../harness/storm.ts'

const MEGABYTE = 1024 * 1024
const AT_ONCE = 4 // as many as an account may send at once
/** Relative to the memory before the test. */
const GROWTH_MB = 150
const UPLOADS = 200
const PIECE = Buffer.alloc(MEGABYTE, ' ')

let storm: Storm
let process: Process
beforeAll(async () => {
  storm = await prepareStorm(1)
  process = await startProcess(storm.cell)
})

/** Sends a body in pieces as long as it is accepted; returns the response, however the connection ended. */
function post(pieces: readonly Buffer[], headers: Record<string, string | number> = {}): Promise<unknown[]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[]>()
  const sent = request(`${process.url}/api/v1/imports/customers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${storm.agencies[0]?.key}`, 'content-type': 'application/json', ...headers },
  })
  let answered = false
  sent.on('response', (answer) => {
    answered = true
    text(answer).then(
      (responseText) => resolve([answer.statusCode, (JSON.parse(responseText) as { code: string }).code]),
      reject,
    )
  })
  sent.on('error', (error) => answered || reject(error))
  for (const piece of pieces) sent.write(piece)
  sent.end()
  return promise
}
const megabytes = (count: number) => Array.from({ length: count }, () => PIECE)
const lengthOf = (pieces: readonly Buffer[]) => ({ 'content-length': Buffer.concat(pieces).length })
const json = (body: string) => [Buffer.from(body)]
const nested = (depth: number) => json(`{"rows":[{"external_id":${'['.repeat(depth)}${']'.repeat(depth)}}]}`)

describe.skipIf(globalThis.process.platform !== 'linux')('a body', () => {
  it.each<[string, unknown[], readonly Buffer[], Record<string, string | number>]>([
    ['of 50 MB, as it says', [413, 'payload_too_large'], megabytes(50), lengthOf(megabytes(50))],
    ['of 50 MB, in chunks', [413, 'payload_too_large'], megabytes(50), {}],
    ['of 9 MB of blanks', [400, 'bad_request'], megabytes(9), {}],
    ['of a million brackets', [400, 'bad_request'], nested(1_000_000), {}],
    ['of a thousand brackets', [400, 'bad_request'], nested(1_000), {}],
    ['of a million rows', [422, 'too_many_rows'], json(`{"rows":[${'1,'.repeat(999_999)}1]}`), {}],
    ['that is compressed', [415, 'unsupported_media_type'], [gzipSync('{}')], { 'content-encoding': 'gzip' }],
    ['that ends in the middle', [400, 'bad_request'], json('{"rows":[{"external_id":"A'), {}],
    ['that is no text', [400, 'bad_request'], [Buffer.from([0x7b, 0xff, 0xfe, 0x7d])], {}],
  ])(
    '%s is refused with %j, as often as it comes, and the process stays as it is',
    async (_, refusal, pieces, headers) => {
      const { pid } = process.child
      await post(pieces, headers) // the cost must not grow with their number
      const before = residentMb(pid)
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => post(pieces, headers)))
      expect(answers).toEqual(Array(AT_ONCE).fill(refusal))
      expect(await statusOf(`${process.url}/api/v1/health`)).toBe(200)
      expect([process.child.pid, process.child.exitCode]).toEqual([pid, null])
      expect(residentMb(pid) - before).toBeLessThan(GROWTH_MB)
    },
  )
  it('of 9.9 MB, two hundred at once of which none ever ends, costs neither memory nor the health of others', async () => {
    const { hostname, port } = new URL(process.url)
    const before = residentMb(process.child.pid)
    const lines = [
      'POST /api/v1/uploads HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${storm.agencies[0]?.key}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${10 * MEGABYTE}`,
    ]
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    let refused = 0
    const most = Promise.withResolvers<void>()
    const sockets = Array.from({ length: UPLOADS }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.once('data', () => ++refused === UPLOADS - AT_ONCE && most.resolve())
      socket.write(`${lines.join('\r\n')}\r\n\r\n${part}`)
      socket.write(Buffer.alloc(9.9 * MEGABYTE, 'a'))
      return socket
    })
    await most.promise
    expect(await statusOf(`${process.url}/api/v1/health`)).toBe(200)
    expect(residentMb(process.child.pid) - before).toBeLessThan(GROWTH_MB)
    for (const socket of sockets) socket.destroy()
    await expect
      .poll(() => post(json(`{"rows":[],"x":"${'a'.repeat(9 * MEGABYTE)}"}`)))
      .toEqual([422, 'validation_failed'])
  })
  it('that never comes is refused all the same, where the connection is closed after it', async () => {
    const { hostname, port } = new URL(process.url)
    const socket = connect(Number(port), hostname)
    const lines = [
      'POST /api/v1/imports/customers HTTP/1.1',
      'Host: x',
      'Connection: close',
      'Content-Length: 50000000',
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401/)
  })
})
