import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { cookieOf, signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

const PASSWORD = 'seven grey herons at dusk'
const STEP_MS = 30_000
/** Until a session of another browser is looked up again. */
const LATER_MS = 1_000

let cell: TestCell
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
let agency: Agency
let email: string
beforeEach(async () => {
  agency = await makeAgency(cell)
  email = `owner-${crypto.randomUUID()}@agency.example`
  await ask(cell, 'update seats set email = $1 where id = $2', [email, agency.owner.id])
  const { token } = await linkOf('invitation')
  await app('POST', '/sign_in/link', { body: { token, password: PASSWORD } })
})

const app = (method: string, path: string, call: Call = {}) => cell.call(method, `/app/v1${path}`, call)
const codeOf = ({ status, body }: { status: number; body: never }) => [status, (body as { code?: string }).code]
const linkOf = (purpose: 'sign_in' | 'invitation' | 'reset') =>
  cell.deps.db.inAccount(agency.number, (tx) => makeLink(tx, agency.owner.id, purpose), OPERATOR)
const shownBy = (secret: string, atMs = cell.deps.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs })

/** Enrols an authenticator app in a session. */
async function enrol(session: string) {
  const begun = (await app('POST', '/session/totp', { session })).body as { data: { secret: string; uri: string } }
  const { secret, uri } = begun.data
  const confirmed = await app('POST', '/session/totp/confirm', { session, body: { code: shownBy(secret) } })
  expect(confirmed.status).toBe(200)
  const { recovery_codes: codes } = (confirmed.body as { data: { recovery_codes: string[] } }).data
  cell.clock.add(STEP_MS) // whose code was used
  return { secret, uri, codes }
}
type Waiting = { token: string; kinds: string[]; account: number }
type SignedIn = { data: { account: number }[]; second_factor: Waiting[] }
const signIn = (browser = '') =>
  app('POST', '/sign_in/password', { body: { email, password: PASSWORD }, session: browser })
/** The token of a sign-in that waits for a factor. */
async function begin(): Promise<string> {
  const { data, second_factor: waiting } = (await signIn()).body as SignedIn
  expect(data).toEqual([])
  return (waiting[0] as Waiting).token
}
const show = (token: string, factor: object) => app('POST', '/sign_in/second_factor', { body: { token, ...factor } })
const actions = async () =>
  (await ask<{ action: string }>(cell, 'select action from audit_log where account_id = $1', [agency.number])).map(
    ({ action }) => action,
  )
/** What mails to the owner say has changed. */
const mails = async () =>
  (
    await ask<{ plain: string }>(
      cell,
      `select seat_mail ->> 'plain' as plain from message_sends where account_id = $1 and seat_mail ->> 'to' = $2`,
      [agency.number, email],
    )
  ).map(({ plain }) => plain.split('\n\n')[1])

