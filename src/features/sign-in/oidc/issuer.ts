import { hash } from 'node:crypto'
import * as oidc from 'openid-client'
import { checkedFetch, NotFetched } from '../../../platform/net/checked-fetch.ts'
import { type DestinationRules, hostOf } from '../../../platform/net/destination.ts'

/** What an account has registered with an issuer. */
export type Client = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
/** What an answer is checked against. They are made of the browser's cookie, so the database does not have them. */
export type Proofs = { readonly state: string; readonly nonce: string; readonly verifier: string }

const TIMEOUT_S = 10
const KEPT_MS = 3600_000
const MOST_KEPT = 500
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])
/** OpenID Connect Core 1.0, section 2. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/
const REASON = /^[\w.-]{1,60}$/

/** Why an issuer could not be used, or its answer not be believed. `reason` is a code for those who set it up. */
export class IssuerFailure extends Error {
  readonly kind: 'unreachable' | 'invalid'
  readonly reason: string
  constructor(error: Partial<Error> & { readonly message: string; readonly code?: unknown; readonly error?: unknown }) {
    const { code, cause, error: answered, message } = error
    const inner = error instanceof NotFetched ? error : cause instanceof NotFetched ? cause : null
    super(inner?.message ?? message, { cause: error })
    this.kind = inner ? 'unreachable' : 'invalid'
    const codes = [inner?.failure.error, answered, code].filter((each) => typeof each === 'string')
    this.reason = codes.find((text) => REASON.test(text)) ?? 'unknown'
  }
}

/** Why a text cannot be the address of an issuer; null if it can. */
export function issuerFault(text: string): string | null {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' && LOOPBACK.has(hostOf(url))) return null
  if (url?.protocol !== 'https:' || url.search !== '' || url.hash !== '' || url.username !== '')
    return 'Send the address of the issuer, which begins with https:// and has no query.'
  return null
}

/** Speaks with issuers. What they publish is kept for an hour. `now` answers milliseconds since the epoch. */
export function issuers(rules: DestinationRules, now: () => number) {
  const kept = new Map<string, { readonly at: number; readonly configuration: Promise<oidc.Configuration> }>()
  const fetch = checkedFetch(rules) as oidc.CustomFetch

  async function discover({ issuer, clientId, clientSecret }: Client): Promise<oidc.Configuration> {
    const url = new URL(issuer)
    const isLocal = url.protocol === 'http:'
    const found = await oidc.discovery(url, clientId, undefined, undefined, {
      [oidc.customFetch]: fetch,
      timeout: TIMEOUT_S,
      ...(isLocal && { execute: [oidc.allowInsecureRequests] }),
    })
    const server = found.serverMetadata()
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const proves = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    const configuration = new oidc.Configuration(server, clientId, clientSecret, proves(clientSecret))
    configuration[oidc.customFetch] = fetch
    configuration.timeout = TIMEOUT_S
    if (isLocal) oidc.allowInsecureRequests(configuration)
    oidc.enableNonRepudiationChecks(configuration) // the signature of the ID token is verified
    return configuration
  }

  /** By everything that it depends on. A failure is not kept. */
  function configured(client: Client): Promise<oidc.Configuration> {
    const key = hash('sha256', JSON.stringify([client.issuer, client.clientId, client.clientSecret]))
    const known = kept.get(key)
    if (known && Math.abs(now() - known.at) < KEPT_MS) return known.configuration
    const configuration = discover(client)
    kept.delete(key)
    kept.set(key, { at: now(), configuration })
    configuration.catch(() => kept.delete(key))
    for (const oldest of kept.keys()) if (kept.size > MOST_KEPT) kept.delete(oldest)
    return configuration
  }

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw error instanceof IssuerFailure ? error : new IssuerFailure(error as Error)
    }
  }

  return {
    /** The issuer as it names itself, after everything that it publishes was read. */
    confirm: (client: Client): Promise<string> =>
      attempt(async () => {
        const { issuer } = (await discover(client)).serverMetadata()
        // Templates, such as that of all tenants of Entra, would accept people of everybody.
        if (new URL(issuer).href !== new URL(client.issuer).href)
          throw new IssuerFailure({ code: 'issuer', message: 'The issuer names itself otherwise.' })
        return issuer
      }),
    /** Where a browser is sent to sign in. */
    authorizationUrl: (client: Client, callback: string, { state, nonce, verifier }: Proofs): Promise<string> =>
      attempt(async () => {
        const parameters = {
          redirect_uri: callback,
          scope: 'openid',
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }
        return oidc.buildAuthorizationUrl(await configured(client), parameters).href
      }),
    /** The subject that an answer proves: `answer` is the query that a browser came back with. */
    subjectOf: (client: Client, callback: string, answer: Readonly<Record<string, string>>, proofs: Proofs) =>
      attempt(async () => {
        const url = new URL(callback)
        for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
        const tokens = await oidc.authorizationCodeGrant(await configured(client), url, {
          expectedState: proofs.state,
          expectedNonce: proofs.nonce,
          pkceCodeVerifier: proofs.verifier,
        })
        const subject = tokens.claims()?.sub ?? ''
        if (!SUBJECT.test(subject))
          throw new IssuerFailure({ code: 'subject', message: 'The subject is not of 1 to 255 ASCII characters.' })
        return subject
      }),
  }
}
export type Issuers = ReturnType<typeof issuers>
