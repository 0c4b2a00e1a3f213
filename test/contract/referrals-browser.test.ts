import { beforeAll, describe, expect, it } from 'vitest'
import { flawsOf } from '../harness/accessible.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { startCell, type TestCell } from '../harness/cell.ts'
import { referralsOf } from '../harness/referrals.ts'

describe('in a browser, the page of a code', () => {
  let cell: TestCell
  let agency: Agency
  let origin: string
  beforeAll(async () => {
    cell = await startCell()
    agency = await makeAgency(cell)
    origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
    await pageFor({ locale: 'en-GB' })
  }, BROWSER_TIMEOUT_MS)
  const { make, leadsOf } = referralsOf(() => cell)

  it.each([
    ['en-GB', 'Where would you like to go?', 'before your departure', 'Thank you!', 'Page not found'],
    ['tr-TR', 'Nereye gitmek istersiniz?', 'gidiş gününden önce', 'Teşekkür ederiz!', 'Sayfa bulunamadı'],
  ])('is accessible and works without scripts, in %s', async (locale, title, flaw, thanks, notFound) => {
    const { id, token } = await make(agency)
    const page = await pageFor({ locale })
    await page.goto(`${origin}/r/${token}`)
    expect(await page.textContent('h1')).toBe(title)
    expect(await page.locator('#website').isVisible()).toBe(false)
    expect(await flawsOf(page)).toEqual([])

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
    expect(await flawsOf(page)).toEqual([])

    await page.fill('#target_return_on', '2031-05-17')
    await page.click('button')
    expect(await page.textContent('h1')).toBe(thanks)
    expect(page.url()).toBe(`${origin}/r/${token}/thanks`)
    expect(await flawsOf(page)).toEqual([])
    expect(await leadsOf(id)).toMatchObject([
      { name: 'محمد العلي', message: 'Two rooms\n\nplease', flexible_dates: true, target_return_on: '2031-05-17' },
    ])
    await page.goto(`${origin}/r/nowhere`)
    expect(await page.textContent('h1')).toBe(notFound)
    expect(await flawsOf(page)).toEqual([])
  })
  it('is as its own policy lets it: nothing is refused, and its form may be sent', async () => {
    const { id, token } = await make(agency)
    const page = await pageFor({ bypassCSP: false })
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
  })
})
