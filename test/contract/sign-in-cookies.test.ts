import { expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { makeToken } from '../../src/platform/access/token.ts'
import { withClient } from '../../src/platform/db/client.ts'
import { sessionCookies } from '../../src/platform/http/session-cookie.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { cookieOf, signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

const DAY_MS = 86_400_000
const session = (account: number) => `${account}.${makeToken('ses_')}`

it('a cookie that another host of the domain can set is not taken for the own one', () => {
  const cookies = sessionCookies('https://backdesk.example')
  const [own, planted] = [session(10_000_001), session(10_000_002)]
  for (const space of ['\u00a0', '\u000b', '\u000c', '\ufeff', '\u0085'])
    expect(cookies.read(`${space}__Host-backdesk=${planted}; __Host-backdesk=${own}`)[0]?.account).toBe(10_000_001)
  expect(cookies.read(`backdesk=${planted}; __Host-backdesk=${own}`)).toHaveLength(1)
})

it('a browser keeps twenty sessions, the newest first, and a cookie that browsers keep', () => {
  const cookies = sessionCookies('https://backdesk.example')
  const many = Array.from({ length: 25 }, (_, at) => ({ account: 10_000_000 + at, token: makeToken('ses_') }))
  const written = cookies.write(many)
  expect(written.length).toBeLessThan(4096)
  expect(cookies.read(written.split(';')[0])).toEqual(many.slice(0, 20))
})

it('a cookie without a session of the account that it names signs in to none, however it looks', async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const [agency, other] = [await makeAgency(cell), await makeAgency(cell)]
  const own = await signInAs(cell, agency.number, agency.owner.id)
  const swapped = own.replace(String(agency.number), String(other.number))
  for (const value of [swapped, session(agency.number), '~'.repeat(9000), `"${own}"`, '%00', 'é', '__proto__', '='])
    expect([value, (await cell.call('GET', '/app/v1/me', { session: value })).status]).toEqual([value, 401])
  const listed = await cell.call('GET', '/app/v1/sign_in', { session: swapped })
  expect(listed.body).toEqual({ data: [] })
})

it('a session that is over is neither listed nor kept', async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const [agency, other] = [await makeAgency(cell), await makeAgency(cell)]
  const old = await signInAs(cell, agency.number, agency.owner.id)
  cell.clock.add(15 * DAY_MS)
  expect((await cell.call('GET', '/app/v1/sign_in', { session: old })).body).toEqual({ data: [] })
  const next = await signInAs(cell, other.number, other.owner.id, old)
  expect(next.split('~')).toHaveLength(1)
})

const PASSWORD = 'seven grey herons at dusk'
const living = async (cell: TestCell) =>
  (await ask<{ account_id: number }>(cell, 'select account_id from sessions where ended_at is null')).map(
    (session) => session.account_id,
  )

it('who signs in again leaves no session behind that no browser has', async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const { number, owner, advisor } = await makeAgency(cell)
  const first = await signInAs(cell, number, owner.id)
  const second = await signInAs(cell, number, advisor, first)
  expect(await living(cell)).toEqual([number])
  cell.clock.add(1_000)
  const statuses = [first, second].map((session) => cell.call('GET', '/app/v1/me', { session }))
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 200])
})

it('a sign-in that fails on its way to the second account leaves no session of the first', async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const agencies = [await makeAgency(cell), await makeAgency(cell)]
  for (const { number, owner } of agencies) {
    const { token } = await cell.deps.db.inAccount(number, (tx) => makeLink(tx, owner.id, 'reset'), OPERATOR)
    await cell.call('POST', '/app/v1/sign_in/link', { body: { token, password: PASSWORD } })
  }
  await ask(cell, 'update sessions set ended_at = now()')
  const last = Math.max(...agencies.map(({ number }) => number))
  const body = { email: 'owner@agency.example', password: PASSWORD }
  const signIn = () => cell.call('POST', '/app/v1/sign_in/password', { body })
  await withClient(cell.connection, async (client) => {
    await client.query(`alter table sessions add constraint broken check (account_id <> ${last}) not valid`)
    const failed = await signIn()
    expect([failed.status, cookieOf(failed)]).toEqual([422, ''])
    expect(await living(cell)).toEqual([])
    await client.query('alter table sessions drop constraint broken')
  })
  expect((await signIn()).status).toBe(200)
  expect((await living(cell)).sort()).toEqual(agencies.map(({ number }) => number).sort())
})
