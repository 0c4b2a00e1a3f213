import { expect, it } from 'vitest'
import { makeToken } from '../../src/platform/access/token.ts'
import { sessionCookies } from '../../src/platform/http/session-cookie.ts'
import { makeAgency } from '../harness/agency.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'

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
