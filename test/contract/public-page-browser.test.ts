import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { hashPassword } from '../../src/features/trip-pages/share-token.ts'
import { flawsOf } from '../harness/accessible.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor, sheetsOf, WIDE } from '../harness/browser.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { arabic, english, long, sixtyDays, turkish } from '../harness/sample-trips.ts'
import { shareTrip, type Written } from '../harness/shared-trip.ts'
import { tripsOf } from '../harness/trips.ts'

const NOWHERE = 'A'.repeat(32)
const PASSWORD = 'Güneşli günler'

describe('in a browser', () => {
  let cell: TestCell
  let agency: Agency
  let origin: string
  let password_hash: string
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
    origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
    await pageFor()
    password_hash = await hashPassword(PASSWORD)
  }, BROWSER_TIMEOUT_MS)
  const share = async (written: Written) =>
    (await shareTrip(cell, agency, { ...written, link: { show_prices: true, ...written.link } })).token

  /** Opens `/s/…`. */
  async function openPage(path: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await pageFor(options)
    await page.goto(`${origin}/s/${path}`)
    return page
  }

  it.each<[string, Written]>([
    ['English', english],
    ['Turkish', turkish],
    ['Arabic', arabic],
    ['long', long],
  ])('the page with %s texts is accessible, light and dark, and as narrow as a screen may be', async (_, written) => {
    expect(await flawsOf(await openPage(await share(written)))).toEqual([])
  })
  it('a trip of 60 days can be jumped through by its list of days', async () => {
    const page = await openPage(await share(sixtyDays))
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
    await page.click('nav a[href="#day-40"]')
    const top = await page.evaluate('document.querySelector("#day-40 h2").getBoundingClientRect().top')
    expect(top).toBeGreaterThan(48)
    expect(top).toBeLessThan(300)
  })
  it('a key leads past the list of days', async () => {
    const page = await openPage(await share(english))
    await page.setViewportSize(WIDE)
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the itinerary')
    expect(await page.locator(':focus').isVisible()).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL(/#day-1$/)
  })
  it('what else there is to see is accessible', async () => {
    expect(await flawsOf(await openPage(NOWHERE))).toEqual([])
    const page = await openPage(await share({ ...english, link: { password_hash } }))
    await page.fill('input', 'wrong')
    await page.press('input', 'Enter')
    expect(await page.textContent('[role=alert]')).toContain('The password is wrong')
    expect(await flawsOf(page)).toEqual([])
  })
  it('unsubscribing is accessible, and one button', async () => {
    const reader = await tripsOf(() => cell).customer(agency, { opted_in_marketing: true })
    const { pathname } = new URL(unsubscribeUrl(cell.deps, agency.number, reader))
    const page = await openPage(`..${pathname}`)
    expect(await flawsOf(page)).toEqual([])
    await page.click('button')
    expect(await page.textContent('h1')).toBe('You are unsubscribed')
  })
  it('opens by its password, as its own policy lets it, and loads nothing but its pictures', async () => {
    const token = await share({ ...english, link: { password_hash } })
    const page = await openPage(token, { bypassCSP: false })
    const [asked, refused]: [string[], string[]] = [[], []]
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => refused.push(message.text()))
    await page.fill('input', PASSWORD)
    await page.click('button')
    await page.waitForSelector('h1:has-text("A week in Rome")')
    await page.waitForLoadState('load')
    expect(page.url()).toBe(`${origin}/s/${token}`)
    expect(asked).toEqual([page.url(), page.url(), 'https://pictures.example/rome.jpg'])
    expect(refused).toEqual([])
    expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).fontWeight')).toBe('600')
    const calendar = await page.request.get(`${page.url()}/trip.ics`)
    expect(await calendar.text()).toContain('BEGIN:VCALENDAR')
  })
  it('is printed without what only a screen needs, and days are kept together', async () => {
    const page = await openPage(await share(english))
    await page.setViewportSize(WIDE)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const hidden of ['nav', '.button', '.skip', 'footer'])
      expect(await page.locator(hidden).isVisible()).toBe(false)
    expect(await page.locator('.printed').isVisible()).toBe(true)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate('getComputedStyle(document.querySelector("#day-2")).breakInside')).toBe('avoid')
    for (const format of ['A4', 'Letter']) {
      const sheets = await sheetsOf(page, format)
      expect(sheets).toBeGreaterThan(1)
      expect(sheets).toBeLessThanOrEqual(4)
    }
  })
})
