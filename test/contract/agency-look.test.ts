import { beforeAll, describe, expect, it } from 'vitest'
import type { AccountChange } from '../../src/features/accounts/commands/read-account-change.ts'
import { unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { hashPassword } from '../../src/features/trip-pages/share-token.ts'
import { flawsOf } from '../harness/accessible.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { previewOf } from '../harness/preview.ts'
import { english, turkish } from '../harness/sample-trips.ts'
import { updateAccountOf } from '../harness/settings.ts'
import { openPage, shareTrip } from '../harness/shared-trip.ts'
import { ask } from '../harness/sql.ts'
import { tripsOf } from '../harness/trips.ts'

const NOWHERE = 'A'.repeat(32)
const YELLOW = '#f4b400'
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 4"><path d="M0 0h9v4H0z"/></svg>'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell()
  agency = await makeAgency(cell)
})
const change = (given: AccountChange) => updateAccountOf(cell, agency.number, given)
const pageOf = async (token: string) => (await openPage(cell, token)).body
const share = async (written = english) => (await shareTrip(cell, agency, written)).token

describe('the pages of an agency', () => {
  it('have its colour and its logo, and go back to the program’s own', async () => {
    const token = await share()
    const plain = await pageOf(token)
    await change({ accent: '#F4B400', logo: Buffer.from(LOGO) })
    const { body, headers } = await openPage(cell, token)
    expect(body).toContain(`<img class="logo" src="data:image/svg+xml;base64,${btoa(LOGO)}" alt="Test Seyahat">`)
    expect(body).toContain(`(prefers-color-scheme: dark) { :root { --accent: ${YELLOW}; } }`)
    expect(String(headers['content-security-policy']).match(/'sha256-/g)).toHaveLength(2)
    await change({ logo: PNG })
    expect(await pageOf(token)).toContain(`src="data:image/png;base64,${PNG.toString('base64')}"`)
    await change({ accent: '', logo: new Uint8Array() })
    expect(await pageOf(token)).toBe(plain)
  })
  it.each<[AccountChange, RegExp]>([
    [{ accent: 'blue' }, /Write it as #rrggbb/],
    [{ accent: '#12345' }, /Write it as #rrggbb/],
    [{ accent: '#000;}' }, /Write it as #rrggbb/],
    [{ logo: Buffer.from('<html><svg></svg></html>') }, /PNG, JPEG, WebP or SVG/],
    [{ logo: Buffer.from('GIF89a') }, /PNG, JPEG, WebP or SVG/],
    [{ logo: Buffer.alloc(65_537) }, /Use a smaller picture/],
  ])('take no other: %j', async (given, advice) => {
    await expect(change(given)).rejects.toThrow(advice)
  })
  it('audit that the logo changed, without its bytes', async () => {
    await change({ logo: PNG })
    const [{ details }] = (await ask<{ details: object }>(
      cell,
      `select details from audit_log where action = 'account.updated' order by id desc limit 1`,
      [],
    )) as [{ details: object }]
    expect(details).toEqual({
      before: { logo: null },
      after: { logo: expect.stringMatching(/^image\/png, \d+ characters$/) },
    })
    await change({ logo: new Uint8Array() })
  })
  it(
    'are accessible in its colour, light and dark, and their own policy lets it in',
    async () => {
      await change({ accent: YELLOW, logo: Buffer.from(LOGO) })
      const origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
      const page = await pageFor()
      await page.goto(`${origin}/s/${await share()}`)
      expect(await flawsOf(page)).toEqual([])
      const guarded = await pageFor({ bypassCSP: false, colorScheme: 'dark' })
      await guarded.emulateMedia({ colorScheme: 'dark' })
      await guarded.goto(page.url())
      expect(await guarded.evaluate('getComputedStyle(document.querySelector(".button")).color')).toBe(
        'rgb(244, 180, 0)',
      )
      expect(await guarded.evaluate('document.querySelector(".logo").naturalWidth > 0')).toBe(true)
      await change({ accent: '', logo: new Uint8Array() })
    },
    BROWSER_TIMEOUT_MS,
  )
})

describe('a link in a chat', () => {
  it('shows the agency and the destination, without names of people', async () => {
    const body = await pageOf(await share())
    expect(previewOf(body)).toEqual({
      type: 'website',
      site_name: 'Test Seyahat',
      title: 'Rome · Florence',
      locale: 'en_GB',
      image: 'https://pictures.example/rome.jpg',
    })
    const bare = await pageOf(await share({ trip: { title: 'Ayşe ve Ali’nin balayı', settings: { language: 'tr' } } }))
    expect(previewOf(bare)).toEqual({
      type: 'website',
      site_name: 'Test Seyahat',
      title: 'Test Seyahat',
      locale: 'tr_TR',
    })
  })
  it('has an icon on every page', async () => {
    const password_hash = await hashPassword('Güneşli günler')
    const reader = await tripsOf(() => cell).customer(agency, { opted_in_marketing: true })
    const paths = [
      `/s/${await share()}`,
      `/s/${await share({ ...english, link: { password_hash } })}`,
      `/s/${NOWHERE}`,
      `/f/${NOWHERE}`,
      `/r/${NOWHERE}`,
      new URL(unsubscribeUrl(cell.deps, agency.number, reader)).pathname,
    ]
    for (const url of paths) {
      const { body } = await cell.app.inject({ url })
      expect(body, url).toMatch(/<link rel="icon" href="data:image\/svg\+xml,%3Csvg/)
      expect(body, url).toContain('<header class="agency" dir="auto">Test Seyahat</header>')
    }
  })
})

describe('where there is nothing', () => {
  const pages = async () => {
    const [revoked, expired] = await Promise.all([
      share({ ...english, link: { revoked_at: '2020-01-01' } }),
      share({ ...english, link: { expires_at: '2020-01-01' } }),
    ])
    return Promise.all([NOWHERE, revoked, expired, 'x/y'].map((path) => openPage(cell, path)))
  }
  it('the only agency of a cell is shown, and none if there are several, for any address', async () => {
    const alone = await pages()
    expect(new Set(alone.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
    expect(new Set(alone.map(({ body }) => body)).size).toBe(1)
    expect(alone[0]?.body).toContain('Test Seyahat')
    await makeAgency(cell)
    const among = await pages()
    expect(new Set(among.map(({ body }) => body)).size).toBe(1)
    expect(among[0]?.body).not.toMatch(/Seyahat|og:/)
  })
})

describe('cities', () => {
  const flight = { segment_type: 'flight', status: 'ticketed', departure_airport: 'IST', arrival_airport: 'FCO' }
  it.each([
    ['tr', 'İstanbul → Roma', 'Roma'],
    ['en', 'Istanbul → Rome', 'Rome'],
  ])('have their names in the page’s language: %s', async (language, way, town) => {
    const place = { latitude: 41.9, longitude: 12.5, date: '2026-06-12' }
    const days = ['Rome', 'Roma', 'Rom'].map((primary_location) => ({ ...place, primary_location, segments: [flight] }))
    const body = await pageOf(await share({ trip: { settings: { language } }, days }))
    expect(body.split(`<bdi>${way}</bdi>`)).toHaveLength(days.length + 1)
    expect(body.split(`<bdi>${town}</bdi></p>`)).toHaveLength(days.length + 1)
  })
  it('keep the entered name if it is not a city’s, or is unknown', async () => {
    expect(await pageOf(await share(turkish))).toContain('<bdi>Göreme</bdi>')
    const days = [
      { primary_location: 'Trullo in the hills', latitude: 40.8, longitude: 17.2 },
      { primary_location: 'Roma' },
      { primary_location: 'Nişantaşı', latitude: 41.05, longitude: 28.99 },
      { primary_location: 'Uçhisar', latitude: 38.63, longitude: 34.8 },
    ]
    const body = await pageOf(await share({ trip: { settings: { language: 'en' } }, days }))
    for (const name of ['Trullo in the hills', 'Roma', 'Nişantaşı', 'Uçhisar'])
      expect(body).toContain(`<bdi>${name}</bdi>`)
  })
})
