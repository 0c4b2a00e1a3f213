import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { unsubscribeUrl } from '../../src/features/communications/unsubscribe.ts'
import { hashPassword } from '../../src/features/trips/share-token.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, startBrowser } from '../harness/browser.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { arabic, english, long, sixtyDays, turkish } from '../harness/sample-trips.ts'
import { shareTrip, type Written } from '../harness/shared-trip.ts'
import { tripsOf } from '../harness/trips.ts'

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 5 2"><rect width="5" height="2" fill="#7a8"/></svg>'
const NOWHERE = 'A'.repeat(32)
const PASSWORD = 'Güneşli günler'
const PHONE = { width: 390, height: 844 }
const NARROW = { width: 320, height: 700 }

type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

describe('in a browser', () => {
  let cell: TestCell
  let agency: Agency
  let browser: Browser
  let origin: string
  let password_hash: string
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
    origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await startBrowser()
    password_hash = await hashPassword(PASSWORD)
  }, BROWSER_TIMEOUT_MS)
  const share = async (written: Written) =>
    (await shareTrip(cell, agency, { ...written, link: { show_prices: true, ...written.link } })).token

  const pages = new Map<string, Page>()
  /** One page for all that look at things in the same way: another takes longer to make than most of what they do. */
  async function pageFor(options: BrowserContextOptions): Promise<Page> {
    const known = pages.get(JSON.stringify(options))
    if (known) return known
    // A policy against scripts holds for those of a test too: axe may run, and the page has none of its own.
    const context = await browser.newContext({ locale: 'en-GB', bypassCSP: true, ...options })
    await context.route(/^https:/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
    const page = await context.newPage()
    pages.set(JSON.stringify(options), page)
    return page
  }
  /** Opens `/s/…`; pictures of other hosts are there, and nothing else is. */
  async function withPage(
    path: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<void> {
    const page = await pageFor(options)
    await page.emulateMedia({ media: null, colorScheme: null })
    if (options.viewport) await page.setViewportSize(options.viewport)
    await page.goto(`${origin}/s/${path}`)
    await look(page)
  }
  /** What axe has to say of a page as it is now shown. */
  async function violations(page: Page, rules?: string): Promise<string[]> {
    await page.evaluate(`window.axe || (() => { ${axe.source} })()`)
    const options = { preload: false, resultTypes: ['violations'], ...(rules !== undefined && { runOnly: [rules] }) }
    const found = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as { violations: Violation[] }
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join('; ')}`,
    )
  }
  /** The same in both colour schemes: what is not about colours is so in either. */
  async function violationsOf(page: Page): Promise<string[]> {
    const light = await violations(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await violations(page, 'color-contrast')
    await page.emulateMedia({ colorScheme: 'light' })
    return [...light, ...dark]
  }
  const overflow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  it.each<[string, Written]>([
    ['English', english],
    ['Turkish', turkish],
    ['Arabic', arabic],
    ['long', long],
  ])('the page with %s texts is accessible, light and dark, and as narrow as a screen may be', async (_, written) => {
    await withPage(await share(written), { viewport: PHONE }, async (page) => {
      expect(await overflow(page)).toBe(0)
      await page.setViewportSize(NARROW)
      expect(await overflow(page)).toBe(0)
      expect(await violationsOf(page)).toEqual([])
    })
  })
  it('a trip of 60 days can be jumped through by its list of days', async () => {
    await withPage(await share(sixtyDays), { viewport: PHONE }, async (page) => {
      expect(await overflow(page)).toBe(0)
      await page.click('nav a[href="#day-40"]')
      const top = await page.evaluate('document.querySelector("#day-40 h2").getBoundingClientRect().top')
      expect(top).toBeGreaterThan(48)
      expect(top).toBeLessThan(300)
    })
  })
  it('a key leads past the list of days', async () => {
    await withPage(await share(english), {}, async (page) => {
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe('Skip to the itinerary')
      expect(await page.locator(':focus').isVisible()).toBe(true)
      await page.keyboard.press('Enter')
      expect(page.url()).toMatch(/#day-1$/)
    })
  })
  it('what else there is to see is accessible', async () => {
    await withPage(NOWHERE, { viewport: PHONE }, async (page) => {
      expect(await violations(page)).toEqual([])
    })
    const token = await share({ ...english, link: { password_hash } })
    await withPage(token, { viewport: PHONE }, async (page) => {
      await page.fill('input', 'wrong')
      await page.press('input', 'Enter')
      expect(await page.textContent('[role=alert]')).toContain('This is not the password')
      expect(await violationsOf(page)).toEqual([])
    })
  })
  it('unsubscribing is accessible, and one button', async () => {
    const reader = await tripsOf(() => cell).customer(agency, { opted_in_marketing: true })
    const { pathname } = new URL(unsubscribeUrl(cell.deps, agency.number, reader))
    await withPage(`..${pathname}`, { viewport: PHONE }, async (page) => {
      expect(await overflow(page)).toBe(0)
      expect(await violationsOf(page)).toEqual([])
      await page.click('button')
      expect(await page.textContent('h1')).toBe('You are unsubscribed')
    })
  })
  it('opens by its password, as its own policy lets it, and loads nothing but its pictures', async () => {
    const token = await share({ ...english, link: { password_hash } })
    await withPage(token, { bypassCSP: false }, async (page) => {
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
  })
  it('is printed without what only a screen needs, and days are kept together', async () => {
    await withPage(await share(english), {}, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      for (const hidden of ['nav', '.button', '.skip']) expect(await page.locator(hidden).isVisible()).toBe(false)
      expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
      expect(await page.evaluate('getComputedStyle(document.querySelector("#day-2")).breakInside')).toBe('avoid')
      for (const format of ['A4', 'Letter']) {
        const pages = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []
        expect(pages.length).toBeGreaterThan(1)
        expect(pages.length).toBeLessThanOrEqual(4)
      }
    })
  })
})
