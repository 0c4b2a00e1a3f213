import { beforeAll, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { type Attempt, signInAttempts } from '../../src/features/sign-in/attempts.ts'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { knownDevices } from '../../src/features/sign-in/known-device.ts'
import type { Network } from '../../src/platform/access/source-address.ts'
import { readNetwork } from '../../src/platform/access/source-address.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { setCookies } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

const PASSWORD = 'seven grey herons at dusk'
const GUESS = 'a guess of twelve'
const OWNER = 'owner@agency.example'
const HOME = '198.51.100.7'
const DAY_MS = 86_400_000
const DEVICE = 'backdesk-device'

let cell: TestCell
let agency: Agency
/** The cookie of the browser in which the owner chose the password, at home. */
let device: string
beforeAll(async () => {
  const trustedProxies = [readNetwork('127.0.0.1') as Network]
  cell = await startCell({ trustedProxies, deps: { count: uncounted } })
  agency = await makeAgency(cell)
  device = setCookies(await choose(OWNER, agency.owner.id, HOME))[DEVICE] ?? ''
})

async function choose(email: string, seat: string, from: string): Promise<Answer> {
  const { token } = await cell.deps.db.inAccount(agency.number, (tx) => makeLink(tx, seat, 'invitation'), OPERATOR)
  const body = { token, password: PASSWORD }
  const answer = await cell.call('POST', '/app/v1/sign_in/link', { body, headers: { 'x-forwarded-for': from } })
  expect([email, answer.status]).toEqual([email, 200])
  return answer
}
async function makeColleague(): Promise<{ email: string; id: string }> {
  const email = `viewer-${crypto.randomUUID()}@agency.example`
  const seat = { name: 'Viewer', email, role: 'viewer', branchId: null }
  return { email, id: await cell.deps.db.asSystem('a test', (tx) => insertSeat(tx, agency.number, seat)) }
}
const signIn = (email: string, password: string, from: string, cookie = '') =>
  cell.call('POST', '/app/v1/sign_in/password', {
    body: { email, password },
    headers: { 'x-forwarded-for': from, ...(cookie && { cookie: `${DEVICE}=${cookie}` }) },
  })
let networks = 0
const strange = () => `203.0.${113 + (networks >> 8)}.${networks++ & 255}`
/** Counts wrong guesses, without the work of comparing passwords. Answers how many were let through. */
async function guesses(times: number, of: (at: number) => Partial<Attempt>): Promise<number> {
  const attempts = signInAttempts(cell.deps.db, cell.deps.attempts)
  let taken = 0
  for (let at = 0; at < times; at++) {
    const attempt = { email: OWNER, address: strange(), isKnownNetwork: false, device: null, ...of(at) }
    const refused = await attempts.begin(attempt).catch((error) => error)
    if (!refused) taken++
    else expect(refused).toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) })
  }
  return taken
}

/** As many more wrong guesses a moment ago as make anyone wait for minutes, however slow this machine is. */
const goOnGuessing = () =>
  ask(cell, 'update sign_in_attempts set failures = failures + 10, last_failed_at = now() where failures >= 5')
/** Guesses that were let through: those that are free, and the few for which the first short waits were long enough. */
function expectAbout(taken: number, free: number) {
  expect(taken).toBeGreaterThanOrEqual(free)
  expect(taken).toBeLessThanOrEqual(free + 4)
}

it('one password tried on many people from one network is stopped after twenty', async () => {
  const address = strange()
  expectAbout(await guesses(40, (at) => ({ address, email: `person-${at}@agency.example` })), 20)
  await goOnGuessing()
  expect((await signIn('another@agency.example', GUESS, address)).status).toBe(429)
})

it('one person guessed at from many networks is guarded, and still gets in from home and from a known browser', async () => {
  expectAbout(await guesses(80, () => ({})), 50)
  await goOnGuessing()
  expect((await signIn(OWNER, PASSWORD, strange())).status).toBe(429)
  expect((await signIn(OWNER, PASSWORD, HOME)).status).toBe(200)
  expect((await signIn(OWNER, PASSWORD, strange(), device)).status).toBe(200)
})

it('somebody in the same office cannot lock a person out of their own browser', async () => {
  const { email, id } = await makeColleague()
  const own = setCookies(await choose(email, id, HOME))[DEVICE] ?? ''
  expectAbout(await guesses(20, () => ({ email, address: HOME, isKnownNetwork: true })), 5)
  await goOnGuessing()
  expect((await signIn(email, PASSWORD, HOME)).status).toBe(429)
  expect((await signIn(email, PASSWORD, HOME, own)).status).toBe(200)
})

it('a known browser is good for its own person alone, guesses no more than others, and is forgotten in time', async () => {
  const { find } = knownDevices(cell.deps.publicUrl, cell.deps.attempts, Date.now())
  const cookie = (value: string) => `${DEVICE}=${value}`
  const id = find(cookie(device), OWNER)
  expect(id).not.toBeNull()
  expect(find(cookie(device), 'OWNER@agency.EXAMPLE')).toBe(id)
  expect(find(cookie(device), 'advisor@agency.example')).toBeNull()
  const [other] = device.split('.')
  for (const made of ['', '~', `${device}x`, device.slice(0, -1), device.replace(String(other), `${other}0`)])
    expect([made, find(cookie(made), OWNER)]).toEqual([made, null])
  const later = knownDevices(cell.deps.publicUrl, cell.deps.attempts, Date.now() + 181 * DAY_MS)
  expect(later.find(cookie(device), OWNER)).toBeNull()
  expectAbout(await guesses(20, () => ({ device: id })), 5)
})

it('a browser remembers the five people who signed in last', () => {
  const devices = knownDevices(cell.deps.publicUrl, cell.deps.attempts, Date.now())
  const people = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@agency.example`)
  let cookie = ''
  for (const email of [...people, 'c@agency.example']) cookie = devices.remember(cookie, email).split(';')[0] as string
  expect(people.map((email) => devices.find(cookie, email) !== null)).toEqual([false, true, true, true, true, true])
})

it('while strangers fill all places, a person in a known browser signs in', async () => {
  const { email, id } = await makeColleague()
  const own = setCookies(await choose(email, id, HOME))[DEVICE] ?? ''
  const crowd = Array.from({ length: 40 }, (_, at) => signIn(`nobody-${at}@agency.example`, GUESS, strange()))
  const person = signIn(email, PASSWORD, strange(), own)
  const refused = (await Promise.all(crowd)).filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect((await person).status).toBe(200)
})
