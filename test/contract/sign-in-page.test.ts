import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { openedMail, type SeatMail } from '../../src/features/communications/commands/queue-messages.ts'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { flawsOf } from '../harness/accessible.ts'
import { makeAgency, OPERATOR } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { startCell, uncounted } from '../harness/cell.ts'
import { cookieOf, signInAs } from '../harness/console.ts'
import { freePort } from '../harness/process.ts'
import { ask } from '../harness/sql.ts'

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

it('enrols an authenticator app where the account demands one, and signs in with a passkey', {
  timeout: BROWSER_TIMEOUT_MS,
}, async () => {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  const cell = await startCell({ deps: { count: uncounted, publicUrl } })
  const { number, owner } = await makeAgency(cell)
  await ask(cell, 'update accounts set second_factor_required = true where account_id = $1', [number])
  await cell.app.listen({ port, host: '127.0.0.1' })
  const page = await pageFor({ locale: 'en-GB' })
  const { token } = await cell.deps.db.inAccount(number, (tx) => makeLink(tx, owner.id, 'sign_in'), OPERATOR)
  await page.goto(`${publicUrl}/console/sign-in#link=${token}`)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Your account demands a second factor').waitFor()
  const secret = (await page.locator('#secret').innerText()).replaceAll(' ', '')
  expect(await page.locator('#app-link').getAttribute('href')).toContain(`secret=${secret}`)
  expect(await flawsOf(page)).toEqual([])
  const code = page.getByLabel('Code that the app shows')
  await code.fill('000000')
  await page.keyboard.press('Enter')
  await page.locator('#problem:not(:empty)').waitFor()
  await code.fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: cell.deps.now() }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  expect((await page.locator('#code-list').innerText()).split('\n')).toHaveLength(10)
  expect(await flawsOf(page)).toEqual([])

  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  const present = { isUserVerified: true, automaticPresenceSimulation: true }
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, ...present },
  })
  await page.evaluate(`(async () => {
    const headers = { 'backdesk-console': '1', 'content-type': 'application/json' }
    const post = async (path, body) =>
      (await (await fetch('/app/v1/session/passkeys' + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()).data
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON((await post('/options', {})).options)
    const made = await navigator.credentials.create({ publicKey })
    await post('', { name: 'Key', passkey: made.toJSON() })
  })()`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor()

  // A session that owes the factor of its seat shows it.
  await ask(cell, 'update sessions set second_factor = false where seat_id = $1', [owner.id])
  cell.clock.add(1_000)
  await page.reload()
  await page.getByText('Show your second factor to go on').waitFor()
  expect(await flawsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
})

it('confirms a change of an address only when its person says so', { timeout: BROWSER_TIMEOUT_MS }, async () => {
  const cell = await startCell({ deps: { count: uncounted, sendsMail: true } })
  const { number, owner } = await makeAgency(cell)
  const origin = await cell.app.listen({ port: 0, host: '127.0.0.1' })
  const body = { email: "ada&o'hara@agency.example" }
  const session = await signInAs(cell, number, owner.id)
  expect((await cell.call('POST', '/app/v1/session/email', { session, body })).status).toBe(201)
  const sent = await ask<{ mail: SeatMail; text: Buffer }>(
    cell,
    'select seat_mail as mail, sealed_text as text from message_sends where account_id = $1 and sealed_text is not null',
    [number],
  )
  const page = await pageFor({ locale: 'en-GB' })
  await page.context().clearCookies()
  const shown: string[] = []
  for (const { mail, text } of sent) {
    const plain = openedMail(mail, text, cell.deps.mailTexts)?.plain ?? ''
    await page.goto('about:blank')
    await page.goto(`${origin}/console/sign-in#email_change=${/#email_change=(\S+)/.exec(plain)?.[1]}`)
    await page.getByText(`from owner@agency.example to ${body.email}`).waitFor()
    expect(page.url()).toBe(`${origin}/console/sign-in`)
    expect(await flawsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Confirm the change' }).click()
    await page.locator('#status:not(:empty)').waitFor()
    shown.push(await page.locator('#status').innerText())
  }
  expect(shown).toEqual([expect.stringMatching(/^Confirmed/), `Your e-mail address is now ${body.email}.`])
})
