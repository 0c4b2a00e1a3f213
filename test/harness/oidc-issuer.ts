import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { atEnd } from './at-end.ts'

export const CLIENT = { client_id: 'backdesk-test', client_secret: 'a secret of the test client' }
type Claims = Record<string, unknown>
/** What happens to an ID token before the cell receives it, and who signs it then. */
export type Forgery = { readonly claims?: (claims: Claims) => Claims; readonly foreignKey?: true }

export type TestIssuer = {
  readonly url: string
  /** How often its token endpoint was asked. */
  readonly tokenRequests: () => number
  /** How often its configuration was read. */
  readonly discoveries: () => number
  /** Lets browsers be sent back to these addresses. */
  register(...redirectUris: readonly string[]): void
  /** Who is signed in to it from now on. */
  person: string
  forgery: Forgery
  /** Whether it is down. */
  isDown: boolean
  /** A browser that is sent to it and signs in. Answers where it is sent then. */
  visit(url: string): Promise<URL>
}

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const base64 = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A server of OpenID Connect that signs in its `person` without asking anything. */
export async function startIssuer(): Promise<TestIssuer> {
  const [own, foreign] = [keyPair(), keyPair()]
  const kid = randomUUID()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const make = (redirect_uris: readonly string[]) =>
    new Provider(url, {
      clients: [{ ...CLIENT, redirect_uris }],
      jwks: { keys: [{ ...own.privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' }] },
      cookies: { keys: [randomUUID()] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      async loadExistingGrant({ oidc: { client, session, provider } }) {
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
        grant.addOIDCScope('openid')
        await grant.save()
        return grant
      },
      findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    })
  let provider = make([`${url}/nowhere`])
  const asked = { token: 0, discovery: 0 }

  const issuer: TestIssuer = {
    url,
    tokenRequests: () => asked.token,
    discoveries: () => asked.discovery,
    register: (...redirectUris) => {
      provider = make(redirectUris)
    },
    person: 'somebody',
    forgery: {},
    isDown: false,
    visit,
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    if (issuer.isDown) return void response.destroy()
    if (path.startsWith('/interaction/'))
      return void provider.interactionFinished(request, response, { login: { accountId: issuer.person } })
    if (path.startsWith('/.well-known/openid-configuration')) asked.discovery++
    if (path === '/token') {
      asked.token++
      forge(response, issuer.forgery)
    }
    provider.callback()(request, response)
  })
  return issuer

  /** Replaces the ID token of a response by one with other claims, or another signature. */
  function forge(response: ServerResponse, { claims = (same) => same, foreignKey }: Forgery): void {
    const end = response.end.bind(response)
    response.end = ((body?: unknown) => {
      const text = String(body ?? '')
      const token = /"id_token":"([^"]+)"/.exec(text)?.[1]
      if (!token) return end(text)
      const [, payload = ''] = token.split('.')
      const changed = claims(JSON.parse(Buffer.from(payload, 'base64url').toString()))
      const signed = `${base64({ alg: 'RS256', kid, typ: 'JWT' })}.${base64(changed)}`
      const key = (foreignKey ? foreign : own).privateKey
      const made = `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
      const sent = text.replace(token, made)
      response.setHeader('content-length', Buffer.byteLength(sent))
      return end(sent)
    }) as typeof response.end
  }
}

const MOST_REDIRECTS = 10
async function visit(start: string): Promise<URL> {
  const { origin } = new URL(start)
  const cookies = new Map<string, string>()
  let at = new URL(start)
  for (let step = 0; step < MOST_REDIRECTS && at.origin === origin; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${response.status} ${await response.text()}`)
    at = new URL(location, at)
  }
  return at
}
