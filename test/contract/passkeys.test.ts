import type { CDPSession, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { BROWSER_TIMEOUT_MS, pageFor } from '../harness/browser.ts'
import { type Call, startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { cookieOf, signInAs } from '../harness/console.ts'
import { freePort } from '../harness/process.ts'
import { ask } from '../harness/sql.ts'

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

let cell: TestCell
let agency: Agency
let page: Page
let devtools: CDPSession
let authenticator: string
let session: string
beforeAll(async () => {
  const port = await freePort()
  const publicUrl = `http://localhost:${port}`
  cell = await startCell({ deps: { count: uncounted, publicUrl } })
  await cell.app.listen({ port, host: '127.0.0.1' })
  page = await pageFor({ locale: 'en-GB' })
  await page.goto(`${publicUrl}/console/`)
  devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
}, BROWSER_TIMEOUT_MS)
beforeEach(async () => {
  agency = await makeAgency(cell)
  session = await signInAs(cell, agency.number, agency.owner.id)
  const added = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
  authenticator = added.authenticatorId
})
afterEach(() => devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: authenticator }))

const app = (method: string, path: string, call: Call = {}) => cell.call(method, `/app/v1${path}`, call)
const codeOf = ({ status, body }: { status: number; body: never }) => [status, (body as { code?: string }).code]
type Options = { readonly data: { readonly token: string; readonly options: object } }
/** What the browser answers to options. */
const answered = (act: 'create' | 'get', options: object): Promise<object> =>
  page.evaluate(`(async (json) => {
    const publicKey = PublicKeyCredential.parse${act === 'create' ? 'Creation' : 'Request'}OptionsFromJSON(json)
    return (await navigator.credentials.${act}({ publicKey })).toJSON()
  })(${JSON.stringify(options)})`)
const made = (options: object) => answered('create', options)
const signed = (options: object) => answered('get', options)
const optionsOf = async (path: string, call: Call = {}) =>
  ((await app('POST', path, call)).body as unknown as Options).data
type Added = { data: { passkey: { id: string; name: string; version: number }; recovery_codes: string[] | null } }
async function add(name = 'Laptop', of = session): Promise<Added['data']> {
  const { options } = await optionsOf('/session/passkeys/options', { session: of })
  const answer = await app('POST', '/session/passkeys', { session: of, body: { name, passkey: await made(options) } })
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([201, expect.anything()])
  return (answer.body as unknown as Added).data
}
const enter = async (change: (answer: object, token: string) => object = (passkey, token) => ({ token, passkey })) => {
  const { token, options } = await optionsOf('/sign_in/passkey/options')
  return app('POST', '/sign_in/passkey', { body: change(await signed(options), token) })
}

describe('a passkey', () => {
  it('signs in without an address, as both factors, and its first one makes recovery codes', async () => {
    const { recovery_codes: codes } = await add()
    expect(codes).toHaveLength(10)
    await ask(cell, 'update accounts set second_factor_required = true where account_id = $1', [agency.number])
    const answer = await enter()
    expect([answer.status, answer.body]).toMatchObject([200, { data: [{ account: agency.number }], second_factor: [] }])
    expect((await app('GET', '/me', { session: cookieOf(answer) })).status).toBe(200)
  })
  it('is one of several with names, and is renamed and removed by its seat alone', async () => {
    const { passkey } = await add()
    const path = `/session/passkeys/${passkey.id}`
    const stranger = await signInAs(cell, agency.number, agency.advisor)
    const body = { version: 1, name: 'Phone' }
    expect((await app('PATCH', path, { session: stranger, body })).status).toBe(404)
    expect((await app('DELETE', path, { session: stranger })).status).toBe(404)
    expect((await app('PATCH', path, { session, body })).body).toMatchObject({ data: { name: 'Phone', version: 2 } })
    expect(codeOf(await app('PATCH', path, { session, body }))).toEqual([409, 'stale'])
    expect((await app('GET', '/session/passkeys', { session })).body).toMatchObject({ data: [{ name: 'Phone' }] })
    await ask(cell, 'update accounts set second_factor_required = true where account_id = $1', [agency.number])
    expect(codeOf(await app('DELETE', path, { session }))).toEqual([409, 'conflict'])
    await ask(cell, 'update accounts set second_factor_required = false where account_id = $1', [agency.number])
    expect((await app('DELETE', path, { session })).status).toBe(204)
    expect(codeOf(await enter())).toEqual([401, 'unauthorized'])
    await ask(cell, 'delete from sign_in_attempts', [])
  })
  it('is the second factor after a link, and proves who somebody is', async () => {
    await add()
    const { options } = await optionsOf('/session/proof/passkey_options', { session })
    const passkey = await signed(options)
    const stranger = await signInAs(cell, agency.number, agency.advisor)
    expect((await app('POST', '/session/proof', { session: stranger, body: { passkey } })).status).toBe(422)
    const prove = () => app('POST', '/session/proof', { session, body: { passkey } })
    expect([(await prove()).status, (await prove()).status]).toEqual([200, 422])
    await ask(cell, 'delete from sign_in_attempts', [])
  })
})

