import { hash } from 'node:crypto'
import { hashToken, randomDigits } from '../../../platform/access/token.ts'
import { ownCookie } from '../../../platform/http/own-cookie.ts'
import type { Seal } from '../../../platform/seal.ts'
import { type Client, IssuerFailure, type Issuers, type Proofs } from './issuer.ts'
import { callbackAddress } from './provider-addresses.ts'
import type { ProviderInUse } from './providers.store.ts'

const LIFE_S = 600

export type ProviderTools = { readonly issuers: Issuers; readonly providerSecrets: Seal }

/** Of a browser that was sent to a provider. */
export const pendingCookie = (publicUrl: string) => ownCookie(publicUrl, 'backdesk-provider')

/** What the database is asked for: neither the state nor the cookie is stored. */
export const pendingKey = (state: string, cookie: string) => ({ state: hashToken(state), browser: hashToken(cookie) })

export const registeredClient = (provider: ProviderInUse, secrets: Seal): Client => ({
  issuer: provider.issuer,
  clientId: provider.client_id,
  clientSecret: openedSecret(provider.client_secret, secrets),
})

/** The cell's secret may have changed since it was sealed. */
function openedSecret(sealed: Buffer, secrets: Seal): string {
  try {
    return secrets.open(sealed)
  } catch {
    throw new IssuerFailure({ code: 'secret_unreadable', message: 'The client secret was sealed with another secret.' })
  }
}

/** Without the cookie of the browser that began, an answer cannot be checked, nor its code be exchanged. */
export function proofsOf(state: string, cookie: string): Proofs {
  const derived = (use: string) => hash('sha256', `${use}\n${state}\n${cookie}`, 'base64url')
  return { state, nonce: derived('nonce'), verifier: derived('verifier') }
}

/** Prepares to send a browser to a provider: where to, the cookie that it needs to come back, and the row that waits for it. */
export async function preparePending(
  { issuers, providerSecrets }: ProviderTools,
  publicUrl: string,
  to: ProviderInUse,
) {
  const [state, cookie] = [randomDigits(), randomDigits()]
  const callback = callbackAddress(publicUrl, to.id)
  const url = await issuers.authorizationUrl(registeredClient(to, providerSecrets), callback, proofsOf(state, cookie))
  const row = { provider: to.id, ...pendingKey(state, cookie) }
  return { url, cookie: pendingCookie(publicUrl).write(cookie, LIFE_S), row }
}
