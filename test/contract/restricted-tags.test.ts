import { beforeAll, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { saveRoleOf } from '../harness/settings.ts'

let cell: TestCell
let agency: Agency
let owner: string
let admin: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  admin = await sessionOf('admin')
})
async function sessionOf(role: string): Promise<string> {
  const seat = { name: role, email: `${role}@agency.example`, role, branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  return signInAs(cell, agency.number, id)
}
const app = async (method: string, path: string, session: string, body?: object) => {
  const answer = await cell.call(method, `/app/v1${path}`, { session, ...(body && { body }) })
  return { status: answer.status, data: (answer.body as { data?: unknown }).data }
}
const nameOf = async (id: string) =>
  ((await app('GET', `/customers/${id}`, admin)).data as { name: string | null }).name

it('a tag is restricted by who manages settings, and released by who sees its customers', async () => {
  const make = { customer: { name: 'Ayşe', tags: ['V.I.P. / gold'] } }
  const { id } = (await app('POST', '/customers', owner, make)).data as { id: string }
  const tag = { name: ' V.I.P. / gold ' }
  expect((await app('POST', '/restricted_tags', admin, tag)).data).toEqual({ changed: true })
  expect((await app('POST', '/restricted_tags', admin, tag)).data).toEqual({ changed: false })
  expect(await nameOf(id)).toBeNull()
  const listed = { name: 'V.I.P. / gold', restricted_at: expect.any(String) }
  expect((await app('GET', '/restricted_tags', admin)).data).toEqual([{ ...listed, customers: null }])
  expect((await app('GET', '/restricted_tags', owner)).data).toEqual([{ ...listed, customers: 1 }])
  await saveRoleOf(cell, agency.number, 'sees_all', ['view_restricted_customers'])
  for (const session of [admin, await sessionOf('sees_all')])
    expect((await app('POST', '/restricted_tags/release', session, tag)).status).toBe(403)
  expect(await nameOf(id)).toBeNull()
  expect((await app('POST', '/restricted_tags/release', owner, tag)).data).toEqual({ changed: true })
  expect(await nameOf(id)).toBe('Ayşe')
  expect((await app('POST', '/restricted_tags/release', owner, tag)).data).toEqual({ changed: false })
  for (const name of ['', ' ', 'x'.repeat(61), 'a\u0001'])
    expect((await app('POST', '/restricted_tags', owner, { name })).status).toBe(422)
})
