import { expect, it } from 'vitest'
import { GUIDES } from '../../src/reference/guides.ts'
import { flawsOf } from '../harness/accessible.ts'
import { BROWSER_TIMEOUT_MS, pageFor, WIDE } from '../harness/browser.ts'
import { startCell, type TestCell } from '../harness/cell.ts'

let cell: Promise<TestCell> | undefined
const cellOfFile = () => {
  cell ??= startCell()
  return cell
}

it('the API reference works under its own content policy, and calls no other host', {
  timeout: BROWSER_TIMEOUT_MS,
}, async () => {
  const { app } = await cellOfFile()
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const page = await pageFor({ bypassCSP: false })
  await page.setViewportSize(WIDE)
  const [asked, refused]: [string[], string[]] = [[], []]
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  page.on('console', (message) => {
    if (message.type() !== 'info') refused.push(message.text())
  })
  page.on('pageerror', (error) => refused.push(String(error)))
  await page.goto(`${origin}/docs`)
  await page.getByRole('heading', { name: 'Backdesk' }).waitFor()
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .click()
  await page.getByRole('button', { name: /^Send/ }).first().waitFor()
  await page.goto(`${origin}/docs`)
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Verify the signature' }).waitFor()
  expect(await page.evaluate("getComputedStyle(document.querySelector('.bar')).position")).toBe('sticky')
  expect(refused).toEqual([])
  expect(new Set(asked)).toEqual(new Set([origin]))
})

it.each(GUIDES)(
  'the guide $name can be read by everybody, on any width',
  { timeout: BROWSER_TIMEOUT_MS },
  async (guide) => {
    const page = await pageFor()
    const { app } = await cellOfFile()
    await page.setContent((await app.inject(`/docs/guides/${guide.name}`)).body)
    expect(await flawsOf(page)).toEqual([])
  },
)
