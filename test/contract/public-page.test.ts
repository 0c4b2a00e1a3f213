import { hash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/features/trip-pages/share-token.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { arabic, english, sixtyDays, turkish } from '../harness/sample-trips.ts'
import {
  attemptsAt,
  changeLink,
  mintLink,
  openPage,
  readLink,
  sendForm,
  shareTrip,
  type Written,
} from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'

const NOWHERE = 'A'.repeat(32)

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell()
  agency = await makeAgency(cell)
})
const share = (written: Written) => shareTrip(cell, agency, written)
const fetchPage = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  openPage(cell, path, headers, method)

describe('the page of a shared trip', () => {
  it('shows the itinerary: dates, places, and times on the clock of each place', async () => {
    const { token } = await share(english)
    const { statusCode, body } = await fetchPage(token)
    expect(statusCode).toBe(200)
    for (const text of [
      '<html lang="en">',
      '<h1 dir="auto">A week in Rome and Florence</h1>',
      'Test Seyahat',
      'Friday, 12 June 2026',
      'TK 1861 · 2 h 40 min',
      '<time>09:05</time>',
      'Istanbul',
      'Leonardo da Vinci',
      '(FCO)',
      '2 nights · Check-out 14 Jun',
      'Overnight: <bdi>Hotel Santa Maria</bdi>',
      'Check-out 11:00: <bdi>Hotel Santa Maria</bdi>',
      '01:20</time> <span class="later">+1 day</span>',
      'To be confirmed',
      'Optional',
      'Ayşe Yılmaz',
      'https://www.google.com/maps/search/?api=1&amp;query=Hotel+Santa+Maria%2C+Vicolo+del+Piede+2%2C+00153+Roma',
      'src="https://pictures.example/rome.jpg"',
    ])
      expect(body).toContain(text)
    expect(body).toMatch(/12\s–\s15 June 2026/)
  })
  it('speaks the trip’s language, else the account’s, else English', async () => {
    const languageOf = async (settings: object) =>
      /<html lang="(\w+)">/.exec((await fetchPage((await share({ trip: { settings } })).token)).body)?.[1]
    expect((await fetchPage((await share(turkish)).token)).body).toContain('4 Ekim 2026 Pazar')
    expect(await languageOf({ language: 'tr-TR' })).toBe('tr')
    expect(await languageOf({ language: 'de' })).toBe('en')
    expect(await languageOf({ language: 5 })).toBe('en')
    await ask(cell, `update accounts set locale = 'tr' where account_id = $1`, [agency.number])
    expect(await languageOf({})).toBe('tr')
    await ask(cell, `update accounts set locale = 'en' where account_id = $1`, [agency.number])
    expect(await languageOf({})).toBe('en')
  })
  it('lets each text run in its own direction', async () => {
    const { body } = await fetchPage((await share(arabic)).token)
    expect(body).toContain('<h1 dir="auto">رحلة العائلة إلى إسطنبول وبورصة</h1>')
    expect(body).toContain('<bdi>ירושלים</bdi>')
  })
  it('has no scripts, caching, indexing, framing or other hosts', async () => {
    const { headers, body } = await fetchPage((await share(english)).token)
    const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] as string
    const styles = `'sha256-${hash('sha256', style, 'base64')}'`
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; style-src ${styles}; img-src https: data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    })
    expect(body).not.toMatch(/<script|\son\w+=|\sstyle=|javascript:/)
  })
  it('shows markup in what people wrote as what it is', async () => {
    const evil = `</style><script>alert("1")</script><img src=x onerror='1'>&amp;`
    const text = { title: evil, description: evil }
    const segment = {
      ...text,
      location_name: evil,
      location_address: evil,
      airline_code: '<b>',
      flight_number: '"1',
      departure_airport: '<i>',
      arrival_airport: "'x",
      currency: '<u>',
      price_amount: '1',
      start_time: '2026-06-12T10:00',
    }
    const { token } = await share({
      trip: {
        title: evil,
        summary: evil,
        destinations: [evil],
        cover_image_url: 'javascript:alert(1)',
        settings: { language: evil },
      },
      days: [
        {
          ...text,
          primary_location: evil,
          timezone: evil,
          cover_image_url: '"><script>',
          segments: [
            segment,
            { ...segment, segment_type: 'flight' },
            { ...segment, title: null, segment_type: 'flight' },
          ],
        },
      ],
      travelers: [{ name: evil }],
      link: { show_prices: true },
    })
    const { body } = await fetchPage(token)
    expect(body.replaceAll('<style>', '').match(/<\/style>|<script|<img|<i>|<u>|javascript:/g)).toEqual(['</style>'])
    expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect((await fetchPage(`${token}/trip.ics`)).statusCode).toBe(200)
  })
  it('shows that a trip was cancelled', async () => {
    expect((await fetchPage((await share({ trip: { status: 'cancelled' } })).token)).body).toContain(
      'This trip was cancelled.',
    )
  })
  it('stands without dates, days and travellers, and with days on which nothing is planned', async () => {
    expect((await fetchPage((await share({})).token)).statusCode).toBe(200)
    const { body } = await fetchPage((await share({ days: [{}, {}, {}] })).token)
    expect(body).toContain('<h2>Day 3</h2>')
  })
  it('is below 100 KB for 60 days', async () => {
    const { token } = await share({ ...sixtyDays, link: { show_prices: true } })
    const { body } = await fetchPage(token)
    expect(body.match(/<h3>/g)).toHaveLength(6 + 120 + 15)
    expect(Buffer.byteLength(body)).toBeLessThan(100_000)
  })
  it('shows a thousand segments', async () => {
    const segments = Array.from({ length: 100 }, (_, nth) => ({
      title: `Thing ${nth}`,
      start_time: '2026-06-12T10:00',
    }))
    const { token } = await share({ days: Array.from({ length: 10 }, () => ({ date: '2026-06-12', segments })) })
    expect((await fetchPage(token)).body.match(/<h3>/g)).toHaveLength(1000)
    expect((await fetchPage(`${token}/trip.ics`)).body.match(/BEGIN:VEVENT/g)).toHaveLength(1000)
  })
})

