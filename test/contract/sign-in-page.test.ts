import { expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { flawsOf } from '../harness/accessible.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { startCell, uncounted } from '../harness/cell.ts'

const DAY_MS = 86_400_000

it('a link signs in only when its person says so, and a session that is over leads back to the form', {
  timeout: BROWSER_TIMEOUT_MS,
}, async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const { number, owner } = await makeAgency(cell)
  const origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
  const { token } = await cell.deps.db.inAccount(number, (tx) => makeLink(tx, owner.id, 'sign_in'), OPERATOR)
  const page = await pageFor({ locale: 'tr-TR' })
  const button = page.getByRole('button', { name: 'Oturum aç' })

  await page.goto(`${origin}/console/sign-in#link=${token}`)
  await button.waitFor()
  expect(page.url()).toBe(`${origin}/console/sign-in`)
  expect(await page.context().cookies()).toEqual([])
  expect(await page.locator('main').innerText()).toContain('owner@agency.example, Test Seyahat')
  expect(await page.locator('input:visible').count()).toBe(0)
  expect(await flawsOf(page)).toEqual([])
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Oturumunuz açık' }).waitFor()
  expect(await flawsOf(page)).toEqual([])

  cell.clock.add(DAY_MS)
  await page.reload()
  await button.waitFor()
  expect(await page.locator('input:visible').count()).toBe(2)
  expect(await flawsOf(page)).toEqual([])
})
