import { beforeAll, describe, expect, it } from 'vitest'
import { stopReferral } from '../../src/features/referrals/commands/stop-referral.ts'
import { visitPurge } from '../../src/features/referrals/visit-purge.job.ts'
import { readNetwork } from '../../src/platform/access/source-address.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { BROWSER, referralsOf } from '../harness/referrals.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'
import { GO_ON } from '../harness/worker.ts'

const TURKISH = { 'accept-language': 'tr-TR,tr;q=0.9' }
const PROXY = '10.0.0.7'
const NOTHING = 'zzzzzzzzzz'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** From Istanbul's midnight to that of the last zone. */
const HOURS_UNTIL_OVER = 15

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  const proxies = [readNetwork('10.0.0.0/8')].filter((network) => network !== null)
  cell = await startCell({ trustedProxies: proxies, deps: { count: uncounted } })
  agency = await makeAgency(cell)
})
const { make, open, enquire, leadsOf, visitsOf } = referralsOf(() => cell)
const trips = tripsOf(() => cell)
const only = <T>(rows: readonly T[]): T => {
  expect(rows).toHaveLength(1)
  return rows[0] as T
}
const call = async (method: string, path: string, body?: object) =>
  (await cell.call(method, path, { key: agency.key, ...(body && { body }) })).body as { data: Record<string, unknown> }

describe('a visit by a code', () => {
  it('is counted once a day and visitor, of people alone', async () => {
    const { id, token } = await make(agency)
    const counted: [string, number, () => unknown][] = [
      ['the first', 1, () => open(token)],
      ['the same again', 1, () => open(token, TURKISH)],
      ['however it was typed', 1, () => open(token.toUpperCase())],
      ['the same at once', 1, () => Promise.all(Array.from({ length: 6 }, () => open(token)))],
      ['another browser', 2, () => open(token, { 'user-agent': `${BROWSER} Other` })],
      ['another address', 3, () => open(token, {}, 'GET', '203.0.113.6')],
      ['a look at the headers', 3, () => open(token, {}, 'HEAD', '203.0.113.7')],
      ['a robot', 3, () => open(token, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })],
      ['a program', 3, () => open(token, { 'user-agent': 'curl/8.0' })],
      ['a browser that looks ahead', 3, () => open(token, { 'sec-purpose': 'prefetch' }, 'GET', '203.0.113.8')],
      ['the thanks', 3, () => open(`${token}/thanks`, {}, 'GET', '203.0.113.9')],
    ]
    for (const [who, visits, act] of counted) {
      await act()
      expect([who, await visitsOf(id)]).toEqual([who, visits])
    }
  })
  it('is identified by the address behind trusted proxies, not by a forged one', async () => {
    const { id, token } = await make(agency)
    const from = (address: string, forwarded: string) => open(token, { 'x-forwarded-for': forwarded }, 'GET', address)
    await from(PROXY, '198.51.100.1')
    await from(PROXY, '198.51.100.1, 10.0.0.8')
    await from(PROXY, 'invented, 198.51.100.1')
    expect(await visitsOf(id)).toBe(1)
    await from(PROXY, '198.51.100.2')
    expect(await visitsOf(id)).toBe(2)
    await from('198.51.100.2', '198.51.100.3')
    expect(await visitsOf(id)).toBe(2)
  })
  it('is a new one on the account’s next day, cannot be identified a day later, and stays counted', async () => {
    const { id, token } = await make(agency)
    const midnight = Date.parse('2031-03-10T21:00:00Z') // in Istanbul
    const kept = () =>
      ask<{ day: string; visitor: Buffer }>(
        cell,
        'select day::text, visitor from referral_visits where referral_code_id = $1 order by day',
        [id],
      )
    for (const [at, visits] of [
      [midnight - 1000, 1],
      [midnight + 1000, 2],
      [midnight + HOURS_UNTIL_OVER * HOUR_MS, 2],
    ] as const) {
      cell.clock.set(at)
      await open(token)
      expect(await visitsOf(id)).toBe(visits)
    }
    const [before, after] = await kept()
    expect([before?.day, after?.day]).toEqual(['2031-03-10', '2031-03-11'])
    expect(before?.visitor).not.toEqual(after?.visitor)
    await visitPurge.run(cell.deps, GO_ON)
    expect((await kept()).map(({ day }) => day)).toEqual(['2031-03-11'])
    await visitPurge.run({ ...cell.deps, now: () => midnight + 2 * DAY_MS }, GO_ON)
    expect([await kept(), await visitsOf(id)]).toEqual([[], 2])
    cell.clock.set(Date.now())
  })
})

