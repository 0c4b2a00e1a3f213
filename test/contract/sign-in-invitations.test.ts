import { beforeAll, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

const PASSWORD = 'seven grey herons at dusk'

let cell: TestCell
let agency: Agency
let owner: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
})
/** Invites a new person. */
async function invite(): Promise<{ id: string; token: string; email: string }> {
  const email = `${crypto.randomUUID()}@agency.example`
  const { body } = await cell.call('POST', '/app/v1/people', { session: owner, body: { email, role: 'viewer' } })
  const { id, invitation_link } = (body as { data: { id: string; invitation_link: string } }).data
  return { id, email, token: invitation_link.split('#link=')[1] ?? '' }
}
const accept = async (token: string, password: string | undefined = PASSWORD) =>
  (await cell.call('POST', '/app/v1/sign_in/link', { body: { token, password } })).status
const inspect = async (token: string) =>
  (await cell.call('POST', '/app/v1/sign_in/link/inspect', { body: { token } })).status
const signIn = async (email: string, password = PASSWORD) =>
  (await cell.call('POST', '/app/v1/sign_in/password', { body: { email, password } })).status
const deactivate = (id: string) =>
  cell.call('POST', `/app/v1/people/${id}/deactivate`, { session: owner, body: { reassign_to_id: agency.owner.id } })

describe('an invitation', () => {
  it('is used by one of many who have it, and then by none', async () => {
    const { token } = await invite()
    const statuses = await Promise.all([1, 2, 3, 4].map(() => accept(token)))
    expect(statuses.sort()).toEqual([200, 404, 404, 404])
    expect([await accept(token), await inspect(token)]).toEqual([404, 404])
  })
  it('is not used up by a weak password, by none, or by being looked at', async () => {
    const { token } = await invite()
    expect([await inspect(token), await inspect(token), await accept(token, 'short')]).toEqual([200, 200, 422])
    expect((await cell.call('POST', '/app/v1/sign_in/link', { body: { token } })).status).toBe(422)
    expect(await accept(token)).toBe(200)
  })
  it.each([
    [`interval '1 second'`, 404],
    [`interval '-1 minute'`, 200],
  ])('that expired %s ago answers %i', async (ago, status) => {
    const { id, token } = await invite()
    const [{ hours } = { hours: 0 }] = await ask<{ hours: number }>(
      cell,
      'select extract(epoch from expires_at - created_at) / 3600 as hours from sign_in_links where seat_id = $1',
      [id],
    )
    expect(Number(hours)).toBe(72)
    await ask(cell, `update sign_in_links set expires_at = now() - ${ago} where seat_id = $1`, [id])
    expect([await inspect(token), await accept(token)]).toEqual([status, status])
  })
  it('of a person who is deactivated is good neither then nor after the person is back', async () => {
    const { id, token } = await invite()
    await deactivate(id)
    expect(await accept(token)).toBe(404)
    await cell.call('POST', `/app/v1/people/${id}/reactivate`, { session: owner })
    expect(await accept(token)).toBe(404)
  })
  it('is worth nothing once the person has a password by another link', async () => {
    const { id, email, token } = await invite()
    const reset = await cell.deps.db.inAccount(agency.number, (tx) => makeLink(tx, id, 'reset'), OPERATOR)
    expect(await accept(reset.token)).toBe(200)
    expect([await accept(token, 'the choice of a thief'), await signIn(email)]).toEqual([404, 200])
  })
  it('to one account opens no other, in which the same address has a seat', async () => {
    const other = await makeAgency(cell)
    const { token, email } = await invite()
    const session = await signInAs(cell, other.number, other.owner.id)
    await cell.call('POST', '/app/v1/people', { session, body: { email, role: 'owner' } })
    const { body } = await cell.call('POST', '/app/v1/sign_in/link', { body: { token, password: PASSWORD } })
    expect((body as { data: { account: number }[] }).data.map(({ account }) => account)).toEqual([agency.number])
    const signed = await cell.call('POST', '/app/v1/sign_in/password', { body: { email, password: PASSWORD } })
    expect((signed.body as { data: { account: number }[] }).data.map(({ account }) => account)).toEqual([agency.number])
  })
})
