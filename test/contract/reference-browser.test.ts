import { expect, it } from 'vitest'
import { BROWSER_TIMEOUT_MS, pageFor, WIDE } from '../harness/browser.ts'
import { startCell } from '../harness/cell.ts'

it('the reference of the API is shown as its own policy lets it, and asks nobody else', {
  timeout: BROWSER_TIMEOUT_MS,
}, async () => {
  const { app } = await startCell()
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
  expect(refused).toEqual([])
  expect(new Set(asked)).toEqual(new Set([origin]))
})
