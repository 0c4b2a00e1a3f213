import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { resetFactors } from '../../src/features/sign-in/commands/reset-factors.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import type { TestCell } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { startIssuer, type TestIssuer } from '../harness/oidc-issuer.ts'
import { acceptBy, addProvider, startOidcCell, TestBrowser, type TestProvider } from '../harness/providers.ts'
import { ask } from '../harness/sql.ts'

/** Until a session is looked up again. */
const LATER_MS = 1_000

let cell: TestCell
let agency: Agency
let owner: string
let issuer: TestIssuer
let provider: TestProvider
beforeAll(async () => {
  cell = await startOidcCell()
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  issuer = await startIssuer()
  provider = await addProvider(cell, owner, issuer)
})
const problemOf = (location: string) => /[?#&]problem=(\w+)/.exec(location)?.[1] ?? location
const audited = async (action: string) =>
  (await ask<{ details: object }>(cell, 'select details from audit_log where action = $1 order by id', [action])).map(
    ({ details }) => details,
  )

describe('a person', () => {
  it('accepts an invitation by a provider, and from then on signs in by it', async () => {
    issuer.person = 'ada'
    const { browser, at, token } = await acceptBy(cell, agency, agency.advisor, issuer, provider.id)
    expect([at, await browser.me()]).toEqual(['/console/', agency.advisor])
    expect(browser.waiting).toBe('')
    expect(await audited('seat.identity_linked')).toEqual([{ provider: provider.id, subject: 'ada' }])
    const again = await cell.call('POST', '/app/v1/sign_in/link/inspect', { body: { token } })
    expect(again.status).toBe(404)

    const next = new TestBrowser(cell)
    expect(await next.signIn(issuer, provider.id, '?return_to=/console/trips%3Fq=1%23top')).toBe(
      '/console/trips?q=1#top',
    )
    expect(await next.me()).toBe(agency.advisor)
    const byAccount = new TestBrowser(cell)
    expect([await byAccount.signIn(issuer, agency.number), await byAccount.me()]).toEqual(['/console/', agency.advisor])
    const [{ method } = { method: '' }] = await ask<{ method: string }>(
      cell,
      'select method from sessions order by created_at desc limit 1',
    )
    expect(method).toBe('provider')
  })
  it('of an account that demands a second factor has shown one by signing in by a provider', async () => {
    issuer.person = 'ada'
    await ask(cell, 'update accounts set second_factor_required = true where account_id = $1', [agency.number])
    const browser = new TestBrowser(cell)
    expect([await browser.signIn(issuer, provider.id), await browser.me()]).toEqual(['/console/', agency.advisor])
    await ask(cell, 'update accounts set second_factor_required = false where account_id = $1', [agency.number])
  })
  it.each([true, false])(
    'whose provider counts as a second factor or not (%s) has shown one accordingly',
    async (counts) => {
      const elsewhere = await startIssuer()
      const own = await addProvider(cell, owner, elsewhere, `Counts: ${counts}`)
      const path = `/app/v1/sign_in_providers/${own.id}`
      const change = { version: 1, counts_as_second_factor: counts }
      const changed = await cell.call('PATCH', path, { session: owner, body: change })
      expect(changed.body).toMatchObject({ data: { counts_as_second_factor: counts } })
      const demand = (required: boolean) =>
        ask(cell, 'update accounts set second_factor_required = $2 where account_id = $1', [agency.number, required])
      elsewhere.person = `somebody ${counts}`
      const { browser } = await acceptBy(cell, agency, agency.advisor, elsewhere, own.id)
      const factor = async (of: TestBrowser) => {
        cell.clock.add(LATER_MS)
        const { body } = await of.call('GET', '/app/v1/session/second_factor')
        return (body as { data: { missing: boolean } }).data.missing
      }
      expect(await factor(browser)).toBe(false)
      await demand(true)
      expect([await factor(browser), await browser.me()]).toEqual([!counts, counts ? agency.advisor : null])

      // The seat enrols an app: from then on, a session by the provider alone has to show it, or has shown enough.
      const { secret } = ((await browser.call('POST', '/app/v1/session/totp')).body as { data: { secret: string } })
        .data
      const codeNow = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: cell.deps.now() })
      const confirmed = await browser.call('POST', '/app/v1/session/totp/confirm', { code: codeNow() })
      expect([confirmed.status, await browser.me()]).toEqual([200, agency.advisor])
      for (const required of [true, false]) {
        await demand(required)
        const next = new TestBrowser(cell)
        expect(await next.signIn(elsewhere, own.id)).toBe('/console/')
        expect([await factor(next), await next.me()]).toEqual([!counts, counts ? agency.advisor : null])
        if (counts) continue
        // Neither a new factor nor the provider takes the place of the one that the seat has.
        const passkey = await next.call('POST', '/app/v1/session/passkeys/options')
        const proof = await next.call('POST', '/app/v1/session/proof/provider', { provider_id: own.id })
        expect([passkey.status, proof.status]).toEqual([403, 403])
        cell.clock.add(30_000)
        expect((await next.call('POST', '/app/v1/session/proof', { code: codeNow() })).status).toBe(200)
        expect([await factor(next), await next.me()]).toEqual([false, agency.advisor])
      }
      await cell.deps.db.inAccount(
        agency.number,
        (tx) => resetFactors(tx, SERVER_OPERATOR, agency.advisor, null),
        OPERATOR,
      )
      await cell.call('DELETE', path, { session: owner })
    },
  )
  it('is signed out where a provider no longer counts as a second factor', async () => {
    const elsewhere = await startIssuer()
    const own = await addProvider(cell, owner, elsewhere, 'No longer')
    elsewhere.person = 'somebody else'
    const { browser } = await acceptBy(cell, agency, agency.advisor, elsewhere, own.id)
    expect(await browser.me()).toBe(agency.advisor)
    const path = `/app/v1/sign_in_providers/${own.id}`
    await cell.call('PATCH', path, { session: owner, body: { version: 1, counts_as_second_factor: false } })
    cell.clock.add(LATER_MS)
    expect(await browser.me()).toBe(null)
    await cell.call('DELETE', path, { session: owner })
  })
  it('is known by the issuer and the subject alone, whatever e-mail address the provider names', async () => {
    issuer.person = 'stranger'
    for (const email_verified of [true, false]) {
      issuer.forgery = { claims: (claims) => ({ ...claims, email: 'owner@agency.example', email_verified }) }
      const browser = new TestBrowser(cell)
      expect(problemOf(await browser.signIn(issuer, provider.id))).toBe('not_linked')
      expect(browser.session).toBe('')
    }
    issuer.forgery = {}
  })
  it('who is signed in links a provider after a proof, and unlinks it', async () => {
    issuer.person = 'the owner'
    const browser = new TestBrowser(cell)
    browser.cookies = { backdesk: await signInAs(cell, agency.number, agency.owner.id) }
    const asking = { provider_id: provider.id, return_to: '/console/settings' }
    const { body } = await browser.call('POST', '/app/v1/session/identities', asking)
    const back = await issuer.visit((body as { data: { url: string } }).data.url)
    expect(await browser.comeBack(back)).toBe('/console/settings')
    const listed = await browser.call('GET', '/app/v1/session/identities')
    const [identity] = (listed.body as { data: { id: string; subject: string; issuer: string }[] }).data
    expect(identity).toMatchObject({ subject: 'the owner', issuer: issuer.url, provider_id: provider.id })

    const other = new TestBrowser(cell)
    expect([await other.signIn(issuer, provider.id), await other.me()]).toEqual(['/console/', agency.owner.id])
    const path = `/app/v1/session/identities/${identity?.id}`
    const stranger = await signInAs(cell, agency.number, agency.advisor)
    expect((await cell.call('DELETE', path, { session: stranger })).status).toBe(404)
    expect((await browser.call('DELETE', path)).status).toBe(204)
    cell.clock.add(LATER_MS)
    expect([await other.me(), await browser.me()]).toEqual([null, agency.owner.id])
    expect(problemOf(await new TestBrowser(cell).signIn(issuer, provider.id))).toBe('not_linked')
    expect(await audited('seat.identity_unlinked')).toEqual([{ provider: provider.id, subject: 'the owner' }])
  })
  it('proves who they are by a provider, and no other person does for them', async () => {
    issuer.person = 'ada'
    const browser = new TestBrowser(cell)
    await browser.signIn(issuer, provider.id)
    const isOpen = async () => {
      cell.clock.add(LATER_MS)
      const { status } = await browser.call('DELETE', `/app/v1/session/identities/${crypto.randomUUID()}`)
      return status === 404
    }
    const prove = async () => {
      const { body } = await browser.call('POST', '/app/v1/session/proof/provider', { provider_id: provider.id })
      return browser.comeBack(await issuer.visit((body as { data: { url: string } }).data.url))
    }
    await ask(cell, `update sessions set proven_at = now() - interval '1 hour' where seat_id = $1`, [agency.advisor])
    expect(await isOpen()).toBe(false)
    issuer.person = 'stranger'
    expect([problemOf(await prove()), await isOpen()]).toEqual(['not_linked', false])
    issuer.person = 'ada'
    expect([await prove(), await isOpen()]).toEqual(['/console/', true])
  })
  it('is linked to one seat, and a seat to one person of a provider', async () => {
    issuer.person = 'ada'
    const taken = await acceptBy(cell, agency, agency.owner.id, issuer, provider.id)
    expect([problemOf(taken.at), taken.browser.session]).toEqual(['linked_elsewhere', ''])
    const unused = await cell.call('POST', '/app/v1/sign_in/link/inspect', { body: { token: taken.token } })
    expect(unused.status).toBe(200)
    issuer.person = 'ada, with a new name'
    expect((await acceptBy(cell, agency, agency.advisor, issuer, provider.id)).at).toBe('/console/')
    issuer.person = 'ada'
    expect(problemOf(await new TestBrowser(cell).signIn(issuer, provider.id))).toBe('not_linked')
    expect((await acceptBy(cell, agency, agency.advisor, issuer, provider.id)).at).toBe('/console/')
  })
})

