import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, startBrowser } from '../harness/browser.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { referralsOf } from '../harness/referrals.ts'

const PHONE = { width: 390, height: 844 }
const NARROW = { width: 320, height: 700 }
type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] }

describe('in a browser, the page of a code', () => {
  let cell: TestCell
  let agency: Agency
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
    origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
    browser = await startBrowser()
  }, BROWSER_TIMEOUT_MS)
  const { make, leadsOf } = referralsOf(() => cell)

  /** What is wrong with a page as it is now shown: to axe, light and dark, and as wide as it is on a small screen. */
  async function wrongWith(page: Page): Promise<string[]> {
    await page.evaluate(`window.axe || (() => { ${axe.source} })()`)
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const only = colorScheme === 'light' ? '{ preload: false }' : `{ preload: false, runOnly: ['color-contrast'] }`
      const { violations } = (await page.evaluate(`axe.run(${only})`)) as { violations: Violation[] }
      found.push(...violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html + node.failureSummary)}`))
    }
    for (const size of [NARROW, PHONE]) {
      await page.setViewportSize(size)
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      if (over !== 0) found.push(`${over} too wide at ${size.width}`)
    }
    return found
  }

  it.each([
    ['en-GB', 'Where would you like to go?', 'before the day', 'Thank you!', 'This page is not here'],
    ['tr-TR', 'Nereye gitmek istersiniz?', 'gidiş gününden önce', 'Teşekkür ederiz!', 'Bu sayfa burada değil'],
  ])('is accessible and works without scripts, in %s', async (locale, title, flaw, thanks, notFound) => {
    const { id, token } = await make(agency)
    // A policy against scripts holds for those of a test too: axe may run, and the page has none of its own.
    const context = await browser.newContext({ locale, viewport: PHONE, bypassCSP: true })
    const page = await context.newPage()
    await page.goto(`${origin}/r/${token}`)
    expect(await page.textContent('h1')).toBe(title)
    expect(await page.locator('#website').isVisible()).toBe(false)
    expect(await wrongWith(page)).toEqual([])

    cell.clock.add(5000)
    await page.fill('#name', 'محمد العلي')
    await page.fill('#email', 'mohammed@example.com')
    await page.fill('#target_departure_on', '2031-05-10')
    await page.fill('#target_return_on', '2031-05-09')
    await page.fill('#message', 'Two rooms\n\nplease')
    await page.check('[name=flexible_dates]')
    await page.press('#name', 'Enter')
    expect(await page.textContent('.problem')).toContain(flaw)
    expect(await page.locator(':focus').getAttribute('name')).toBe('target_return_on')
    expect(await wrongWith(page)).toEqual([])

    await page.fill('#target_return_on', '2031-05-17')
    await page.click('button')
    expect(await page.textContent('h1')).toBe(thanks)
    expect(page.url()).toBe(`${origin}/r/${token}/thanks`)
    expect(await wrongWith(page)).toEqual([])
    expect(await leadsOf(id)).toMatchObject([
      { name: 'محمد العلي', message: 'Two rooms\n\nplease', flexible_dates: true, target_return_on: '2031-05-17' },
    ])
    await page.goto(`${origin}/r/nowhere`)
    expect(await page.textContent('h1')).toBe(notFound)
    expect(await wrongWith(page)).toEqual([])
    await context.close()
  })
  it('is as its own policy lets it: nothing is refused, and its form may be sent', async () => {
    const { id, token } = await make(agency)
    const page = await browser.newPage({ viewport: PHONE })
    const refused: string[] = []
    page.on('console', (message) => refused.push(message.text()))
    await page.goto(`${origin}/r/${token.toUpperCase()}`)
    cell.clock.add(5000)
    await page.fill('#name', 'Can')
    await page.fill('#phone', '0532 123 45 67')
    await page.click('button')
    expect(await page.textContent('h1')).toBe('Thank you!')
    expect([refused, (await leadsOf(id)).length]).toEqual([[], 1])
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
    await page.close()
  })
})
