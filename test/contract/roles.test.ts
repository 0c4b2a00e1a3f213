import { beforeAll, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { BUILT_IN_ROLES } from '../../src/platform/access/policies.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'

/** Until a session is looked up again. */
const LATER_MS = 1_000

let cell: TestCell
let agency: Agency
let owner: string
let admin: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  admin = await signInAs(cell, agency.number, await makeSeat('admin'))
})
const makeSeat = (role: string) =>
  cell.deps.db.asSystem('a test makes a seat', (tx) =>
    insertSeat(tx, agency.number, { name: null, email: `${role}@agency.example`, role, branchId: null }),
  )
const app = async (method: string, path: string, body?: object, session = owner) => {
  const answer = await cell.call(method, `/app/v1/roles${path}`, { session, body })
  const { code, data } = (answer.body ?? {}) as { code?: string; data?: { version: number } & Record<string, unknown> }
  return { status: answer.status, code, data }
}

describe('a role', () => {
  it('is listed after the built-in ones, changed, and applies to its seats', async () => {
    expect((await app('POST', '', { name: 'desk', policies: ['view_reports'] })).status).toBe(201)
    const { data } = await app('GET', '')
    expect((data as unknown as { name: string }[]).map(({ name }) => name)).toEqual([
      ...Object.keys(BUILT_IN_ROLES).toSorted(),
      'desk',
    ])
    const session = await signInAs(cell, agency.number, await makeSeat('desk'))
    const policies = async () =>
      ((await cell.call('GET', '/app/v1/me', { session })).body as { policies: Record<string, boolean> }).policies
    expect(await policies()).toMatchObject({ view_reports: true, view_trips: false })
    const change = { version: 1, policies: ['view_trips'] }
    expect((await app('PATCH', '/desk', change)).data).toMatchObject({ policies: ['view_trips'], seats: 1, version: 2 })
    expect(await app('PATCH', '/desk', change)).toMatchObject({ code: 'stale', data: { version: 2 } })
    cell.clock.add(LATER_MS)
    expect(await policies()).toMatchObject({ view_reports: false, view_trips: true })
  })
  it('is deleted once nothing has it', async () => {
    await app('POST', '', { name: 'unused', policies: [] })
    await app('POST', '', { name: 'of_key', policies: [] })
    await agency.makeKey({ role: 'of_key' })
    const statuses = await Promise.all(
      ['desk', 'of_key', 'unused', 'missing', 'owner'].map(async (name) => (await app('DELETE', `/${name}`)).status),
    )
    expect(statuses).toEqual([409, 409, 204, 404, 409])
  })
  it('of an unfit name, of a taken one, and with unknown policies is refused', async () => {
    const refused = async (name: string, policies: string[] = []) => (await app('POST', '', { name, policies })).status
    expect([await refused('Night desk'), await refused('owner'), await refused('desk')]).toEqual([422, 409, 409])
    expect(await refused('other', ['view_everything'])).toBe(422)
  })
  it('never gets, and is never changed by an editor with, policies that the editor lacks', async () => {
    const forbidden = { status: 403, code: 'forbidden' }
    const closing = ['close_periods']
    expect(await app('POST', '', { name: 'closing', policies: closing }, admin)).toMatchObject(forbidden)
    expect(await app('PATCH', '/desk', { version: 2, policies: closing }, admin)).toMatchObject(forbidden)
    await app('POST', '', { name: 'closer', policies: closing })
    expect(await app('PATCH', '/closer', { version: 1, policies: [] }, admin)).toMatchObject(forbidden)
    expect(await app('DELETE', '/closer', undefined, admin)).toMatchObject(forbidden)
  })
  it('of another account is not found', async () => {
    const other = await makeAgency(cell)
    const session = await signInAs(cell, other.number, other.owner.id)
    for (const [method, body] of [['GET'], ['PATCH', { version: 2, policies: [] }], ['DELETE']] as const)
      expect((await app(method, '/desk', body, session)).status).toBe(404)
  })
})