describe('an authenticator app', () => {
  it('is asked for after the password, and each of its codes is good once', async () => {
    const { secret, uri } = await enrol(await signInAs(cell, agency.number, agency.owner.id))
    expect(uri).toContain(`otpauth://totp/`)
    expect(uri).toContain(encodeURIComponent(email))
    const answer = await signIn()
    expect(cookieOf(answer)).toBe('')
    expect(answer.body).toMatchObject({ second_factor: [{ account: agency.number, kinds: ['code', 'recovery_code'] }] })
    const code = shownBy(secret)
    const entered = await show(await begin(), { code })
    expect([entered.status, (entered.body as SignedIn).data]).toMatchObject([200, [{ account: agency.number }]])
    expect((await app('GET', '/me', { session: cookieOf(entered) })).status).toBe(200)
    expect(codeOf(await show(await begin(), { code }))).toEqual([401, 'unauthorized'])
    expect(await mails()).toContain('An authenticator app was added.')
  })
  it('is kept sealed, and its secret and codes are not shown to a replay', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const headers = { 'idempotency-key': 'enrol' }
    const first = (await app('POST', '/session/totp', { session, headers })).body as { data: { secret: string } }
    const again = await app('POST', '/session/totp', { session, headers })
    expect(again.body).toEqual({ data: { secret: null, uri: null } })
    const rows = await ask<{ row: string }>(cell, 'select t::text as row from seat_totp t where seat_id = $1', [
      agency.owner.id,
    ])
    expect(rows[0]?.row).not.toContain(first.data.secret)
    expect(rows[0]?.row).not.toContain(Buffer.from(first.data.secret).toString('hex'))
  })
  it('does not count before it has shown a code, and is not replaced unless it is removed', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const begun = (await app('POST', '/session/totp', { session })).body as { data: { secret: string } }
    expect((await signIn()).body).toMatchObject({ data: [{}], second_factor: [] })
    const wrong = await app('POST', '/session/totp/confirm', { session, body: { code: '000000' } })
    expect(codeOf(wrong)).toEqual([422, 'validation_failed'])
    const { secret } = await enrol(session)
    expect(secret).not.toBe(begun.data.secret)
    expect(codeOf(await app('POST', '/session/totp', { session }))).toEqual([409, 'conflict'])
    expect((await app('DELETE', '/session/totp', { session })).status).toBe(204)
    expect((await signIn()).body).toMatchObject({ data: [{}], second_factor: [] })
    expect(await mails()).toContain('The authenticator app was removed.')
  })
  it('of another seat does not sign in to this one', async () => {
    await enrol(await signInAs(cell, agency.number, agency.owner.id))
    const stranger = await enrol(await signInAs(cell, agency.number, agency.advisor))
    const token = await begin()
    expect(codeOf(await show(token, { code: shownBy(stranger.secret) }))).toEqual([401, 'unauthorized'])
    expect(codeOf(await show(token, { recovery_code: stranger.codes[0] }))).toEqual([401, 'unauthorized'])
  })
  it('is asked for after a link as well, which no reset gets around', async () => {
    await enrol(await signInAs(cell, agency.number, agency.owner.id))
    for (const purpose of ['sign_in', 'reset'] as const) {
      const { token } = await linkOf(purpose)
      const body = { token, ...(purpose === 'reset' && { password: 'a quiet ferry to Kadıköy' }) }
      const answer = await app('POST', '/sign_in/link', { body })
      expect([answer.status, cookieOf(answer), answer.body]).toMatchObject([200, '', { second_factor: [{}] }])
    }
  })
})

describe('a sign-in that waits', () => {
  it('is good once', async () => {
    const { secret } = await enrol(await signInAs(cell, agency.number, agency.owner.id))
    const token = await begin()
    const statuses = await Promise.all(Array.from({ length: 3 }, () => show(token, { code: shownBy(secret) })))
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  })
  it('is over after five wrong codes, five minutes, or a new password', async () => {
    const { secret } = await enrol(await signInAs(cell, agency.number, agency.owner.id))
    const guessed = await begin()
    for (let guess = 0; guess < 5; guess++) expect((await show(guessed, { code: '000000' })).status).toBe(401)
    expect([404, 429]).toContain((await show(guessed, { code: shownBy(secret) })).status)
    const late = await begin()
    await ask(cell, 'update waiting_sign_ins set expires_at = now() where seat_id = $1', [agency.owner.id])
    const stale = await begin()
    const { token } = await linkOf('reset')
    await app('POST', '/sign_in/link', { body: { token, password: 'a quiet ferry to Kadıköy' } })
    await ask(cell, 'delete from sign_in_attempts', [])
    for (const over of [late, stale, 'pnd_x']) expect((await show(over, { code: shownBy(secret) })).status).toBe(404)
  })
  it('keeps guesses waiting over many sign-ins', async () => {
    await enrol(await signInAs(cell, agency.number, agency.owner.id))
    const statuses: number[] = []
    for (let time = 0; time < 4; time++) {
      const token = await begin()
      for (let guess = 0; guess < 3; guess++) statuses.push((await show(token, { code: '000000' })).status)
    }
    expect(new Set(statuses.slice(0, 5))).toEqual(new Set([401]))
    expect(statuses.slice(5)).toContain(429)
    await ask(cell, 'delete from sign_in_attempts', [])
  })
  it('gives its session to the browser that shows the factor alone, beside those that it has', async () => {
    const other = await makeAgency(cell)
    const { secret } = await enrol(await signInAs(cell, agency.number, agency.owner.id))
    const before = await signInAs(cell, other.number, other.owner.id)
    const token = await begin()
    const body = { token, code: shownBy(secret) }
    const entered = await app('POST', '/sign_in/second_factor', { session: before, body })
    expect((entered.body as SignedIn).data.map(({ account }) => account)).toEqual([agency.number, other.number])
  })
  it.each([{}, { code: '123456', recovery_code: 'A' }])('refuses %j', async (factor) => {
    expect(codeOf(await show('pnd_x', factor))).toEqual([422, 'validation_failed'])
  })
})

