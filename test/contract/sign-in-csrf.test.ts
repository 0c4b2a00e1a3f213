import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { appRoutes } from '../harness/routes.ts'
import { ask } from '../harness/sql.ts'

const KIB = 1024
const writes = appRoutes.filter(({ method }) => method !== 'GET')

let cell: TestCell
let agency: Agency
let session: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  session = await signInAs(cell, agency.number, agency.owner.id)
})
const outcomeOf = ({ status, body }: { status: number; body: never }) => [status, (body as { code?: string })?.code]
const pathOf = (path: string) => `/app/v1${path.replace(/:\w+/g, 'missing')}`

describe.each<[string, Record<string, string | undefined>]>([
  ['of a foreign page', { 'sec-fetch-site': 'cross-site' }],
  ['of another host of the same domain', { 'sec-fetch-site': 'same-site' }],
  ['that a person typed', { 'sec-fetch-site': 'none' }],
  ['of a foreign page that names its own origin', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
  ['of a foreign origin, by an old browser', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
  ['of a document without an origin, by an old browser', { 'sec-fetch-site': undefined, origin: 'null' }],
  ['without an origin', { 'sec-fetch-site': undefined }],
  ['without the header of the console', { 'backdesk-console': undefined }],
])('a write %s', (_, headers) => {
  it('is refused on every route before its body is read', async () => {
    for (const { method, path } of writes) {
      const answer = await cell.call(method, pathOf(path), { session, headers, raw: '{"broken' })
      expect([method, path, ...outcomeOf(answer)]).toEqual([method, path, 403, 'forbidden'])
    }
    expect(await ask(cell, 'select from sessions where ended_at is not null')).toEqual([])
  })
})

describe('a form', () => {
  it.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
    'posted as %s is refused, even where it came from the own origin',
    async (type) => {
      const post = (path: string, headers: Record<string, string | undefined>) =>
        cell.call('POST', path, { session, raw: 'a=b', headers: { 'content-type': type, ...headers } })
      const path = '/app/v1/sessions/end_others'
      expect(outcomeOf(await post(path, { 'backdesk-console': undefined }))).toEqual([403, 'forbidden'])
      expect(outcomeOf(await post(path, {}))).toEqual([415, 'unsupported_media_type'])
    },
  )
})

describe('a page elsewhere', () => {
  it('may neither read an answer nor load it', async () => {
    const own = await cell.call('GET', '/app/v1/me', { session, headers: { origin: 'https://evil.example' } })
    const refused = await cell.call('GET', '/app/v1/me', { headers: { 'sec-fetch-site': 'cross-site' } })
    const unread = await cell.call('POST', '/app/v1/sign_in/password', { raw: '{' })
    expect([own, refused, unread].map(({ status }) => status)).toEqual([200, 401, 400])
    for (const { headers } of [own, refused, unread]) {
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
  it('has no answer to the question of its browser whether it may', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    expect((await cell.call('OPTIONS', '/app/v1/sessions/end_others', { headers })).status).toBe(405)
  })
})

describe('a write of the own page', () => {
  it('is taken from an old browser by its origin', async () => {
    const headers = { 'sec-fetch-site': undefined, origin: cell.deps.publicUrl }
    expect((await cell.call('POST', '/app/v1/sessions/end_others', { session, headers })).status).toBe(200)
  })
  it('has at most 16 KiB on routes that need no session', async () => {
    for (const { method, path } of writes.filter(({ open }) => open)) {
      const answer = await cell.call(method, pathOf(path), { body: { password: 'x'.repeat(16 * KIB) } })
      expect([path, ...outcomeOf(answer)]).toEqual([path, 413, 'payload_too_large'])
      expect(answer.text).toContain('16 KiB')
    }
  })
})
