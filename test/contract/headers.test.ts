import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { english } from '../harness/sample-trips.ts'
import { shareTrip } from '../harness/shared-trip.ts'
import { uploaded } from '../harness/upload.ts'

const REQUEST = 'a-request:1'
/** What every answer has, of a cell that is reached by TLS. */
const EVERY = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
  'x-request-id': REQUEST,
}
/** Everything that a browser displays must not be framed, and must send no referrer. */
const SHOWN = {
  ...EVERY,
  'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  'referrer-policy': 'no-referrer',
}

let cell: TestCell
let agency: Agency
let trip: string
let file: string
beforeAll(async () => {
  cell = await startCell({ publicUrl: 'https://cell.example' })
  agency = await makeAgency(cell)
  trip = (await shareTrip(cell, agency, english)).token
  const { key } = agency
  const customer = await cell.call('POST', '/customers', { key, body: { customer: { name: 'Ada' } } })
  const { id } = (customer.body as { data: { id: string } }).data
  const { signed_id } = await uploaded(cell, key, 'note.txt', 'A note.')
  const note = { note: { body: 'Hi', attachment_ids: [signed_id] } }
  const made = await cell.call('POST', `/customers/${id}/notes`, { key, body: note })
  file = new URL(/"(https:[^"]+\/files\/[^"]+)"/.exec(made.text)?.[1] ?? '').pathname
})

type Kind = [what: string, status: number, method: 'GET' | 'POST', path: () => string, headers: object, more?: object]
const KINDS: readonly Kind[] = [
  ['health', 200, 'GET', () => '/api/v1/health', EVERY],
  ['readiness', 200, 'GET', () => '/ready', EVERY],
  ['the OpenAPI document', 200, 'GET', () => '/openapi.json', EVERY],
  ['a record', 200, 'GET', () => '/api/v1/me', EVERY, { key: true }],
  ['no key', 401, 'GET', () => '/api/v1/me', EVERY],
  ['no such address', 404, 'GET', () => '/nowhere', EVERY],
  ['an address whose escapes do not hold', 400, 'GET', () => '/api/v1/customers/%zz', EVERY],
  ['another method', 405, 'POST', () => '/api/v1/health', EVERY],
  ['another type', 415, 'POST', () => '/api/v1/customers', EVERY, { key: true, type: 'text/plain' }],
  ['the reference', 200, 'GET', () => '/docs/', SHOWN],
  ['a shared trip', 200, 'GET', () => `/s/${trip}`, SHOWN],
  ['the calendar of a trip', 200, 'GET', () => `/s/${trip}/trip.ics`, SHOWN],
  ['no such trip', 404, 'GET', () => `/s/${'A'.repeat(32)}`, SHOWN],
  ['a stale address to unsubscribe', 404, 'GET', () => '/u/stale', SHOWN],
  ['a file', 200, 'GET', () => file, SHOWN],
]

describe('every answer has strict headers, and lets no other site read it', () => {
  it.each(KINDS)('%s (%i)', async (_, status, method, path, expected, more = {}) => {
    const { key, type } = more as { key?: true; type?: string }
    const answer = await cell.app.inject({
      method,
      url: path(),
      headers: {
        'x-request-id': REQUEST,
        origin: 'https://elsewhere.example',
        ...(key && { authorization: `Bearer ${agency.key}` }),
        ...(type && { 'content-type': type }),
      },
      ...(type && { payload: 'x' }),
    })
    expect([answer.statusCode, answer.headers]).toEqual([status, expect.objectContaining(expected)])
    const others = Object.keys(answer.headers).filter((name) => /^access-control-|^server$|^x-powered-by$/.test(name))
    expect(others).toEqual([])
  })
  it('bytes that are not a request (400)', async () => {
    const address = await cell.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('NONSENSE\r\n\r\n')
    const responseText = await text(socket)
    expect(responseText).toMatch(/^HTTP\/1\.1 400 /)
    for (const name of Object.keys(EVERY)) expect(responseText).toMatch(new RegExp(`^${name}: \\S`, 'm'))
  })
  it('and speaks of TLS only where it is reached by it', async () => {
    const app = buildApp({ ...cell.deps, config: { ...cell.deps.config, publicUrl: 'http://localhost:3000' } })
    expect((await app.inject('/api/v1/health')).headers).not.toHaveProperty('strict-transport-security')
    await app.close()
  })
  it.each(['', 'a b', 'ü', 'x'.repeat(101), '<script>'])('makes a request id where %j was sent for one', async (id) => {
    const { headers } = await cell.app.inject({ url: '/api/v1/health', headers: { 'x-request-id': id } })
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  })
})