describe('what a link shows', () => {
  const day = (...segments: Record<string, unknown>[]): Written => ({ days: [{ date: '2026-06-12', segments }] })
  const both = async (token: string) => (await fetchPage(token)).body + (await fetchPage(`${token}/trip.ics`)).body

  it('excludes drafts, cancelled bookings and internal data', async () => {
    const { token } = await share(
      day(
        {
          title: 'Shown',
          internal_notes: 'Secret one',
          confirmation_number: 'Secret two',
          cost_amount: '77.77',
          cost_currency: 'USD',
          commission_rate: '7.5',
          price_amount: '88.88',
          currency: 'EUR',
        },
        { title: 'Hidden', is_client_visible: false },
        { title: 'Hidden', status: 'draft' },
        { title: 'Hidden', status: 'cancelled' },
      ),
    )
    const shown = await both(token)
    expect(shown).toContain('Shown')
    expect(shown).not.toMatch(/Hidden|Secret|77.77|USD|7\.5|88.88/)
  })
  it('is prices where the link has them, with the digits of their currency', async () => {
    const { trip, token } = await share(
      day({ price_amount: '1234.5', currency: 'EUR' }, { price_amount: '10', currency: 'KWD' }),
    )
    expect(await both(token)).not.toMatch(/1,234|KWD/)
    const { token: priced } = await mintLink(cell, agency, trip, { show_prices: true })
    expect(await both(priced)).toMatch(/€1,234\.50[\s\S]*KWD\s10\.000/)
  })
  it('is who travels where the link names them', async () => {
    const { trip, token } = await share({ travelers: [{ name: 'Ayşe Yılmaz' }] })
    expect(await both(token)).toContain('Ayşe Yılmaz')
    const { token: unnamed } = await mintLink(cell, agency, trip, { show_travelers: false })
    expect(await both(unnamed)).not.toMatch(/Ayşe|Travellers/)
  })
  it('contains for a supplier its own segments, without prices and notes about others', async () => {
    const [{ id: supplier_id }] = (await ask<{ id: string }>(
      cell,
      `insert into suppliers (account_id, name) values ($1, 'Own') returning id`,
      [agency.number],
    )) as [{ id: string }]
    const { token } = await share({
      trip: { summary: 'Other things' },
      days: [
        {
          date: '2026-06-12',
          title: 'Other things',
          description: 'Other things',
          segments: [{ title: 'Other things' }],
        },
        {
          date: '2026-06-13',
          title: 'Other things',
          segments: [{ title: 'Mine', supplier_id, price_amount: '5', currency: 'EUR' }, { title: 'Other things' }],
        },
      ],
      travelers: [{ name: 'Ayşe Yılmaz' }],
      link: { audience: 'supplier', supplier_id, show_prices: true, show_travelers: false },
    })
    const shown = await both(token)
    expect(shown).toMatch(/13 June 2026[\s\S]*Mine/)
    expect(shown).not.toMatch(/Other things|12 June|€|Ayşe/)
  })
})