describe('an answer of a passkey', () => {
  it('is good once, and for its own challenge alone', async () => {
    await add()
    const first = await optionsOf('/sign_in/passkey/options')
    const second = await optionsOf('/sign_in/passkey/options')
    const passkey = await signed(first.options)
    const use = async (token: string) => codeOf(await app('POST', '/sign_in/passkey', { body: { token, passkey } }))[0]
    expect([await use(second.token), await use(first.token), await use(first.token)]).toEqual([401, 200, 401])
    const late = await optionsOf('/sign_in/passkey/options')
    const answer = await signed(late.options)
    await ask(cell, 'update sign_in_challenges set expires_at = now()', [])
    const expired = await app('POST', '/sign_in/passkey', { body: { token: late.token, passkey: answer } })
    expect(expired.status).toBe(401)
    await ask(cell, 'delete from sign_in_attempts', [])
  })
  it('of a registration is good in the session that asked, once', async () => {
    const { options } = await optionsOf('/session/passkeys/options', { session })
    const passkey = await made(options)
    const stranger = await signInAs(cell, agency.number, agency.advisor)
    const use = (of: string) => app('POST', '/session/passkeys', { session: of, body: { name: 'X', passkey } })
    expect([(await use(stranger)).status, (await use(session)).status, (await use(session)).status]).toEqual([
      422, 201, 422,
    ])
  })
  it('from another origin, of another seat, without a person or with a counter of before is refused', async () => {
    await add()
    const changed = (part: string, change: (text: string) => string) => (answer: object, token: string) => {
      const { response, ...rest } = answer as { response: Record<string, string> }
      const text = Buffer.from(String(response[part]), 'base64url').toString('latin1')
      const bytes = Buffer.from(change(text), 'latin1').toString('base64url')
      return { token, passkey: { ...rest, response: { ...response, [part]: bytes } } }
    }
    const origin = changed('clientDataJSON', (text) => text.replace('localhost', 'evilhost9'))
    const handle = changed('userHandle', () => 'a'.repeat(16))
    for (const change of [origin, handle]) expect((await enter(change)).status).toBe(401)
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId: authenticator, isUserVerified: false })
    const { token, options } = await optionsOf('/sign_in/passkey/options')
    const unverified = await signed({ ...options, userVerification: 'discouraged' })
    expect((await app('POST', '/sign_in/passkey', { body: { token, passkey: unverified } })).status).toBe(401)
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId: authenticator, isUserVerified: true })
    await ask(cell, 'update passkeys set counter = 1000 where account_id = $1', [agency.number])
    expect((await enter()).status).toBe(401)
    await ask(cell, 'delete from sign_in_attempts', [])
  })
  it.each([{}, { id: 7 }, { id: 'QQ', response: null }, { id: 'QQ', rawId: 'QQ', type: 'public-key', response: {} }])(
    'that is %j is refused',
    async (passkey) => {
      const { token } = await optionsOf('/sign_in/passkey/options')
      expect((await app('POST', '/sign_in/passkey', { body: { token, passkey } })).status).toBe(401)
      await optionsOf('/session/passkeys/options', { session })
      const added = await app('POST', '/session/passkeys', { session, body: { name: 'X', passkey } })
      expect(added.status).toBe(422)
      await ask(cell, 'delete from sign_in_attempts', [])
    },
  )
})
