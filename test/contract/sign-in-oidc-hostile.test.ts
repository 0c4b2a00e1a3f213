import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { endAccess } from '../../src/features/sign-in/commands/end-access.ts'
import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import { returnPath } from '../../src/features/sign-in/oidc/return-path.ts'
import { type Agency, makeAgency, OPERATOR } from '../harness/agency.ts'
import type { TestCell } from '../harness/cell.ts'
import { signInAs } from '../harness/console.ts'
import { type Forgery, startIssuer, type TestIssuer } from '../harness/oidc-issuer.ts'
import { acceptBy, addProvider, startOidcCell, TestBrowser, type TestProvider } from '../harness/providers.ts'
import { ask } from '../harness/sql.ts'

/** Until a session is looked up again. */
const LATER_MS = 1_000
const EVIL = 'https://evil.example'

let cell: TestCell
let agency: Agency
let owner: string
let issuer: TestIssuer
let provider: TestProvider
/** Another issuer of the same account, whose master is hostile. */
let hostile: TestIssuer
let hostileProvider: TestProvider
beforeAll(async () => {
  cell = await startOidcCell()
  agency = await makeAgency(cell)
  owner = await signInAs(cell, agency.number, agency.owner.id)
  issuer = await startIssuer()
  hostile = await startIssuer()
  provider = await addProvider(cell, owner, issuer)
  hostileProvider = await addProvider(cell, owner, hostile, 'Hostile')
  issuer.person = 'ada'
  expect((await acceptBy(cell, agency, agency.advisor, issuer, provider.id)).at).toBe('/console/')
})
beforeEach(() => {
  issuer.person = 'ada'
  hostile.person = 'ada'
  issuer.forgery = {}
})
const problemOf = (location: string) => /[?#&]problem=(\w+)/.exec(location)?.[1] ?? location
const change = (id: string, body: object) =>
  cell.call('PATCH', `/app/v1/sign_in_providers/${id}`, { session: owner, body })
/** A browser of Ada's that has been to the provider, and where that sends it. */
async function arrived() {
  const browser = new TestBrowser(cell)
  return { browser, back: await issuer.visit(await browser.start(provider.id)) }
}

describe('an ID token', () => {
  it.each<[string, Forgery]>([
    ['of another issuer', { claims: (claims) => ({ ...claims, iss: hostile.url }) }],
    ['of an issuer whose address only begins alike', { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) }],
    ['for another client', { claims: (claims) => ({ ...claims, aud: 'somebody else' }) }],
    ['for several clients, and not for this one first', { claims: (c) => ({ ...c, aud: [c.aud, 'x'], azp: 'x' }) }],
    ['with another nonce', { claims: (claims) => ({ ...claims, nonce: 'another' }) }],
    ['without a nonce', { claims: ({ nonce: _, ...claims }) => claims }],
    ['that has expired', { claims: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 3600 }) }],
    ['that is of the future', { claims: (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 3600 }) }],
    ['without a subject', { claims: ({ sub: _, ...claims }) => claims }],
    ['with a subject longer than any may be', { claims: (claims) => ({ ...claims, sub: 'a'.repeat(256) }) }],
    ['with a subject that is no text', { claims: (claims) => ({ ...claims, sub: ['ada'] }) }],
    ['with a subject that databases do not take', { claims: (claims) => ({ ...claims, sub: 'a\0' }) }],
    ['that somebody else signed', { foreignKey: true }],
  ])('%s is refused', async (_, forgery) => {
    const { browser, back } = await arrived()
    issuer.forgery = forgery
    expect(problemOf(await browser.comeBack(back))).toBe('invalid')
    expect([browser.session, await browser.me()]).toEqual(['', null])
  })
})

