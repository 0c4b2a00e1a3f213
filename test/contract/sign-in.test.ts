import { beforeAll, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { cookieOf, signInAs } from '../harness/console.ts'

const PASSWORD = 'seven grey herons at dusk'
const OTHER_PASSWORD = 'a quiet ferry to Kadıköy'
/** Until a revoked session is looked up again. */
const LATER_MS = 1_000
const HOUR_MS = 3_600_000

let cell: TestCell
let agency: Agency
let other: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  other = await makeAgency(cell)
})

const app = (method: string, path: string, call: Call = {}) => cell.call(method, `/app/v1${path}`, call)
const code = (answer: { body: never }) => (answer.body as { code?: string }).code
const linkFor = async (seat: string, purpose: 'sign_in' | 'invitation' | 'reset', of = agency) =>
  (await cell.deps.db.inAccount(of.number, (tx) => makeLink(tx, seat, purpose), OPERATOR)).token
const withPassword = async (seat: string, password: string, of = agency) =>
  app('POST', '/sign_in/link', { body: { token: await linkFor(seat, 'invitation', of), password } })
const signIn = (email: string, password: string, call: Call = {}) =>
  app('POST', '/sign_in/password', { body: { email, password }, ...call })

describe('a session', () => {
  it('reads what a key of the same role reads, below /app/v1 alone', async () => {
    const session = await signInAs(cell, agency.number, agency.advisor)
    const me = await app('GET', '/me', { session })
    expect(me.body).toMatchObject({ user: { id: agency.advisor, role: 'advisor' }, policies: { view_costs: false } })
    expect((await cell.call('GET', '/api/v1/me', { session })).status).toBe(401)
    expect((await app('GET', '/me', { key: agency.key })).status).toBe(401)
    expect((await app('GET', '/me')).status).toBe(401)
  })
  it('ends when its person signs out, and the browser forgets it', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const out = await app('DELETE', '/session', { session })
    expect([out.status, cookieOf(out)]).toEqual([204, ''])
    cell.clock.add(LATER_MS)
    expect((await app('GET', '/me', { session })).status).toBe(401)
  })
  it('is listed to its seat and ended by it, and by no other seat', async () => {
    const [one, two] = [
      await signInAs(cell, agency.number, agency.advisor),
      await signInAs(cell, agency.number, agency.advisor),
    ]
    const stranger = await signInAs(cell, agency.number, agency.owner.id)
    const { data } = (await app('GET', '/sessions', { session: two })).body as {
      data: { id: string; current: boolean }[]
    }
    const current = data.find((each) => each.current)?.id
    expect((await app('DELETE', `/sessions/${current}`, { session: stranger })).status).toBe(404)
    expect((await app('DELETE', `/sessions/${current}`, { session: one })).status).toBe(204)
    cell.clock.add(LATER_MS)
    expect([
      (await app('GET', '/me', { session: two })).status,
      (await app('GET', '/me', { session: one })).status,
    ]).toEqual([401, 200])
    await app('POST', '/sessions/end_others', { session: one })
    const rest = (await app('GET', '/sessions', { session: one })).body as { data: unknown[] }
    expect(rest.data).toHaveLength(1)
  })
  it('of several accounts is chosen by a header, and the last one signed in to answers without it', async () => {
    const first = await signInAs(cell, agency.number, agency.owner.id)
    const both = await signInAs(cell, other.number, other.owner.id, first)
    const accountOf = async (headers: Record<string, string> = {}) =>
      ((await app('GET', '/me', { session: both, headers })).body as { account: { external_account_id: number } })
        .account.external_account_id
    expect(await accountOf()).toBe(other.number)
    expect(await accountOf({ 'backdesk-account': String(agency.number) })).toBe(agency.number)
    expect((await app('GET', '/me', { session: both, headers: { 'backdesk-account': '29999999' } })).status).toBe(401)
    const { data } = (await app('GET', '/sign_in', { session: both })).body as { data: { account: number }[] }
    expect(data.map(({ account }) => account)).toEqual([other.number, agency.number])
  })
})

