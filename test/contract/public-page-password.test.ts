import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/features/trips/share-token.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { previewOf } from '../harness/preview.ts'
import { english } from '../harness/sample-trips.ts'
import { changeLink, mintLink, openPage, readLink, sendForm, shareTrip } from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'

describe('a link with a password', () => {
  let cell: TestCell
  let agency: Agency
  const PASSWORD = 'Güneşli günler'
  let password_hash: string
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
    password_hash = await hashPassword(PASSWORD)
  })
  const locked = () => shareTrip(cell, agency, { ...english, link: { password_hash } })
  const fetchPage = (path: string, headers: Record<string, string> = {}) => openPage(cell, path, headers)
  const send = (token: string, password: string) => sendForm(cell, token, { password })
  const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
    String(headers['set-cookie']).split(';')[0] as string

  it('asks for it, and tells nothing but whose it is before it has it', async () => {
    const { token, link } = await locked()
    const { statusCode, body } = await fetchPage(token)
    expect(statusCode).toBe(200)
    expect(body).toContain('<form method="post">')
    expect(body).not.toMatch(/Rome|Ayşe/)
    expect(body).toContain('<header class="agency" dir="auto">Test Seyahat</header>')
    expect(previewOf(body)).toEqual({
      type: 'website',
      site_name: 'Test Seyahat',
      title: 'Test Seyahat',
      locale: 'en_GB',
    })
    const calendar = await fetchPage(`${token}/trip.ics`)
    expect([calendar.statusCode, calendar.headers.location, calendar.body]).toEqual([303, `../${token}`, ''])
    expect((await readLink(cell, link))?.view_count).toBe(0)
  })
  it('opens by it, with a cookie for this link and this password that lasts eight hours', async () => {
    const { token, link, trip } = await locked()
    const other = await mintLink(cell, agency, trip, { password_hash })
    const answer = await send(token, PASSWORD)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, token])
    expect(answer.headers['set-cookie']).toMatch(
      new RegExp(`^trip_pass=[\\w-]+; Path=/s/${token}; Max-Age=28800; HttpOnly; SameSite=Lax$`),
    )
    const headers = { cookie: `a=b; ${cookieOf(answer)}` }
    expect((await fetchPage(token, headers)).body).toContain('A week in Rome')
    expect((await fetchPage(`${token}/trip.ics`, headers)).headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect((await readLink(cell, link))?.view_count).toBe(1)
    const isAsked = async (at: string, given = headers) => (await fetchPage(at, given)).body.includes('<form')
    expect(await isAsked(other.token)).toBe(true)
    expect(await isAsked(token, { cookie: cookieOf(answer).replace(/=./, '=_') })).toBe(true)
    cell.clock.add(8 * 3600 * 1000)
    expect(await isAsked(token)).toBe(true)
    cell.clock.set(Date.now())
    expect(await isAsked(token)).toBe(false)
    await ask(cell, 'update share_links set password_hash = $2 where id = $1', [link, await hashPassword(PASSWORD)])
    expect(await isAsked(token)).toBe(true)
  })
  it('sends the cookie over https alone where clients reach the cell so', async () => {
    const secure = await startCell({ publicUrl: 'https://trips.example/cell' })
    const { token } = await shareTrip(secure, await makeAgency(secure), { link: { password_hash } })
    const { headers } = await sendForm(secure, token, { password: PASSWORD })
    expect(headers['set-cookie']).toMatch(new RegExp(`; Path=/cell/s/${token}; .*; Secure$`))
  })
  it('says that a password was wrong, and from the fifth on makes the next one wait, twice as long each time', async () => {
    const { token, link } = await locked()
    const wrong = async () => {
      const { statusCode, headers, body } = await send(token, 'wrong')
      return [statusCode, headers['retry-after'] ?? null, /role="alert">([^<]*)/.exec(body)?.[1]]
    }
    for (let n = 0; n < 5; n++)
      expect(await wrong()).toEqual([403, null, 'This is not the password. Please try again.'])
    for (const seconds of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]) {
      const [status, wait] = await wrong()
      expect([status, Math.abs(Number(wait) - seconds) <= 2]).toEqual([429, true])
      expect((await send(token, PASSWORD)).statusCode).toBe(429)
      await changeLink(cell, link, `blocked_until = now()`)
      expect((await wrong())[0]).toBe(403)
    }
    expect((await wrong())[2]).toBe('Too many wrong passwords. Please try again in 15 minutes.')
    await changeLink(cell, link, `blocked_until = now()`)
    expect((await send(token, PASSWORD)).statusCode).toBe(303)
    expect(await readLink(cell, link)).toMatchObject({ failed_attempts: 0, blocked_until: null })
  })
  it('looks at five of many that are tried at once', async () => {
    const { token } = await locked()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(token, 'wrong')))
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(5)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15)
  })
  it('forgets the wrong ones after a day without any', async () => {
    const { token, link } = await locked()
    await changeLink(cell, link, `failed_attempts = 50, blocked_until = now() - interval '25 hours'`)
    expect((await send(token, 'wrong')).statusCode).toBe(403)
    expect(await readLink(cell, link)).toMatchObject({ failed_attempts: 1, blocked_until: null })
  })
  it.each([
    ['nothing', ''],
    ['an empty one', 'password='],
    ['another field', 'x=y'],
    ['nonsense', '%%%&=&password'],
  ])('takes %s for a wrong one', async (_, payload) => {
    const { token } = await locked()
    expect((await sendForm(cell, token, payload)).statusCode).toBe(403)
  })
  it('refuses forms that are none', async () => {
    const { token } = await locked()
    const json = { 'content-type': 'application/json' }
    const answer = await cell.app.inject({ method: 'POST', url: `/s/${token}`, headers: json, payload: '{}' })
    expect(answer.statusCode).toBe(415)
    expect((await sendForm(cell, token, 'x'.repeat(5000))).statusCode).toBe(413)
    expect((await sendForm(cell, token, Buffer.from([0xff, 0xfe]))).statusCode).toBe(403)
  })
  it('is led to the page where the link has none', async () => {
    const { token } = await shareTrip(cell, agency, english)
    const answer = await send(token, 'x')
    expect([answer.statusCode, answer.headers.location, answer.headers['set-cookie']]).toEqual([303, token, undefined])
  })
})