describe('an answer', () => {
  it('is good once, and in the browser that began alone', async () => {
    const { browser, back } = await arrived()
    const [thief, waiting] = [new TestBrowser(cell), browser.waiting]
    expect([problemOf(await thief.comeBack(back)), thief.session]).toEqual(['expired', ''])
    await thief.start(provider.id)
    expect([problemOf(await thief.comeBack(back)), thief.session]).toEqual(['expired', ''])
    expect(await browser.comeBack(back)).toBe('/console/')
    const before = issuer.tokenRequests()
    const replay = new TestBrowser(cell)
    replay.cookies = { 'backdesk-provider': waiting }
    expect([problemOf(await replay.comeBack(back)), replay.session]).toEqual(['expired', ''])
    expect(issuer.tokenRequests()).toBe(before)
  })
  it('is used by one of many requests at once', async () => {
    const { browser, back } = await arrived()
    const all = Array.from({ length: 5 }, () => {
      const same = new TestBrowser(cell)
      same.cookies = { ...browser.cookies }
      return same.comeBack(back)
    })
    expect((await Promise.all(all)).map(problemOf).sort()).toEqual(['/console/', ...Array(4).fill('expired')])
  })
  it('that comes after ten minutes is refused, and its row is purged', async () => {
    const { browser, back } = await arrived()
    const [row] = await ask<{ minutes: number }>(
      cell,
      'select extract(epoch from expires_at - now()) / 60 as minutes from pending_sign_ins order by id desc limit 1',
    )
    expect(Number(row?.minutes)).toBeGreaterThan(9)
    expect(Number(row?.minutes)).toBeLessThanOrEqual(10)
    await ask(cell, 'update pending_sign_ins set expires_at = now()')
    expect([problemOf(await browser.comeBack(back)), browser.session]).toEqual(['expired', ''])
  })
  it.each(['', 'another', 'a'.repeat(200)])('with the state %j is refused', async (state) => {
    const { browser, back } = await arrived()
    back.searchParams.set('state', state)
    expect([problemOf(await browser.comeBack(back)), browser.session]).toEqual(['expired', ''])
  })
  it('with a code of another person’s browser is refused: PKCE and nonce are of the own', async () => {
    const [victim, attacker] = [await arrived(), await arrived()]
    victim.back.searchParams.set('code', attacker.back.searchParams.get('code') ?? '')
    expect(problemOf(await victim.browser.comeBack(victim.back))).toBe('invalid')
    expect(victim.browser.session).toBe('')
  })
  it('that says that the person refused leads to the sign-in page of the account', async () => {
    const { browser, back } = await arrived()
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', '<script>alert(1)</script>')
    const at = await browser.comeBack(back)
    expect(at).toBe(`/console/sign-in?account=${agency.number}#problem=refused&reason=access_denied`)
  })
  it('with unknown parameters is taken, and with nonsense answered without an error of the cell', async () => {
    const { browser, back } = await arrived()
    for (const [name, value] of [
      ['session_state', 'x'],
      ['authuser', '0'],
      ['hd', 'agency.example'],
    ] as const)
      back.searchParams.set(name, value)
    expect(await browser.comeBack(back)).toBe('/console/')
    const path = `/app/v1/sign_in/oidc/${provider.id}/callback`
    for (const query of ['', '?code=1&code=2', '?state[]=1', '?state=%00', '?state=%zz', `?code=${'x'.repeat(9000)}`])
      expect((await new TestBrowser(cell).call('GET', `${path}${query}`)).status).toBeLessThan(500)
  })
})

