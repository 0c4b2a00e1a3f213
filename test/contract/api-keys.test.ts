import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

/** Until a key is looked up again. */
const LATER_MS = 1_000
const HOUR_MS = 3_600_000

let cell: TestCell
let agency: Agency
let owner: string
let admin: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  const seat = { name: null, email: 'admin@agency.example', role: 'admin', branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  admin = await signInAs(cell, agency.number, id)
})
type Data = { id: string; key: string | null; version: number }
const app = async (method: string, path: string, body?: object, session = owner, headers = {}) => {
  const answer = await cell.call(method, `/app/v1/api_keys${path}`, { session, body, headers })
  const { code, data } = (answer.body ?? {}) as { code?: string; data?: Data }
  return { status: answer.status, code, data }
}
const NEW = { name: 'Web shop', scopes: ['full'], role: 'viewer' }
const make = async (given: object = {}) => (await app('POST', '', { ...NEW, ...given })).data as Data
const me = async (key: string | null) => (await cell.call('GET', '/me', { key })).status

describe('an API key', () => {
  it('is shown once, works until it is revoked, and is restricted within a second', async () => {
    const headers = { 'idempotency-key': 'one key' }
    const first = (await app('POST', '', NEW, owner, headers)).data
    const again = (await app('POST', '', NEW, owner, headers)).data
    expect(again).toEqual({ ...first, key: null })
    const { id, key } = first as Data
    expect(await me(key)).toBe(200)
    expect((await app('PATCH', `/${id}`, { version: 1, allowed_cidrs: ['203.0.113.0/24'] })).data).toMatchObject({
      allowed_cidrs: ['203.0.113.0/24'],
      name: 'Web shop',
      expires_at: null,
      version: 2,
    })
    expect(await app('PATCH', `/${id}`, { version: 1, name: 'Shop' })).toMatchObject({
      code: 'stale',
      data: { version: 2 },
    })
    cell.clock.add(LATER_MS)
    expect(await me(key)).toBe(403)
    expect([(await app('DELETE', `/${id}`)).status, (await app('DELETE', `/${id}`)).status]).toEqual([204, 404])
    cell.clock.add(LATER_MS)
    expect(await me(key)).toBe(401)
  })
  it('is rotated with an overlap', async () => {
    const { id, key } = await make()
    const rotated = (await app('POST', `/${id}/rotate`, { overlap_hours: 1 })).data as Data
    cell.clock.add(LATER_MS)
    expect([await me(key), await me(rotated.key)]).toEqual([200, 200])
    cell.clock.add(HOUR_MS)
    expect([await me(key), await me(rotated.key)]).toEqual([401, 200])
    cell.clock.set(Date.now())
  })
  it('is neither made, changed nor rotated by an editor who lacks policies of its role', async () => {
    for (const role of [null, 'owner', 'accountant'])
      expect(await app('POST', '', { ...NEW, role }, admin)).toMatchObject({ status: 403, code: 'forbidden' })
    const { id } = await make({ role: null })
    const viewing = await make()
    for (const [path, body] of [
      [`/${id}`, { version: 1, name: 'X' }],
      [`/${viewing.id}`, { version: 1, role: null }],
    ] as const)
      expect(await app('PATCH', path, body, admin)).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await app('POST', `/${id}/rotate`, { overlap_hours: 0 }, admin)).status).toBe(403)
  })
  it('is refused with an invalid network, time, scope or role', async () => {
    const bad = [{ allowed_cidrs: ['x'] }, { expires_at: 'soon' }, { scopes: ['everything'] }, { role: 'nonesuch' }]
    for (const given of bad) expect((await app('POST', '', { ...NEW, ...given })).status).toBe(422)
  })
  it('is refused with each reason under its attribute', async () => {
    const body = { ...NEW, name: ' ', allowed_cidrs: ['x', '203.0.113.7', '1.2.3.4/99'], expires_at: 'soon' }
    const { body: answer } = await cell.call('POST', '/app/v1/api_keys', { session: owner, body })
    expect((answer as { details: object }).details).toEqual({
      name: ['A key needs a name.'],
      allowed_cidrs: [expect.stringMatching(/^x is not/), expect.stringMatching(/^1\.2\.3\.4\/99 is not/)],
      expires_at: [expect.stringMatching(/^soon is not a time/)],
    })
  })
  it('shows its requests of the last 24 hours, and where the API is', async () => {
    const { id, key } = await make()
    for (let sent = 0; sent < 3; sent++) await me(key)
    await cell.deps.requests.flush()
    const old = `insert into request_hours values ($1, $2, date_trunc('hour', now()) - $3::interval, 5)`
    await ask(cell, old, [agency.number, id, '23 hours'])
    await ask(cell, old, [agency.number, id, '25 hours'])
    const { body } = await cell.call('GET', '/app/v1/api_keys', { session: owner })
    const { data, base_url } = body as { data: { id: string }[]; base_url: string }
    expect(data.find((one) => one.id === id)).toMatchObject({ requests_24h: 8 })
    expect(base_url).toMatch(/^http.*\/api\/v1$/)
  })
})
