import { makeLink } from '../../src/features/sign-in/commands/make-link.ts'
import type { Network } from '../../src/platform/access/source-address.ts'
import { readNetwork } from '../../src/platform/access/source-address.ts'
import { type Agency, OPERATOR } from './agency.ts'
import { type Answer, startCell, type TestCell, uncounted } from './cell.ts'
import { setCookies } from './console.ts'
import { CLIENT, type TestIssuer } from './oidc-issuer.ts'

/** A cell that may call issuers on this machine. */
export const startOidcCell = (): Promise<TestCell> =>
  startCell({ webhookAllowCidrs: [readNetwork('127.0.0.0/8') as Network], deps: { count: uncounted } })

export type TestProvider = { readonly id: string; readonly redirect_uri: string; readonly version: number }
const WAITING = 'backdesk-provider'

/** Adds an issuer to an account, by a session of somebody who may. */
export async function addProvider(cell: TestCell, session: string, issuer: TestIssuer, name = 'Test issuer') {
  const body = { name, issuer: issuer.url, ...CLIENT }
  const answer = await cell.call('POST', '/app/v1/sign_in_providers', { session, body })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  const provider = (answer.body as { data: TestProvider }).data
  issuer.register(provider.redirect_uri)
  return provider
}

/** A browser: the value of its session cookie, and that of a sign-in by a provider that it began. */
export class TestBrowser {
  readonly #cell: TestCell
  cookies: Record<string, string> = {}
  constructor(cell: TestCell) {
    this.#cell = cell
  }
  get session(): string {
    return this.cookies.backdesk ?? ''
  }
  get waiting(): string {
    return this.cookies[WAITING] ?? ''
  }
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const cookie = Object.entries(this.cookies)
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}=${value}`)
      .join('; ')
    const answer = await this.#cell.call(method, path, { body, headers: { cookie: cookie || undefined } })
    this.cookies = { ...this.cookies, ...setCookies(answer) }
    return answer
  }
  /** Begins to sign in. Answers where the browser is sent. */
  async start(provider: string | number, query = ''): Promise<string> {
    return (await this.call('GET', `/app/v1/sign_in/oidc/${provider}/start${query}`)).headers.location ?? ''
  }
  /** Comes back from a provider. Answers where the browser is sent then. */
  async comeBack({ pathname, search }: URL): Promise<string> {
    const { status, headers, text } = await this.call('GET', pathname + search)
    return status === 303 ? String(headers.location) : `${status} ${text}`
  }
  /** Signs in by a provider from the beginning to the end. Answers where the browser is then. */
  async signIn(issuer: TestIssuer, provider: string | number, query = ''): Promise<string> {
    return this.comeBack(await issuer.visit(await this.start(provider, query)))
  }
  /** Who is signed in; null for none. */
  async me(): Promise<string | null> {
    const { body } = await this.call('GET', '/app/v1/me')
    return (body as { user?: { id: string } }).user?.id ?? null
  }
}

/** Accepts an invitation by a provider. */
export async function acceptBy(cell: TestCell, agency: Agency, seat: string, issuer: TestIssuer, provider: string) {
  const browser = new TestBrowser(cell)
  const { token } = await cell.deps.db.inAccount(agency.number, (tx) => makeLink(tx, seat, 'invitation'), OPERATOR)
  const { body } = await browser.call('POST', '/app/v1/sign_in/link/provider', { token, provider_id: provider })
  const { url } = (body as { data: { url: string } }).data
  return { browser, token, at: await browser.comeBack(await issuer.visit(url)) }
}