describe('the page of a code', () => {
  it('shows neither the customer, the trip nor the internal label, and has no tracking', async () => {
    const customer = await trips.customer(agency, { name: 'Zeynep Gizli' })
    const trip = await trips.make(agency, { title: 'Secret Samarkand' }, customer)
    const { token } = await make(agency, { label: 'VIP code', customer, trip, seat: agency.advisor })
    const pages = [await open(token), await enquire(token, { name: '' }), await open(`${token}/thanks`)]
    for (const { body, headers } of pages) {
      expect(body).toContain('Test Seyahat')
      expect(body).not.toMatch(/Zeynep|Gizli|Samarkand|VIP|Owner|Çağlar|<script/)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
    }
  })
  it('is the same 404 for invalid and stopped codes and closed accounts, in the visitor’s language', async () => {
    const [stopped, closed] = [await make(agency), await makeAgency(cell)]
    const ofClosed = await make(closed)
    await cell.deps.db.inAccount(agency.number, (tx) => stopReferral(tx, stopped.token))
    await ask(cell, `update accounts set status = 'closed' where account_id = $1`, [closed.number])
    const { body } = await open(NOTHING)
    expect(body).toContain('Page not found')
    const paths = [
      stopped.token,
      ofClosed.token,
      'x',
      '',
      '%00',
      '%F0%9F%98%80',
      `${NOTHING}/thanks`,
      'a/b/c',
      'ı'.repeat(10),
    ]
    for (const path of paths) {
      const answer = await open(path)
      expect([path, answer.statusCode, answer.body]).toEqual([path, 404, body])
    }
    expect((await open(NOTHING, TURKISH)).body).toContain('Sayfa bulunamadı')
    const { send } = referralsOf(() => cell)
    for (const token of [NOTHING, stopped.token, ofClosed.token])
      expect(await send(token, 'name=x')).toMatchObject({ statusCode: 404, body })
    expect(await cell.app.inject({ method: 'DELETE', url: `/r/${NOTHING}` })).toMatchObject({ statusCode: 405 })
  })
})

describe('an enquiry', () => {
  it('becomes a lead as by the API, in the code’s company, and its assignee is notified', async () => {
    const { id, token } = await make(agency, { company: agency.otherCompany, seat: agency.advisor })
    const { statusCode, headers } = await enquire(token.toUpperCase(), {
      name: ' Jörg Weiß ',
      email: 'joerg@example.com',
      phone: '030 123456',
      destinations: 'Rome, Florence ,, Rome',
      target_departure_on: '2031-05-10',
      target_return_on: '2031-05-17',
      flexible_dates: 'yes',
      party_size: '4',
      message: 'First line\r\nsecond <b>line</b>',
    })
    expect([statusCode, headers.location]).toEqual([303, `${token}/thanks`])
    const lead = only(await leadsOf(id))
    expect(lead).toMatchObject({
      name: 'Jörg Weiß',
      email: 'joerg@example.com',
      phone: '+4930123456',
      destinations: ['Rome', 'Florence'],
      target_departure_on: '2031-05-10',
      target_return_on: '2031-05-17',
      flexible_dates: true,
      party_size: 4,
      message: 'First line\nsecond <b>line</b>',
      source: 'referral',
      stage: 'inbox',
      company_id: agency.otherCompany,
      branch_id: null,
      assigned_to_id: agency.advisor,
      converted_at: null,
    })
    const notificationsSql = 'select kind, seat_id, subject_label, actor_id from notifications where subject_id = $1'
    expect(await ask(cell, notificationsSql, [lead.id])).toEqual([
      { kind: 'lead_assigned', seat_id: agency.advisor, subject_label: 'Rome, Florence', actor_id: null },
    ])
    const { data } = await call('GET', `/leads/${lead.id}`)
    expect(data).toMatchObject({ source: 'referral', history: [{ from: null, to: 'inbox', actor: null }] })
    const feed = await call('GET', '/imports/leads/records?limit=100')
    expect((feed.data as unknown as { id: string }[]).map((record) => record.id)).toContain(lead.id)
  })
  it('is assigned to the code’s seat, or the advisor of its trip, or the owner; never to an inactive seat', async () => {
    const own = await makeAgency(cell)
    const trip = await trips.make(own, { assigned_advisor_id: own.advisor })
    const owner = own.owner.id
    const codes = [{ seat: own.advisor }, { trip }, { seat: owner, trip }, {}]
    const assignees = async () => {
      const made: unknown[] = []
      for (const given of codes) {
        const { id, token } = await make(own, given)
        await enquire(token)
        made.push(only(await leadsOf(id)).assigned_to_id)
      }
      return made
    }
    expect(await assignees()).toEqual([own.advisor, own.advisor, owner, owner])
    const [left] = await Promise.all([make(own, { seat: own.advisor, trip })])
    await ask(cell, 'update seats set active = false where account_id = $1 and id = $2', [own.number, own.advisor])
    await enquire(left.token)
    expect(only(await leadsOf(left.id)).assigned_to_id).toBe(owner)
  })
  it('keeps its code in every later state, and a merge of customers moves their codes', async () => {
    const [loser, into] = [await trips.customer(agency), await trips.customer(agency)]
    const { id, token } = await make(agency, { customer: loser })
    await enquire(token)
    const lead = only(await leadsOf(id))
    await call('PATCH', `/leads/${lead.id}`, { lead: { notes: 'Called back' } })
    await ask(cell, `update leads set source_system = 'import', external_id = 'L-1' where id = $1`, [lead.id])
    const row = { external_id: 'L-1', name: 'Ayşe', source: 'website' }
    expect((await importRows(cell, agency.key, 'leads', [row], { source_system: 'import' })).rows[0]?.status).toBe(
      'updated',
    )
    await call('POST', `/leads/${lead.id}/convert`, {})
    await call('POST', `/customers/${loser}/merge`, { into_id: into })
    expect(only(await leadsOf(id))).toMatchObject({ id: lead.id, name: 'Ayşe', converted_at: expect.any(Date) })
    expect(await ask(cell, 'select customer_id from referral_codes where id = $1', [id])).toEqual([
      { customer_id: into },
    ])
  })
})
