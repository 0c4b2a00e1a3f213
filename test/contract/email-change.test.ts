import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { openedMail, type SeatMail } from '../../src/features/communications/commands/queue-messages.ts'
import { endAccess } from '../../src/features/sign-in/commands/end-access.ts'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { ask } from '../harness/sql.ts'

let cell: TestCell
let agency: Agency
let session: string
let old: string
let wanted: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted, sendsMail: true } })
})
const addressOf = (name: string) => `${name}-${crypto.randomUUID()}@agency.example`
beforeEach(async () => {
  agency = await makeAgency(cell)
  old = addressOf('old')
  wanted = addressOf('new')
  await ask(cell, 'update seats set email = $1 where id = $2', [old, agency.owner.id])
  session = await signInAs(cell, agency.number, agency.owner.id)
})

const app = (method: string, path: string, call: Call = {}) => cell.call(method, `/app/v1${path}`, call)
const request = (email: string, of = session) => app('POST', '/session/email', { session: of, body: { email } })
const confirm = async (token: string) => {
  const { status, body } = await app('POST', '/sign_in/email_change', { body: { token } })
  return status === 200 ? (body as { data: { changed: boolean } }).data.changed : status
}
async function mailsTo(address: string) {
  const rows = await ask<{ mail: SeatMail; text: Buffer | null; whole: string }>(
    cell,
    `select seat_mail as mail, sealed_text as text, m::text as whole from message_sends m
     where seat_mail ->> 'to' = $1 order by created_at`,
    [address],
  )
  return rows.map(({ mail, text, whole }) => ({ whole, ...openedMail(mail, text, cell.deps.mailTexts) }))
}
/** The token of the last link that was sent to an address. */
const sentTo = async (address: string) =>
  (await mailsTo(address)).map(({ plain }) => /#email_change=(\S+)/.exec(plain ?? '')?.[1]).findLast(Boolean) ?? ''
const bothTokens = async () => [await sentTo(old), await sentTo(wanted)] as const
const emailOf = async (seat = agency.owner.id) =>
  (await ask<{ email: string }>(cell, 'select email from seats where id = $1', [seat]))[0]?.email
const actions = async () =>
  (
    await ask<{ action: string }>(
      cell,
      `select action from audit_log where account_id = $1 and action like 'seat.email%' order by id`,
      [agency.number],
    )
  ).map(({ action }) => action)
const told = async (address: string) =>
  (await mailsTo(address)).filter(({ plain }) => plain?.includes('Your e-mail address was changed')).length

describe('a change of an address', () => {
  it.each([
    ['the present one first', false],
    ['the new one first', true],
  ])('is made when both addresses have confirmed it, %s, and ends nothing else', async (_, newFirst) => {
    const answer = await request(` ${wanted} `)
    expect([answer.status, answer.body]).toMatchObject([201, { data: { email: wanted } }])
    const tokens = await bothTokens()
    for (const { whole } of await mailsTo(old)) expect(whole).not.toContain('email_change=')
    const [first, second] = newFirst ? tokens.toReversed() : tokens
    const inspected = await app('POST', '/sign_in/email_change/inspect', { body: { token: first } })
    expect(inspected.body).toEqual({ data: { from: old, to: wanted, account: 'Test Seyahat' } })
    expect([await confirm(String(first)), await emailOf()]).toEqual([false, old])
    const waiting = await app('GET', '/session/email', { session })
    expect(waiting.body).toMatchObject({
      data: { email: old, change: { email: wanted, confirmed_by_old: !newFirst, confirmed_by_new: newFirst } },
    })
    expect([await confirm(String(first)), await emailOf()]).toEqual([404, old])
    expect([await confirm(String(second)), await emailOf()]).toEqual([true, wanted])
    expect([await confirm(String(first)), await confirm(String(second))]).toEqual([404, 404])
    expect([await told(old), await told(wanted)]).toEqual([1, 1])
    const own = await app('GET', '/session/email', { session })
    expect(own.body).toEqual({ data: { email: wanted, change: null } })
    expect(await actions()).toEqual(['seat.email_change_asked', 'seat.email_confirmed', 'seat.email_changed'])
  })
  it('takes the place of an earlier one, whose links mixed with the new ones confirm nothing', async () => {
    await request(wanted)
    const [firstOld, firstNew] = await bothTokens()
    expect(await confirm(firstOld)).toBe(false)
    const other = addressOf('other')
    expect((await request(other)).status).toBe(201)
    expect([await confirm(firstOld), await confirm(firstNew)]).toEqual([404, 404])
    expect([await confirm(await sentTo(other)), await emailOf()]).toEqual([false, old])
    expect([await confirm(firstNew), await emailOf()]).toEqual([404, old])
    expect([await confirm(await sentTo(old)), await emailOf()]).toEqual([true, other])
  })
  it('is not completed by the link of another seat', async () => {
    const theirs = addressOf('theirs')
    const stranger = await signInAs(cell, agency.number, agency.advisor)
    await request(wanted)
    expect((await request(theirs, stranger)).status).toBe(201)
    expect([await confirm(await sentTo(old)), await confirm(await sentTo(theirs))]).toEqual([false, false])
    expect([await emailOf(), await emailOf(agency.advisor)]).toEqual([old, 'advisor@agency.example'])
  })
  it('is withdrawn by its person, and with the access of the seat', async () => {
    await request(wanted)
    const tokens = await bothTokens()
    expect((await app('DELETE', '/session/email', { session })).status).toBe(204)
    expect((await app('DELETE', '/session/email', { session })).status).toBe(404)
    expect(await Promise.all(tokens.map(confirm))).toEqual([404, 404])
    await request(wanted)
    const [later] = await bothTokens()
    await cell.deps.db.inAccount(agency.number, (tx) => endAccess(tx, agency.owner.id), OPERATOR)
    expect(await confirm(later)).toBe(404)
    expect(await actions()).toContain('seat.email_change_cancelled')
  })
  it('is not confirmed for a seat that is not active, nor after a day', async () => {
    await request(wanted)
    const [token] = await bothTokens()
    await ask(cell, 'update seats set active = false where id = $1', [agency.owner.id])
    expect(await confirm(token)).toBe(404)
    await ask(cell, 'update seats set active = true where id = $1', [agency.owner.id])
    const [row] = await ask<{ hours: number }>(
      cell,
      'select round(extract(epoch from expires_at - now()) / 3600)::integer as hours from email_changes where seat_id = $1',
      [agency.owner.id],
    )
    expect(row?.hours).toBe(24)
    await ask(cell, 'update email_changes set expires_at = now() where seat_id = $1', [agency.owner.id])
    expect([await confirm(token), await emailOf()]).toEqual([404, old])
  })
  it('is refused where another seat has the address, before it was asked for or since', async () => {
    const taken = await request('ADVISOR@agency.example')
    expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('Another seat of this account')])
    await request(wanted)
    const [one, other] = await bothTokens()
    expect(await confirm(one)).toBe(false)
    const seat = { name: 'Ada', email: wanted.toUpperCase(), role: 'viewer', branchId: null }
    const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
    expect([await confirm(other), await emailOf(), await told(old)]).toEqual([409, old, 0])
    await ask(cell, 'update seats set email = $1 where id = $2', [addressOf('moved'), id])
    expect([await confirm(other), await emailOf()]).toEqual([true, wanted])
  })
  it('by two seats to one address is made for one of them, and the other is told', async () => {
    const stranger = await signInAs(cell, agency.number, agency.advisor)
    await request(wanted)
    const [mine, mineNew] = await bothTokens()
    await request(wanted, stranger)
    const theirsNew = await sentTo(wanted)
    expect([await confirm(mine), await confirm(await sentTo('advisor@agency.example'))]).toEqual([false, false])
    const answers = await Promise.all([confirm(mineNew), confirm(theirsNew)])
    expect(answers.toSorted()).toEqual([409, true])
  })
  it.each([
    'no address',
    '<script>alert(1)</script>@example.com',
    'a@b@c.example',
    '"<b>ada</b>"@agency.example',
    'ada@example.com\nBcc: x@example.com',
  ])('to %j is refused', async (email) => {
    const { status, body } = await request(email)
    expect([status, body]).toMatchObject([422, { code: 'validation_failed' }])
    expect(await emailOf()).toBe(old)
  })
  it('to an address with signs of HTML is mailed as text', async () => {
    wanted = `a&b'-${crypto.randomUUID()}@agency.example`
    expect((await request(wanted)).status).toBe(201)
    const html = (await mailsTo(old)).map((mail) => mail.html ?? '').join('')
    expect(html).toContain('a&amp;b')
    expect(html).not.toContain('a&b')
  })
  it('to the same address is refused, and one of its letters alone may be changed', async () => {
    expect((await request(old)).status).toBe(422)
    wanted = old.toUpperCase().replace('@AGENCY.EXAMPLE', '@agency.example')
    expect((await request(wanted)).status).toBe(201)
  })
  it('needs a recent proof, and somebody else cannot make it for a person', async () => {
    const email = addressOf('theirs')
    const body = { version: 1, email }
    await app('PATCH', `/people/${agency.advisor}`, { session, body })
    expect(await emailOf(agency.advisor)).toBe('advisor@agency.example')
    await ask(cell, `update sessions set proven_at = now() - interval '1 hour' where seat_id = $1`, [agency.owner.id])
    cell.clock.add(1_000)
    const { status, body: answer } = await request(wanted)
    expect([status, answer]).toMatchObject([403, { code: 'proof_required' }])
  })
})

it('a link to sign in confirms no address, and a link that confirms one does not sign in', async () => {
  await request(wanted)
  const { token } = await cell.deps.db.inAccount(
    agency.number,
    (tx) => makeLink(tx, agency.owner.id, 'sign_in'),
    OPERATOR,
  )
  expect(await confirm(token)).toBe(404)
  expect((await app('POST', '/sign_in/link', { body: { token: await sentTo(old) } })).status).toBe(404)
})

it('is refused where the cell sends no e-mail', async () => {
  const silent = await startCell({ deps: { count: uncounted, sendsMail: false } })
  const { number, owner } = await makeAgency(silent)
  const own = await signInAs(silent, number, owner.id)
  const answer = await silent.call('POST', '/app/v1/session/email', { session: own, body: { email: 'a@example.com' } })
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('SMTP_URL')])
})