describe('a recovery code', () => {
  it('signs in once however it is typed, and its person is notified', async () => {
    const { codes } = await enrol(await signInAs(cell, agency.number, agency.owner.id))
    expect(new Set(codes).size).toBe(10)
    const code = String(codes[3])
    expect((await show(await begin(), { recovery_code: code.toLowerCase().replaceAll('-', ' ') })).status).toBe(200)
    expect((await show(await begin(), { recovery_code: code })).status).toBe(401)
    expect(await actions()).toContain('seat.recovery_code_used')
    expect(await mails()).toContain('A recovery code was used in place of your second factor.')
  })
  it('is withdrawn by new ones, and by the removal of the last factor', async () => {
    const session = await signInAs(cell, agency.number, agency.advisor)
    expect(codeOf(await app('POST', '/session/recovery_codes', { session }))).toEqual([409, 'conflict'])
    const own = await signInAs(cell, agency.number, agency.owner.id)
    const { codes } = await enrol(own)
    const made = (await app('POST', '/session/recovery_codes', { session: own })).body as {
      data: { recovery_codes: string[] }
    }
    expect((await show(await begin(), { recovery_code: codes[0] })).status).toBe(401)
    expect((await show(await begin(), { recovery_code: made.data.recovery_codes[0] })).status).toBe(200)
    await app('DELETE', '/session/totp', { session: own })
    expect(await ask(cell, 'select from recovery_codes where seat_id = $1', [agency.owner.id])).toEqual([])
  })
})

describe('a proof', () => {
  const prove = (session: string, body: object) => app('POST', '/session/proof', { session, body })
  it('takes the second factor of a seat that has one, and not its password', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    expect((await prove(session, { password: PASSWORD })).status).toBe(200)
    const { secret } = await enrol(session)
    expect((await app('GET', '/session/second_factor', { session })).body).toMatchObject({
      data: { required: false, missing: false, recovery_codes: 10, proofs: ['code', 'recovery_code'] },
    })
    expect(codeOf(await prove(session, { password: PASSWORD }))).toEqual([422, 'validation_failed'])
    await ask(cell, `update sessions set proven_at = now() - interval '1 hour' where seat_id = $1`, [agency.owner.id])
    cell.clock.add(LATER_MS)
    expect(codeOf(await app('POST', '/session/recovery_codes', { session }))).toEqual([403, 'proof_required'])
    expect((await prove(session, { code: shownBy(secret) })).status).toBe(200)
    expect((await app('POST', '/session/recovery_codes', { session })).status).toBe(201)
    expect((await prove(session, { code: shownBy(secret) })).status).toBe(422)
  })
  it('that is guessed waits, in this session alone', async () => {
    const [thief, own] = [
      await signInAs(cell, agency.number, agency.owner.id),
      await signInAs(cell, agency.number, agency.owner.id),
    ]
    for (let guess = 0; guess < 5; guess++) expect((await prove(thief, { password: 'wrong' })).status).toBe(422)
    // As if there had been more of them: the first wait is a second, which a slow machine outlasts.
    await ask(cell, 'update sign_in_attempts set failures = failures + 10', [])
    expect(codeOf(await prove(thief, { password: PASSWORD }))).toEqual([429, 'rate_limited'])
    const change = { current_password: PASSWORD, password: 'a quiet ferry to Kadıköy' }
    expect((await app('PUT', '/session/password', { session: thief, body: change })).status).toBe(429)
    expect((await prove(own, { password: PASSWORD })).status).toBe(200)
  })
})

