import { Secret, TOTP } from 'otpauth'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { openedMail, type SeatMail } from '../../src/features/communications/commands/queue-messages.ts'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

const PASSWORD = 'seven grey herons at dusk'
const NEXT = 'a quiet ferry to Kadıköy'
/** Until a session is looked up again. */
const LATER_MS = 1_000

let cell: TestCell
let agency: Agency
let email: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
})
beforeEach(async () => {
  agency = await makeAgency(cell)
  email = `owner-${crypto.randomUUID()}@agency.example`
  await ask(cell, 'update seats set email = $1 where id = $2', [email, agency.owner.id])
  const make = await cell.deps.db.inAccount(
    agency.number,
    (tx) => makeLink(tx, agency.owner.id, 'invitation'),
    OPERATOR,
  )
  await app('POST', '/sign_in/link', { body: { token: make.token, password: PASSWORD } })
  await ask(cell, 'delete from sign_in_attempts', [])
})
const app = (method: string, path: string, call: Call = {}) => cell.call(method, `/app/v1${path}`, call)
const codeOf = ({ status, body }: { status: number; body: never }) => [status, (body as { code?: string }).code]
const reset = (of: string) => app('POST', '/sign_in/reset', { body: { email: of } })
const signIn = async (password: string) =>
  (await app('POST', '/sign_in/password', { body: { email, password } })).status
/** Whole rows of the mails that wait, and their opened texts. */
async function mails(to = email) {
  const rows = await ask<{ mail: SeatMail; text: Buffer | null; whole: string }>(
    cell,
    `select seat_mail as mail, sealed_text as text, m::text as whole from message_sends m
     where seat_mail ->> 'to' = $1 order by created_at`,
    [to],
  )
  return rows.map(({ mail, text, whole }) => ({ whole, plain: openedMail(mail, text, cell.deps.mailTexts)?.plain }))
}
const tokenIn = (plain = '') => /#link=(\S+)/.exec(plain)?.[1] ?? ''

describe('a forgotten password', () => {
  it('is chosen anew by a link in a sealed mail, good once, which ends the sessions', async () => {
    const session = await signInAs(cell, agency.number, agency.owner.id)
    expect((await reset(` ${email.toUpperCase()} `)).status).toBe(204)
    const [first] = await mails()
    expect(first?.whole).not.toContain('link=')
    await reset(email)
    const [, second] = await mails()
    const use = (plain?: string) => app('POST', '/sign_in/link', { body: { token: tokenIn(plain), password: NEXT } })
    expect([(await use(first?.plain)).status, (await use(second?.plain)).status]).toEqual([404, 200])
    expect((await use(second?.plain)).status).toBe(404)
    expect([await signIn(PASSWORD), await signIn(NEXT)]).toEqual([401, 200])
    cell.clock.add(LATER_MS)
    expect((await app('GET', '/me', { session })).status).toBe(401)
    expect((await mails()).map(({ plain }) => plain?.split('\n\n')[1])).toContain(
      'Your password was changed. Your other sessions were ended.',
    )
  })
  it('expires after an hour, and leaves everything as it is until it is used', async () => {
    await reset(email)
    const [mail] = await mails()
    const [row] = await ask<{ minutes: number }>(
      cell,
      `select round(extract(epoch from expires_at - now()) / 60)::integer as minutes from sign_in_links
       where seat_id = $1 and purpose = 'reset' and used_at is null`,
      [agency.owner.id],
    )
    expect(row?.minutes).toBe(60)
    expect(await signIn(PASSWORD)).toBe(200)
    await ask(cell, `update sign_in_links set expires_at = now() where seat_id = $1`, [agency.owner.id])
    const late = await app('POST', '/sign_in/link', { body: { token: tokenIn(mail?.plain), password: NEXT } })
    expect(late.status).toBe(404)
  })
  it('answers alike for an unknown address, after whole seconds, and mails nothing there', async () => {
    const timed = async (of: string) => {
      const began = performance.now()
      const { status, text, headers } = await reset(of)
      const steps = (performance.now() - began) / 1000
      return { status, text, cookies: headers['set-cookie'], late: steps >= 1 }
    }
    const unknown = `nobody-${crypto.randomUUID()}@agency.example`
    expect(await timed(email)).toEqual(await timed(unknown))
    expect(await mails(unknown)).toEqual([])
    await ask(cell, 'update seats set active = false where id = $1', [agency.owner.id])
    const before = (await mails()).length
    expect((await reset(email)).status).toBe(204)
    expect(await mails()).toHaveLength(before)
  })
  it.each(['a known address', 'an unknown address'])('keeps %s waiting alike after several', async (which) => {
    const of = which === 'a known address' ? email : `x-${crypto.randomUUID()}@agency.example`
    const statuses = await Promise.all(Array.from({ length: 8 }, () => reset(of)))
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([204, 204, 204, 204, 204, 429, 429, 429])
    expect(await signIn(PASSWORD)).toBe(200)
  })
})

describe('a second factor that a colleague resets', () => {
  async function enrolled(seat: string) {
    const session = await signInAs(cell, agency.number, seat)
    const { secret } = ((await app('POST', '/session/totp', { session })).body as { data: { secret: string } }).data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: cell.deps.now() })
    await app('POST', '/session/totp/confirm', { session, body: { code } })
    return session
  }
  const resetOf = (seat: string, session: string) => app('POST', `/people/${seat}/reset_second_factor`, { session })
  it('is gone with its recovery codes and sessions, and the person is notified', async () => {
    const owner = await signInAs(cell, agency.number, agency.owner.id)
    const lost = await enrolled(agency.advisor)
    expect((await resetOf(agency.advisor, owner)).body).toEqual({ data: { ended: 1 } })
    cell.clock.add(LATER_MS)
    expect((await app('GET', '/me', { session: lost })).status).toBe(401)
    expect(await signInAs(cell, agency.number, agency.advisor)).not.toBe('')
    const left = await ask(
      cell,
      'select seat_id from seat_totp where seat_id = $1 union all select seat_id from recovery_codes where seat_id = $1',
      [agency.advisor],
    )
    expect(left).toEqual([])
    const mailed = await ask(
      cell,
      `select from message_sends where account_id = $1 and seat_mail ->> 'plain' like '%removed your second factors%'`,
      [agency.number],
    )
    expect(mailed).toHaveLength(1)
  })
  it('is refused for oneself, by editors who hold less, of other accounts, and without a recent proof', async () => {
    const owner = await signInAs(cell, agency.number, agency.owner.id)
    expect(codeOf(await resetOf(agency.owner.id, owner))).toEqual([403, 'forbidden'])
    const seat = { name: 'Admin', email: `admin-${crypto.randomUUID()}@agency.example`, role: 'admin', branchId: null }
    const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
    const admin = await signInAs(cell, agency.number, id)
    expect(codeOf(await resetOf(agency.owner.id, admin))).toEqual([403, 'forbidden'])
    const other = await makeAgency(cell)
    expect(codeOf(await resetOf(other.advisor, admin))).toEqual([404, 'not_found'])
    await ask(cell, `update sessions set proven_at = now() - interval '1 hour' where seat_id = $1`, [id])
    cell.clock.add(LATER_MS)
    expect(codeOf(await resetOf(agency.advisor, admin))).toEqual([403, 'proof_required'])
  })
})
