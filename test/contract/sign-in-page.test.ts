import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { flawsOf } from '../harness/accessible.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { cookieOf } from '../harness/console.ts'

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

it('asks for the code of an authenticator app after the password, and sends a link if the password is forgotten', {
  timeout: BROWSER_TIMEOUT_MS,
}, async () => {
  const cell = await startCell({ deps: { count: uncounted } })
  const { number, owner } = await makeAgency(cell)
  const { token } = await cell.deps.db.inAccount(number, (tx) => makeLink(tx, owner.id, 'invitation'), OPERATOR)
  const password = 'seven grey herons at dusk'
  const accepted = await cell.call('POST', '/app/v1/sign_in/link', { body: { token, password } })
  const session = cookieOf(accepted)
  const begun = await cell.call('POST', '/app/v1/session/totp', { session })
  const { secret } = (begun.body as { data: { secret: string } }).data
  const codeOf = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: cell.deps.now() })
  await cell.call('POST', '/app/v1/session/totp/confirm', { session, body: { code: codeOf() } })
  cell.clock.add(30_000)
  const origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
  const page = await pageFor({ locale: 'en-GB' })
  await page.context().clearCookies()
  const opened = await page.goto(`${origin}/console/`)
  expect(opened?.headers()['content-security-policy']).toContain('img-src data:;')
  await page.getByLabel('E-mail').fill('owner@agency.example')
  await page.getByRole('button', { name: 'I have forgotten my password' }).click()
  await page.getByText('If the address is known').waitFor()
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  const code = page.getByLabel('Code of the authenticator app')
  await code.waitFor()
  expect(await flawsOf(page)).toEqual([])
  await code.fill('000 000')
  await page.keyboard.press('Enter')
  await page.getByText('The second factor is wrong').waitFor()
  await code.fill(codeOf())
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
})