describe('a hostile issuer', () => {
  /** The browser began with the hostile issuer, which sent it to the honest one with its own state and challenge. */
  async function mixedUp() {
    const browser = new TestBrowser(cell)
    const begun = new URL(await browser.start(hostileProvider.id))
    const honest = new URL(await new TestBrowser(cell).start(provider.id))
    for (const name of ['state', 'nonce', 'code_challenge'])
      honest.searchParams.set(name, String(begun.searchParams.get(name)))
    return { browser, back: await issuer.visit(honest.href) }
  }
  const requests = () => [issuer.tokenRequests(), hostile.tokenRequests()]

  it('learns no code of an honest one, whose answer comes back to another address', async () => {
    const { browser, back } = await mixedUp()
    expect(back.pathname).toContain(provider.id)
    const before = requests()
    expect([problemOf(await browser.comeBack(back)), browser.session]).toEqual(['expired', ''])
    expect(requests()).toEqual(before)
  })
  it('learns none where the answer was led to its own address: the issuer in it is another', async () => {
    const { browser, back } = await mixedUp()
    expect(back.searchParams.get('iss')).toBe(issuer.url)
    back.pathname = back.pathname.replace(provider.id, hostileProvider.id)
    const before = requests()
    expect([problemOf(await browser.comeBack(back)), browser.session]).toEqual(['invalid', ''])
    expect(requests()).toEqual(before)
  })
  it('that names the same subject as another one signs in to no seat of that one', async () => {
    const browser = new TestBrowser(cell)
    expect([problemOf(await browser.signIn(hostile, hostileProvider.id)), browser.session]).toEqual(['not_linked', ''])
  })
  it('that another account has configured enters that account alone', async () => {
    const other = await makeAgency(cell)
    const session = await signInAs(cell, other.number, other.owner.id)
    const theirs = await startIssuer()
    theirs.person = 'ada'
    const own = await addProvider(cell, session, theirs)
    expect((await acceptBy(cell, other, other.owner.id, theirs, own.id)).at).toBe('/console/')
    const browser = new TestBrowser(cell)
    expect(await browser.signIn(theirs, own.id)).toBe('/console/')
    const { body } = await browser.call('GET', '/app/v1/sign_in')
    expect((body as { data: { account: number }[] }).data.map(({ account }) => account)).toEqual([other.number])
    // The same issuer in two accounts has two clients, and a person of it one seat in each.
    const both = await addProvider(cell, session, issuer, 'The same issuer')
    const elsewhere = new TestBrowser(cell)
    expect([problemOf(await elsewhere.signIn(issuer, both.id)), elsewhere.session]).toEqual(['not_linked', ''])
    issuer.register(provider.redirect_uri)
    const foreign = { provider_id: provider.id }
    const refused = await cell.call('POST', '/app/v1/session/identities', { session, body: foreign })
    expect(refused.status).toBe(404)
  })
})

describe('an invitation', () => {
  it('that is withdrawn while its person is at the provider links no seat', async () => {
    const browser = new TestBrowser(cell)
    const { body } = await cell.call('POST', '/app/v1/people', {
      session: owner,
      body: { email: `${crypto.randomUUID()}@agency.example`, role: 'viewer' },
    })
    const { id, invitation_link } = (body as { data: { id: string; invitation_link: string } }).data
    const [, token] = invitation_link.split('#link=')
    issuer.person = 'a newcomer'
    const sent = await browser.call('POST', '/app/v1/sign_in/link/provider', { token, provider_id: provider.id })
    const back = await issuer.visit((sent.body as { data: { url: string } }).data.url)
    await cell.deps.db.inAccount(agency.number, (tx) => endAccess(tx, id), OPERATOR)
    expect([problemOf(await browser.comeBack(back)), browser.session]).toEqual(['link_used', ''])
    expect(await ask(cell, 'select from seat_identities where seat_id = $1', [id])).toEqual([])
  })
  it.each(['sign_in', 'reset'] as const)(
    'is what can be accepted by a provider, and no link to %s',
    async (purpose) => {
      const { token } = await cell.deps.db.inAccount(
        agency.number,
        (tx) => makeLink(tx, agency.advisor, purpose),
        OPERATOR,
      )
      const body = { token, provider_id: provider.id }
      expect((await cell.call('POST', '/app/v1/sign_in/link/provider', { body })).status).toBe(404)
    },
  )
})

