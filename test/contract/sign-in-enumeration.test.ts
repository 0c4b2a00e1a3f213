import { beforeAll, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { hashSeatPassword } from '../../src/features/sign-in/password-hash.ts'
import { makeToken } from '../../src/platform/access/token.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { ask } from '../harness/sql.ts'

const PASSWORD = 'seven grey herons at dusk'
const GUESS = 'a guess of twelve'
const STEP_MS = 1_000

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  const { token } = await link('invitation')
  await cell.call('POST', '/app/v1/sign_in/link', { body: { token, password: PASSWORD } })
})
const link = (purpose: 'invitation' | 'sign_in') =>
  cell.deps.db.inAccount(agency.number, (tx) => makeLink(tx, agency.owner.id, purpose), OPERATOR)
const signIn = (email: string, password = GUESS) =>
  cell.call('POST', '/app/v1/sign_in/password', { body: { email, password } })

/** Everything of an answer but its time and its request id. */
function shapeOf({ status, text, headers }: Answer) {
  const same = Object.entries(headers).filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, text, headers: Object.fromEntries(same) }
}
/** The processor time of all threads that some work takes, in milliseconds. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Addresses that are refused, and why. They look the same to a stranger. */
const ADDRESSES: readonly (readonly [string, string])[] = [
  ['has a password, which is another', 'owner@agency.example'],
  ['has a seat without a password', 'advisor@agency.example'],
  ['has no seat', 'missing@agency.example'],
  ['has a seat that is not active', 'inactive@agency.example'],
  ['is not an address', 'not an address'],
]

describe('an address', () => {
  beforeAll(async () => {
    await ask(
      cell,
      `insert into seats (account_id, name, email, role, active) values ($1, 'Gone', 'inactive@agency.example', 'viewer', false)`,
      [agency.number],
    )
    const [{ id } = { id: '' }] = await ask<{ id: string }>(
      cell,
      `select id from seats where email = 'inactive@agency.example'`,
    )
    await ask(cell, 'insert into seat_passwords (account_id, seat_id, hash) values ($1, $2, $3)', [
      agency.number,
      id,
      await hashSeatPassword(PASSWORD),
    ])
  })
  it('is answered alike, in status, text and headers, whether it is known or not', async () => {
    const answers = await Promise.all(ADDRESSES.map(([, email]) => signIn(email)))
    const [first, ...others] = answers.map(shapeOf)
    expect(first?.status).toBe(401)
    for (const [at, other] of others.entries())
      expect([ADDRESSES[at + 1]?.[0], other]).toEqual([ADDRESSES[at + 1]?.[0], first])
  })
  it('of a seat that is not active is answered alike even with the right password', async () => {
    const [right, wrong] = [await signIn('inactive@agency.example', PASSWORD), await signIn('missing@x.example')]
    expect(shapeOf(right)).toEqual(shapeOf(wrong))
  })
  it('costs one computation of a hash, whether it is known or not', async () => {
    const one = await workOf(() => hashSeatPassword(PASSWORD))
    for (const [why, email] of ADDRESSES) {
      const work = await workOf(() => signIn(email))
      expect([why, work > one / 2, work < one * 4]).toEqual([why, true, true])
    }
  })
  it('is refused after a whole number of seconds', async () => {
    for (const [why, email] of ADDRESSES.slice(0, 3)) {
      const began = performance.now()
      await signIn(email)
      expect([why, performance.now() - began >= STEP_MS - 1]).toEqual([why, true])
    }
  })
  it('waits alike after guesses, whether it is known or not', async () => {
    const statuses = async (email: string) =>
      (await Promise.all(Array.from({ length: 8 }, () => signIn(email)))).map(({ status }) => status).sort()
    await ask(cell, 'delete from sign_in_attempts')
    const [known, unknown] = [await statuses('owner@agency.example'), await statuses('other@agency.example')]
    expect(known).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect(unknown).toEqual(known)
    await ask(cell, 'delete from sign_in_attempts')
  })
})

describe('a link', () => {
  it('is answered alike, whether it never was, was used, or has expired', async () => {
    const used = (await link('sign_in')).token
    await cell.call('POST', '/app/v1/sign_in/link', { body: { token: used } })
    const expired = (await link('invitation')).token
    await ask(cell, `update sign_in_links set expires_at = now() where used_at is null`)
    const tokens = [used, expired, makeToken('lnk_'), 'nonsense', agency.key, '\u0130']
    for (const path of ['/sign_in/link', '/sign_in/link/inspect']) {
      const answers = await Promise.all(tokens.map((token) => cell.call('POST', `/app/v1${path}`, { body: { token } })))
      const [first, ...others] = answers.map(shapeOf)
      expect(first?.status).toBe(404)
      for (const other of others) expect(other).toEqual(first)
    }
  })
})
