import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { flawsOf } from '../harness/accessible.ts'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor, sheetsOf, WIDE } from '../harness/browser.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { withTrip } from '../harness/due.ts'
import { arabic, english, long, turkish } from '../harness/sample-trips.ts'
import type { Written } from '../harness/shared-trip.ts'
import { surveysOf } from '../harness/surveys.ts'

describe('a survey in a browser', () => {
  let cell: TestCell
  let agency: Agency
  let origin: string
  beforeAll(async () => {
    cell = await startCell({ deps: { count: uncounted } })
    agency = await makeAgency(cell)
    origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
    await pageFor()
  }, BROWSER_TIMEOUT_MS)
  const { invite, kept, letPass, send, segments } = surveysOf(() => cell)

  async function openPage(path: string, options?: BrowserContextOptions): Promise<Page> {
    const page = await pageFor(options)
    await page.goto(`${origin}${path}`)
    return page
  }

  it.each<[string, Written, string]>([
    ['English', english, 'en'],
    ['Turkish', turkish, 'tr'],
    ['Arabic', arabic, 'en'],
    ['long', withTrip(long, { status: 'confirmed' }), 'tr'],
  ])('with %s texts is accessible, light and dark, and as narrow as a screen may be', async (_, written, locale) => {
    const survey = await invite(agency, written, { customer: { locale } })
    expect(await flawsOf(await openPage(survey.path))).toEqual([])
  })
  it('shows errors, thanks, and the end, all accessible', async () => {
    const survey = await invite(agency, english, { customer: { locale: 'tr' } })
    const page = await openPage(survey.path)
    await page.evaluate('document.forms[0].noValidate = true')
    await page.fill('textarea', 'Still here')
    await page.click('button')
    await page.waitForSelector('#likelihood-problem')
    expect(await page.inputValue('textarea')).toBe('Still here')
    expect(await page.getAttribute('fieldset', 'aria-describedby')).toBe('likelihood-problem')
    expect(await flawsOf(page)).toEqual([])
    await page.check('[name=likelihood][value="9"]')
    await page.click('button')
    await page.waitForSelector('[role=status]')
    expect(await flawsOf(page)).toEqual([])
    await letPass(survey, '25 hours')
    await page.reload()
    expect(await page.locator('form').count()).toBe(0)
    expect(await flawsOf(page)).toEqual([])
    await page.goto(`${origin}/f/nowhere`)
    expect(await flawsOf(page)).toEqual([])
  })
  it('is answered and changed without scripts, by keys alone, as its own policy lets it, and loads nothing', async () => {
    const survey = await invite(agency, english)
    const [flight, transfer] = await segments(survey)
    const page = await openPage(survey.path, { javaScriptEnabled: false, bypassCSP: false })
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab', 'Space', 'ArrowRight', 'ArrowRight') // 0, 1, 2
    await press('Tab', 'ArrowLeft') // from no rating to five stars
    await press('Tab', 'ArrowRight', 'ArrowRight') // to one star and two
    await page.focus('textarea')
    await page.keyboard.type('By keys')
    await press('Tab', 'Enter')
    await page.waitForSelector('[role=status]')
    expect(await kept(survey)).toMatchObject({
      started: true,
      nps: 2,
      comment: 'By keys',
      ratings: { [String(flight)]: 5, [String(transfer)]: 2 },
    })
    expect(await page.isChecked(`[name="rating-${flight}"][value="5"]`)).toBe(true)
    await page.check(`[name="rating-${flight}"][value=""]`)
    await page.click('button')
    await page.waitForURL(`**${survey.path}`)
    await page.waitForSelector(`[name="rating-${flight}"][value=""]:checked`, { state: 'attached' })
    expect((await kept(survey)).ratings).toEqual({ [String(transfer)]: 2 })
    expect(asked).toEqual([...Array(2)].flatMap(() => [`POST ${survey.path}`, `GET ${survey.path}`]))
  })
  it('has a field that people cannot reach', async () => {
    const survey = await invite(agency, english)
    const page = await openPage(survey.path)
    expect(await page.isVisible('[name=website]')).toBe(false)
    await page.focus('textarea')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Send')
  })
  it('prints the answers without the button', async () => {
    const survey = await invite(agency, english)
    await send(survey.path, { likelihood: '9' })
    const page = await openPage(survey.path)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.isVisible('button')).toBe(false)
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)')
  })
  it.each(['en', 'tr'])('prints on one sheet, with the comment only where there is one (%s)', async (locale) => {
    const survey = await invite(agency, english, { customer: { locale } })
    const page = await openPage(survey.path)
    await page.setViewportSize(WIDE)
    await page.emulateMedia({ media: 'print' })
    expect(await page.isVisible('textarea')).toBe(false)
    expect(await page.isVisible('label[for=comment]')).toBe(false)
    for (const format of ['A4', 'Letter']) expect(await sheetsOf(page, format)).toBe(1)
    await page.emulateMedia({ media: 'screen' })
    await page.fill('textarea', 'A lovely week')
    await page.emulateMedia({ media: 'print' })
    expect(await page.isVisible('textarea')).toBe(true)
    for (const format of ['A4', 'Letter']) expect(await sheetsOf(page, format)).toBe(1)
  })
})