describe('a link that does not hold', () => {
  const answers = async (token: string) => {
    const all = [
      await fetchPage(token),
      await fetchPage(token, { 'accept-language': 'tr' }),
      await fetchPage(`${token}/trip.ics`),
      await fetchPage(token, {}, 'HEAD'),
      await sendForm(cell, token, { password: 'x' }),
    ]
    return all.map(({ statusCode, headers, rawPayload }) => {
      const { 'x-request-id': _, date: __, ...same } = headers
      return [statusCode, same, rawPayload.toString('base64')]
    })
  }
  it('was revoked, has expired, is of a closed account, or never was: the same answer', async () => {
    const other = await makeAgency(cell)
    const revoked = await share(english)
    const expired = await share({
      ...english,
      link: { expires_at: new Date(Date.now() - 1000), password_hash: await hashPassword('x') },
    })
    const closed = await shareTrip(cell, other, english)
    expect((await fetchPage(revoked.token)).statusCode).toBe(200)
    expect((await fetchPage(closed.token)).statusCode).toBe(200)
    await changeLink(cell, revoked.link, 'revoked_at = now()')
    await ask(cell, `update accounts set status = 'closed' where account_id = $1`, [other.number])
    const nowhere = await answers(NOWHERE)
    expect(nowhere.map(([status]) => status)).toEqual([404, 404, 404, 404, 404])
    for (const token of [revoked.token, expired.token, closed.token, 'x', 'ş', '%00'])
      expect(await answers(token)).toEqual(nowhere)
    expect((await readLink(cell, revoked.link))?.view_count).toBe(1)
    expect(await attemptsAt(cell, expired.link)).toEqual([])
  })
  it('is a page, in the visitor’s language', async () => {
    const { headers, body } = await fetchPage(NOWHERE, { 'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8' })
    expect(body).toContain('<html lang="tr">')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
    expect((await fetchPage(NOWHERE)).body).toContain('<html lang="en">')
  })
  it('is a page too where an address is longer than any link, or more is behind it', async () => {
    const { token } = await share(english)
    const { body: nowhere } = await fetchPage(NOWHERE)
    for (const at of ['', 'x'.repeat(5000), '..%2f..', `${token}/`, `${token}/x`, `${token}%0d%0aSet-Cookie:a=b`]) {
      const { statusCode, headers, body } = await fetchPage(at)
      expect([statusCode, headers['cache-control'], body]).toEqual([404, 'no-store', nowhere])
    }
  })
  it('answers other methods with 405', async () => {
    const { token } = await share(english)
    for (const at of [token, NOWHERE]) {
      const { statusCode, headers } = await cell.app.inject({ method: 'DELETE', url: `/s/${at}` })
      expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    }
    expect((await cell.app.inject({ method: 'POST', url: `/s/${token}/trip.ics` })).statusCode).toBe(405)
  })
})

describe('the views of a link', () => {
  it('are the pages that somebody opened', async () => {
    const { token, link } = await share(english)
    expect(await readLink(cell, link)).toMatchObject({ view_count: 0, last_viewed_at: null })
    await fetchPage(token, {}, 'HEAD')
    await fetchPage(`${token}/trip.ics`)
    expect(await readLink(cell, link)).toMatchObject({ view_count: 0, last_viewed_at: null })
    await Promise.all([fetchPage(token), fetchPage(token)])
    expect(await readLink(cell, link)).toMatchObject({ view_count: 2, last_viewed_at: expect.any(Date) })
  })
})
