import { expect, it } from 'vitest'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { flawsOf } from '../harness/accessible.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { signInAs } from '../harness/console.ts'
import { startIssuer } from '../harness/oidc-issuer.ts'
import { addProvider, startOidcCell } from '../harness/providers.ts'

it('the sign-in page offers the providers of a known account or invitation, and says what went wrong', {
  timeout: BROWSER_TIMEOUT_MS,
}, async () => {
  const cell = await startOidcCell()
  const { number, owner, advisor } = await makeAgency(cell)
  const session = await signInAs(cell, number, owner.id)
  const name = '$& <b>Acme</b>'
  const { id } = await addProvider(cell, session, await startIssuer(), name)
  const origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
  const page = await pageFor({ locale: 'en-GB' })

  await page.goto(`${origin}/console/sign-in?account=${number}#problem=not_linked&reason=%3Cscript%3E`)
  const link = page.getByRole('link', { name: `Sign in with ${name}` })
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe(`/app/v1/sign_in/oidc/${id}/start`)
  expect(await page.locator('#provider-problem').innerText()).toMatch(/not linked[^<]*$/)
  expect(page.url()).toBe(`${origin}/console/sign-in?account=${number}`)
  expect(await flawsOf(page)).toEqual([])

  await page.goto(`${origin}/console/sign-in?account=29999999`)
  await page.getByLabel('E-mail').waitFor()
  expect(await page.getByRole('link').count()).toBe(0)

  const { token } = await cell.deps.db.inAccount(number, (tx) => makeLink(tx, advisor, 'invitation'), OPERATOR)
  await page.goto(`${origin}/console/sign-in#link=${token}`)
  const asked = page.waitForRequest((request) => request.url().endsWith('/app/v1/sign_in/link/provider'))
  await page.getByRole('button', { name: `Sign in with ${name}` }).click()
  expect((await asked).postDataJSON()).toEqual({ token, provider_id: id })
})