describe('a second factor that the account demands', () => {
  const demand = async (required: boolean) => {
    await ask(cell, 'update accounts set second_factor_required = $1 where account_id = $2', [required, agency.number])
    cell.clock.add(LATER_MS)
  }
  it('is all that a session without one may enrol', async () => {
    await demand(true)
    const session = cookieOf(await signIn())
    for (const [method, path, body] of [
      ['GET', '/me'],
      ['GET', '/people'],
      ['GET', '/sessions'],
      ['POST', '/api_keys', { name: 'X', scopes: ['full'] }],
      ['PUT', '/session/password', { current_password: PASSWORD, password: 'a quiet ferry to Kadıköy' }],
    ] as const)
      expect([path, ...codeOf(await app(method, path, { session, body }))]).toEqual([
        path,
        403,
        'second_factor_required',
      ])
    expect((await app('GET', '/session/second_factor', { session })).body).toMatchObject({
      data: { required: true, missing: true },
    })
    await enrol(session)
    expect((await app('GET', '/me', { session })).status).toBe(200)
    expect((await app('GET', '/session/second_factor', { session })).body).toMatchObject({ data: { missing: false } })
  })
  it('binds sessions of before as well, which may show it or sign out', async () => {
    const [old, own] = [
      await signInAs(cell, agency.number, agency.owner.id),
      await signInAs(cell, agency.number, agency.owner.id),
    ]
    const { secret } = await enrol(own)
    await demand(true)
    expect((await app('GET', '/me', { session: own })).status).toBe(200)
    expect(codeOf(await app('GET', '/me', { session: old }))).toEqual([403, 'second_factor_required'])
    const body = { code: shownBy(secret) }
    expect((await app('POST', '/session/proof', { session: old, body })).status).toBe(200)
    expect((await app('GET', '/me', { session: old })).status).toBe(200)
    await demand(false)
    const plain = await signInAs(cell, agency.number, agency.advisor)
    await demand(true)
    expect((await app('DELETE', '/session', { session: plain })).status).toBe(204)
  })
  it('is not removed where it is the last', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    await enrol(session)
    await demand(true)
    expect(codeOf(await app('DELETE', '/session/totp', { session }))).toEqual([409, 'conflict'])
    await demand(false)
    expect((await app('DELETE', '/session/totp', { session })).status).toBe(204)
  })
})

describe('a session', () => {
  it('from a new browser or network is notified of by mail, and one from a known place is not', async () => {
    const from = async (userAgent: string) => {
      const { token } = await linkOf('sign_in')
      await app('POST', '/sign_in/link', { body: { token }, headers: { 'user-agent': userAgent } })
      const rows = await ask<{ plain: string }>(
        cell,
        `select seat_mail ->> 'plain' as plain from message_sends where account_id = $1 and seat_mail ->> 'subject' = 'New sign-in'`,
        [agency.number],
      )
      return rows.map(({ plain }) => /Device: (.*)/.exec(plain)?.[1])
    }
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    expect(await from('lightMyRequest')).toEqual([])
    expect(await from(firefox)).toEqual(['Firefox, Windows'])
    expect(await from(firefox)).toHaveLength(1)
  })
  it('that is ended by a request sent again is forgotten by the browser', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    const out = () => app('DELETE', '/session', { session, headers: { 'idempotency-key': 'out' } })
    const [first, again] = [await out(), await out()]
    expect([first, again].map((answer) => [answer.status, String(answer.headers['set-cookie'])])).toEqual(
      [first, again].map(() => [204, expect.stringContaining('Max-Age=0')]),
    )
    expect(again.headers['idempotent-replay']).toBe('true')
  })
})

it('seats that others made with an address do not keep its person out of their own', async () => {
  const others: Agency[] = []
  for (let at = 0; at < 6; at++) others.push(await makeAgency(cell))
  const last = others.at(-1) as Agency
  const hash = await ask<{ hash: string }>(cell, 'select hash from seat_passwords where seat_id = $1', [
    agency.owner.id,
  ])
  await ask(cell, 'update seats set email = $1 where id = any ($2::uuid[])', [
    email,
    others.map(({ owner }) => owner.id),
  ])
  for (const { number, owner } of others)
    await ask(cell, 'insert into seat_passwords (account_id, seat_id, hash) values ($1, $2, $3)', [
      number,
      owner.id,
      number === last.number ? hash[0]?.hash : `$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`,
    ])
  await ask(cell, 'delete from sessions where seat_id = any ($1::uuid[])', [others.map(({ owner }) => owner.id)])
  const accounts = async (body: object) =>
    (
      (await app('POST', '/sign_in/password', { body: { email, password: PASSWORD, ...body } })).body as SignedIn
    ).data.map(({ account }) => account)
  expect(await accounts({})).toContain(agency.number)
  expect(await accounts({ account: last.number })).toEqual([last.number])
})