describe('a provider', () => {
  it('is offered where its account or an invitation of it is known, and an account without one looks like none', async () => {
    const offered = async (account: number) =>
      (await cell.call('GET', `/app/v1/sign_in/providers?account=${account}`)).body as unknown
    expect(await offered(agency.number)).toEqual({ data: [{ id: provider.id, name: 'Test issuer' }] })
    const other = await makeAgency(cell)
    expect([await offered(other.number), await offered(29_999_999)]).toEqual([{ data: [] }, { data: [] }])
    const { token } = await cell.deps.db.inAccount(
      agency.number,
      (tx) => makeLink(tx, agency.advisor, 'invitation'),
      OPERATOR,
    )
    const asked = await cell.call('POST', '/app/v1/sign_in/link/providers', { body: { token } })
    expect(asked.body).toEqual({ data: [{ id: provider.id, name: 'Test issuer' }] })
  })
  it('never shows its secret, in no answer, audit row or column', async () => {
    const answers = await Promise.all(
      ['', `/${provider.id}`].map((path) => cell.call('GET', `/app/v1/sign_in_providers${path}`, { session: owner })),
    )
    const rows = await ask<{ text: string }>(
      cell,
      'select p::text as text from sign_in_providers p union all select a::text from audit_log a union all select k::text from idempotency_keys k',
    )
    const all = [...answers.map(({ text }) => text), ...rows.map(({ text }) => text)].join('\n')
    expect(all).toContain(provider.id)
    expect(all).not.toContain('a secret of the test client')
    expect(all).not.toContain(Buffer.from('a secret of the test client').toString('hex'))
  })
  it('has its configuration read once for many sign-ins', async () => {
    const before = issuer.discoveries()
    issuer.person = 'ada'
    for (let time = 0; time < 3; time++) await new TestBrowser(cell).signIn(issuer, provider.id)
    expect(issuer.discoveries() - before).toBeLessThanOrEqual(1)
  })
  it('that is down leads back to the sign-in page, which says so', async () => {
    const down = await startIssuer()
    const { id } = await addProvider(cell, owner, down, 'Down')
    down.isDown = true
    const path = `/app/v1/sign_in/oidc/${id}/start`
    const { status, headers } = await cell.call('GET', path)
    expect([status, problemOf(String(headers.location))]).toEqual([303, 'unreachable'])
    await cell.call('DELETE', `/app/v1/sign_in_providers/${id}`, { session: owner })
  })
  it('whose secret was sealed with another secret of the cell says so', async () => {
    const { id } = await addProvider(cell, owner, await startIssuer(), 'Sealed')
    await ask(cell, 'update sign_in_providers set client_secret = $2 where id = $1', [id, Buffer.alloc(40)])
    const { status, headers } = await cell.call('GET', `/app/v1/sign_in/oidc/${id}/start`)
    expect([status, headers.location]).toEqual([303, expect.stringContaining('reason=secret_unreadable')])
    const change = { version: 1, client_secret: 'the same again' }
    const path = `/app/v1/sign_in_providers/${id}`
    expect((await cell.call('PATCH', path, { session: owner, body: change })).status).toBe(200)
    expect(await new TestBrowser(cell).start(id)).toContain('code_challenge_method=S256')
    await cell.call('DELETE', path, { session: owner })
  })
  it.each([
    ['http://issuer.example', /begins with https/],
    ['https://user@issuer.example', /begins with https/],
    ['https://issuer.example/?a=b', /begins with https/],
    ['ftp://issuer.example', /begins with https/],
    ['https://10.0.0.1', /not on the public internet/],
    ['https://169.254.169.254/latest', /not on the public internet/],
    ['https://[::1]:8443', /not on the public internet/],
    ['http://[::1]:8443', /not on the public internet/],
  ])('with the issuer %s is refused', async (url, reason) => {
    const body = { name: 'Bad', issuer: url, client_id: 'x', client_secret: 'y' }
    const answer = await cell.call('POST', '/app/v1/sign_in_providers', { session: owner, body })
    expect([answer.status, answer.body]).toMatchObject([422, { details: { issuer: [expect.stringMatching(reason)] } }])
  })
  it('whose issuer names itself otherwise is refused', async () => {
    const body = { name: 'Bad', issuer: `${issuer.url}/tenant`, client_id: 'x', client_secret: 'y' }
    const answer = await cell.call('POST', '/app/v1/sign_in_providers', { session: owner, body })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Check the address')])
  })
  it('is refused to those who have not proven who they are, and to roles without its policy', async () => {
    await ask(cell, `update sessions set proven_at = now() - interval '1 hour'`)
    cell.clock.add(LATER_MS)
    const body = { name: 'X', issuer: issuer.url, client_id: 'x', client_secret: 'y' }
    const refused = await cell.call('POST', '/app/v1/sign_in_providers', { session: owner, body })
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([403, 'proof_required'])
    const advisor = await signInAs(cell, agency.number, agency.advisor)
    expect((await cell.call('GET', '/app/v1/sign_in_providers', { session: advisor })).status).toBe(403)
  })
})
