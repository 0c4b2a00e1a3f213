import { beforeAll, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { makeToken } from '../../src/platform/access/token.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { cookieOf, signInAs } from '../harness/console.ts'

const PASSWORD = 'seven grey herons at dusk'
const NEXT = 'nine lanterns over Moda'
const OWNER = 'owner@agency.example'
/** Until a session is looked up again. */
const LATER_MS = 1_000

let cell: TestCell
let agency: Agency
let attacker: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  attacker = await makeAgency(cell)
  await useLink('invitation')
})
async function useLink(purpose: 'sign_in' | 'invitation' | 'reset', browser = ''): Promise<Answer> {
  const { token } = await cell.deps.db.inAccount(
    agency.number,
    (tx) => makeLink(tx, agency.owner.id, purpose),
    OPERATOR,
  )
  const body = { token, ...(purpose !== 'sign_in' && { password: PASSWORD }) }
  return cell.call('POST', '/app/v1/sign_in/link', { body, session: browser })
}
const usePassword = (browser: string) =>
  cell.call('POST', '/app/v1/sign_in/password', { body: { email: OWNER, password: PASSWORD }, session: browser })
const tokensOf = (cookie: string) => cookie.split('~').filter((part) => part !== '')
const seatOf = async (session: string, account: number) => {
  const headers = { 'backdesk-account': String(account) }
  const { body } = await cell.call('GET', '/app/v1/me', { session, headers })
  return (body as { user?: { id: string } }).user?.id ?? null
}

describe.each<[string, (browser: string) => Promise<Answer>]>([
  ['a password', usePassword],
  ['a link', (browser) => useLink('sign_in', browser)],
  ['a new password', (browser) => useLink('reset', browser)],
])('who signs in with %s', (_, signIn) => {
  it('has a session that was not there before, in a browser into which somebody planted one', async () => {
    const planted = `${agency.number}.${makeToken('ses_')}`
    const own = cookieOf(await signIn(planted))
    expect(tokensOf(own)).toHaveLength(1)
    expect(own).not.toContain(planted)
    expect([await seatOf(own, agency.number), await seatOf(planted, agency.number)]).toEqual([agency.owner.id, null])
  })
  it('ends a session of somebody else of the account that was planted', async () => {
    const planted = await signInAs(cell, agency.number, agency.advisor)
    const own = cookieOf(await signIn(planted))
    cell.clock.add(LATER_MS)
    expect([await seatOf(own, agency.number), await seatOf(planted, agency.number)]).toEqual([agency.owner.id, null])
  })
  it('keeps a session of another account apart, which the planter cannot use to see this one', async () => {
    const planted = await signInAs(cell, attacker.number, attacker.owner.id)
    const own = cookieOf(await signIn(planted))
    expect(tokensOf(own)[0]).toContain(`${agency.number}.`)
    expect(await seatOf(planted, agency.number)).toBeNull()
  })
})

describe('a stolen cookie', () => {
  const steal = () => signInAs(cell, agency.number, agency.owner.id)
  const isGood = async (session: string) => {
    cell.clock.add(LATER_MS)
    return (await seatOf(session, agency.number)) !== null
  }
  it('is worth nothing after its person changed the password, and the person stays signed in', async () => {
    const [stolen, own] = [await steal(), await steal()]
    const body = { current_password: PASSWORD, password: NEXT }
    expect((await cell.call('PUT', '/app/v1/session/password', { session: own, body })).status).toBe(204)
    expect([await isGood(stolen), await isGood(own)]).toEqual([false, true])
    await useLink('reset')
  })
  it('is worth nothing after its person chose a new password by a link', async () => {
    const stolen = await steal()
    const own = cookieOf(await useLink('reset'))
    expect([await isGood(stolen), await isGood(own)]).toEqual([false, true])
  })
  it('changes no password without the old one, and guesses it no faster than five times a minute', async () => {
    const counting = await startCell({ connection: cell.connection })
    const stolen = await steal()
    const guess = (current_password: string) =>
      counting.call('PUT', '/app/v1/session/password', { session: stolen, body: { current_password, password: NEXT } })
    expect(
      (await counting.call('PUT', '/app/v1/session/password', { session: stolen, body: { password: NEXT } })).status,
    ).toBe(422)
    const statuses = await Promise.all(Array.from({ length: 8 }, (_, at) => guess(`guess number ${at}`)))
    expect(statuses.map(({ status }) => status).filter((status) => status === 422)).toHaveLength(4)
    expect(statuses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(4)
    await counting.app.close()
  })
  it.each<[string, (own: string) => Promise<unknown>]>([
    ['signed out everywhere else', (session) => cell.call('POST', '/app/v1/sessions/end_others', { session })],
    [
      'was signed out by somebody who may',
      async () => {
        const { id: admin } = await other()
        const session = await signInAs(cell, agency.number, admin)
        await cell.call('POST', `/app/v1/people/${agency.owner.id}/end_sessions`, { session })
      },
    ],
  ])('is worth nothing after its person %s', async (_, work) => {
    const [stolen, own] = [await steal(), await steal()]
    await work(own)
    expect(await isGood(stolen)).toBe(false)
  })
  /** Another owner. */
  async function other(): Promise<{ id: string }> {
    const session = await steal()
    const body = { email: `${crypto.randomUUID()}@agency.example`, role: 'owner' }
    const made = await cell.call('POST', '/app/v1/people', { session, body })
    return (made.body as { data: { id: string } }).data
  }
})