describe('a session that asked to be linked', () => {
  it('and ended meanwhile, or is of another browser, is not', async () => {
    const ask = async (browser: TestBrowser) => {
      const { body } = await browser.call('POST', '/app/v1/session/identities', { provider_id: provider.id })
      return issuer.visit((body as { data: { url: string } }).data.url)
    }
    issuer.person = 'the owner'
    const browser = new TestBrowser(cell)
    browser.cookies = { backdesk: await signInAs(cell, agency.number, agency.owner.id) }
    const back = await ask(browser)
    const other = await signInAs(cell, agency.number, agency.owner.id)
    const { waiting } = browser
    await browser.call('DELETE', '/app/v1/session')
    cell.clock.add(LATER_MS)
    browser.cookies = { backdesk: other, 'backdesk-provider': waiting }
    expect(problemOf(await browser.comeBack(back))).toBe('signed_out')
    const listed = await browser.call('GET', '/app/v1/session/identities')
    expect((listed.body as { data: unknown[] }).data).toEqual([])
  })
})

describe('who is deactivated', () => {
  const session = async () => {
    const browser = new TestBrowser(cell)
    expect(await browser.signIn(issuer, provider.id)).toBe('/console/')
    return browser
  }
  it('as a seat signs in by no provider', async () => {
    const { browser, back } = await arrived()
    await ask(cell, 'update seats set active = false where id = $1', [agency.advisor])
    expect(problemOf(await browser.comeBack(back))).toBe('not_linked')
    expect(problemOf(await new TestBrowser(cell).signIn(issuer, provider.id))).toBe('not_linked')
    await ask(cell, 'update seats set active = true where id = $1', [agency.advisor])
    expect(await (await session()).me()).toBe(agency.advisor)
  })
  it('as a provider is refused, ends its sessions, and is not offered', async () => {
    const [before, waiting] = [await session(), await arrived()]
    expect((await change(provider.id, { version: 1, active: false })).status).toBe(200)
    cell.clock.add(LATER_MS)
    expect(await before.me()).toBeNull()
    expect(problemOf(await waiting.browser.comeBack(waiting.back))).toBe('unknown_provider')
    expect(problemOf(await new TestBrowser(cell).start(provider.id))).toBe('unknown_provider')
    const offered = await cell.call('GET', `/app/v1/sign_in/providers?account=${agency.number}`)
    expect((offered.body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([hostileProvider.id])
    expect((await change(provider.id, { version: 2, active: true })).status).toBe(200)
    expect(await (await session()).me()).toBe(agency.advisor)
  })
  it('as an account is refused', async () => {
    const { browser, back } = await arrived()
    await ask(cell, `update accounts set status = 'closed' where account_id = $1`, [agency.number])
    expect(problemOf(await browser.comeBack(back))).toBe('unknown_provider')
    await ask(cell, `update accounts set status = 'active' where account_id = $1`, [agency.number])
  })
})

describe('the way back', () => {
  const OUT = [
    ...[
      EVIL,
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/console/../s/x',
      '/console/..%2f..',
      '/console',
    ],
    ...['/consolex/', '/console/..\\..\\x', 'javascript:alert(1)', ' /console/', '/api/v1/me', '', '/', 'console/'],
    ...['/console/../..//evil.example', '/console/./../x', '/console/%2e%2e/x', 'data:text/html,x', '/\t/evil.example'],
  ]
  it.each(OUT)('%j is refused, or stays in the console', async (path) => {
    const query = `?return_to=${encodeURIComponent(path)}`
    const answer = await cell.call('GET', `/app/v1/sign_in/oidc/${provider.id}/start${query}`)
    expect([200, 303].includes(answer.status)).toBe(path === '/console/..%2f..')
  })
  it('leads nowhere but below /console/, whatever is asked for', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '..',
      '.',
      '%2e',
      '%2f',
      'console',
      '@',
      ':',
      '\t',
      '\n',
      '#',
      '?',
      'evil.example',
      'https:',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = returnPath(`/console/${pieces.join('')}`)
        if (path === null) return
        const { origin, pathname } = new URL(path, 'https://cell.example')
        expect(origin).toBe('https://cell.example')
        expect(pathname.startsWith('/console/')).toBe(true)
        expect(path).toMatch(/^\/console\//)
      }),
    )
  })
})
