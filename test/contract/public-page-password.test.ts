import { beforeAll, describe, expect, it } from 'vitest'
import { attemptPurge } from '../../src/features/trip-pages/attempt-purge.job.ts'
import { hashPassword } from '../../src/features/trip-pages/share-token.ts'
import { type Network, readNetwork } from '../../src/platform/access/source-address.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { previewOf } from '../harness/preview.ts'
import { english } from '../harness/sample-trips.ts'
import {
  attemptsAt,
  changeAttempts,
  mintLink,
  openPage,
  readLink,
  sendForm,
  shareTrip,
} from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'
import { GO_ON } from '../harness/worker.ts'

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

  it('asks for it, and shows only the agency before', async () => {
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
    expect(
      await isAsked(token, { cookie: cookieOf(answer).replace(/=(.)/, (_, first) => (first === '_' ? '=-' : '=_')) }),
    ).toBe(true)
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
  it('reports a wrong password, and delays attempts from the fifth on, twice as long each time', async () => {
    const { token, link } = await locked()
    const wrong = async () => {
      const { statusCode, headers, body } = await send(token, 'wrong')
      return [statusCode, headers['retry-after'] ?? null, /role="alert">([^<]*)/.exec(body)?.[1]]
    }
    for (let n = 0; n < 5; n++) expect(await wrong()).toEqual([403, null, 'The password is wrong. Please try again.'])
    for (const seconds of [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]) {
      const [status, wait] = await wrong()
      expect([status, Math.abs(Number(wait) - seconds) <= 2]).toEqual([429, true])
      expect((await send(token, PASSWORD)).statusCode).toBe(429)
      await changeAttempts(cell, link, `blocked_until = now()`)
      expect((await wrong())[0]).toBe(403)
    }
    expect((await wrong())[2]).toBe('Too many wrong passwords. Please try again in 15 minutes.')
    await changeAttempts(cell, link, `blocked_until = now()`)
    expect((await send(token, PASSWORD)).statusCode).toBe(303)
    expect(await attemptsAt(cell, link)).toEqual([0])
  })
  it('looks at five of many that are tried at once', async () => {
    const { token } = await locked()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(token, 'wrong')))
    expect(answers.filter(({ statusCode }) => statusCode === 403)).toHaveLength(5)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15)
  })
  const sendFrom = (remoteAddress: string, token: string, password: string) =>
    sendForm(cell, token, { password }, { remoteAddress })
  it('does not delay a visitor because of the attempts of others', async () => {
    const { token, link } = await locked()
    for (let n = 0; n < 6; n++) await send(token, 'wrong')
    expect((await send(token, PASSWORD)).statusCode).toBe(429)
    expect((await sendFrom('198.51.100.7', token, PASSWORD)).statusCode).toBe(303)
    await changeAttempts(cell, link, 'failed = 1000')
    for (const at of [1, 2, 3]) expect((await sendFrom(`198.51.100.${at}`, token, PASSWORD)).statusCode).toBe(303)
  })
  it('takes the addresses of an IPv6 network for one visitor, and IPv4 as it is for another', async () => {
    const { token } = await locked()
    for (let n = 0; n < 5; n++) await sendFrom(`2001:db8:0:1::${n}`, token, 'wrong')
    expect((await sendFrom('2001:db8:0:1:ffff::1', token, PASSWORD)).statusCode).toBe(429)
    expect((await sendFrom('2001:db8:0:2::1', token, PASSWORD)).statusCode).toBe(303)
    expect((await sendFrom('::ffff:192.0.2.1', token, PASSWORD)).statusCode).toBe(303)
  })
  it('takes the address of a visitor from trusted proxies alone', async () => {
    const proxied = await startCell({ trustedProxies: [readNetwork('10.0.0.0/8') as Network] })
    const { token } = await shareTrip(proxied, await makeAgency(proxied), { link: { password_hash } })
    const from = (remoteAddress: string, visitor: string, password: string) =>
      sendForm(proxied, token, { password }, { remoteAddress, headers: { 'x-forwarded-for': visitor } })
    for (let n = 0; n < 5; n++) await from('10.0.0.1', '198.51.100.1', 'wrong')
    expect((await from('10.0.0.1', '198.51.100.1', PASSWORD)).statusCode).toBe(429)
    expect((await from('10.0.0.1', '198.51.100.2', PASSWORD)).statusCode).toBe(303)
    for (let n = 0; n < 5; n++) await from('203.0.113.9', `198.51.100.${10 + n}`, 'wrong') // its own invention
    expect((await from('203.0.113.9', '198.51.100.99', PASSWORD)).statusCode).toBe(429)
  })
  it('gives each visitor one attempt without a wait where many guess', async () => {
    const { token, link } = await locked()
    await sendFrom('192.0.2.1', token, 'wrong')
    await changeAttempts(cell, link, 'failed = 50')
    expect((await sendFrom('198.51.100.1', token, 'wrong')).statusCode).toBe(403)
    const { statusCode, headers } = await sendFrom('198.51.100.1', token, 'wrong')
    expect([statusCode, Number(headers['retry-after']) > 55]).toEqual([429, true])
    expect((await sendFrom('198.51.100.2', token, PASSWORD)).statusCode).toBe(303)
    expect((await attemptsAt(cell, link))[0]).toBe(51)
  })
  it('counts the wrong ones of a day, also where somebody opens the page every few hours', async () => {
    const { token, link } = await locked()
    const passHours = (hours: number) => changeAttempts(cell, link, `since = since - interval '${hours} hours'`)
    await sendFrom('198.51.100.1', token, 'wrong')
    await changeAttempts(cell, link, 'failed = 50')
    for (let hours = 0; hours < 25; hours += 5) {
      expect((await sendFrom('198.51.100.2', token, PASSWORD)).statusCode).toBe(303)
      await passHours(5)
    }
    expect((await sendFrom('198.51.100.3', token, 'wrong')).statusCode).toBe(403)
    expect((await sendFrom('198.51.100.3', token, 'wrong')).statusCode).toBe(403)
    expect((await attemptsAt(cell, link))[0]).toBe(2)
    await passHours(25)
    await attemptPurge.run(cell.deps, GO_ON)
    expect(await attemptsAt(cell, link)).toEqual([])
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
  it('refuses invalid forms', async () => {
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