describe('a link', () => {
  it('signs in once', async () => {
    const token = await linkFor(agency.advisor, 'sign_in')
    const inspected = await app('POST', '/sign_in/link/inspect', { body: { token } })
    expect(inspected.body).toMatchObject({ data: { purpose: 'sign_in', email: 'advisor@agency.example' } })
    expect((await app('POST', '/sign_in/link', { body: { token } })).status).toBe(200)
    expect((await app('POST', '/sign_in/link', { body: { token } })).status).toBe(404)
    expect((await app('POST', '/sign_in/link/inspect', { body: { token } })).status).toBe(404)
  })
  it('of an invitation chooses the first password, and a newer one withdraws it', async () => {
    const old = await linkFor(agency.advisor, 'invitation')
    const token = await linkFor(agency.advisor, 'invitation')
    expect((await app('POST', '/sign_in/link', { body: { token: old, password: PASSWORD } })).status).toBe(404)
    const without = await app('POST', '/sign_in/link', { body: { token } })
    expect([without.status, without.body]).toMatchObject([422, { details: { password: [expect.any(String)] } }])
    expect((await app('POST', '/sign_in/link', { body: { token, password: PASSWORD } })).status).toBe(200)
    expect((await signIn('Advisor@Agency.example ', PASSWORD)).status).toBe(200)
  })
  it.each(['short', 'aaaaaaaaaaaaaaaa', 'advisor@agency.example', `${'long '.repeat(50)}`])(
    'refuses the password %j',
    async (password) => {
      const answer = await withPassword(agency.advisor, password)
      expect([answer.status, code(answer)]).toEqual([422, 'validation_failed'])
    },
  )
})

describe('a password', () => {
  beforeAll(async () => {
    await withPassword(agency.owner.id, PASSWORD)
    await withPassword(other.owner.id, OTHER_PASSWORD, other)
  })
  it('signs in to the accounts that know it, and to no other of the same address', async () => {
    const signed = async (password: string) =>
      ((await signIn('owner@agency.example', password)).body as { data: { account: number }[] }).data.map(
        ({ account }) => account,
      )
    expect(await signed(PASSWORD)).toEqual([agency.number])
    expect(await signed(OTHER_PASSWORD)).toEqual([other.number])
  })
  it('that is wrong is refused alike for known and unknown addresses, after whole seconds', async () => {
    const refused = async (email: string) => {
      const began = performance.now()
      const answer = await signIn(email, 'a wrong password it is')
      const steps = (performance.now() - began) / 1000
      return { status: answer.status, text: answer.text, late: steps - Math.floor(steps) < 0.35 && steps >= 1 }
    }
    const [known, unknown] = [await refused('owner@agency.example'), await refused('nobody@agency.example')]
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 401, late: true })
  })
  it('that is changed ends the other sessions of the seat', async () => {
    const [one, two] = [
      await signInAs(cell, agency.number, agency.owner.id),
      await signInAs(cell, agency.number, agency.owner.id),
    ]
    const change = (current_password: string) =>
      app('PUT', '/session/password', { session: one, body: { current_password, password: 'nine lanterns over Moda' } })
    expect((await change('not this one')).status).toBe(422)
    expect((await change(PASSWORD)).status).toBe(204)
    cell.clock.add(LATER_MS)
    expect([
      (await app('GET', '/me', { session: two })).status,
      (await app('GET', '/me', { session: one })).status,
    ]).toEqual([401, 200])
  })
  it('proves who somebody is, for routes that ask again after ten minutes', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const proof = (password: string) => app('POST', '/session/proof', { session, body: { password } })
    expect([(await proof('wrong')).status, (await proof('nine lanterns over Moda')).status]).toEqual([422, 200])
  })
})

describe('guesses', () => {
  it('wait after the fifth at one person, and others are not kept waiting', async () => {
    await withPassword(agency.advisor, PASSWORD)
    const from = (address: string) => ({ headers: { 'x-test': address } })
    const statuses = await Promise.all(
      Array.from({ length: 8 }, () => signIn('advisor@agency.example', 'guess of twelve', from('a'))),
    )
    expect(statuses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await signIn('owner@agency.example', 'nine lanterns over Moda')).status).toBe(200)
  })
  it('count for one person, however the address is written', async () => {
    const { rows } = await withClient(cell.connection, (client) => client.query(`select lower('İΣ') as folded`))
    expect(rows).toEqual([{ folded: 'iσ' }])
    const guess = async (email: string) => (await signIn(email, 'guess of twelve')).status
    const written = ['sigma.iΣ@x.example', 'SIGMA.İσ@x.example', 'sİgma.İΣ@x.example', 'sigma.iσ@x.example']
    const statuses = await Promise.all(Array.from({ length: 8 }, (_, at) => guess(written[at % 4] as string)))
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
  })
})

describe('time', () => {
  it('ends a session after twelve hours without a request, and after fourteen days with any', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const status = async () => (await app('GET', '/me', { session })).status
    cell.clock.add(12 * HOUR_MS - 60_000)
    expect(await status()).toBe(200)
    await cell.deps.sessions.flush()
    for (let half = 1; half <= 28; half++) {
      cell.clock.add(12 * HOUR_MS - 60_000)
      expect([half, await status()]).toEqual([half, half < 28 ? 200 : 401])
      await cell.deps.sessions.flush()
    }
    const idle = await signInAs(cell, agency.number, agency.owner.id)
    cell.clock.set(Date.now() + 12 * HOUR_MS + 1_000)
    expect((await app('GET', '/me', { session: idle })).status).toBe(401)
  })
})
