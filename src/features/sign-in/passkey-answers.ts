import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { UserError } from '../../platform/user-error.ts'

/** The cell, as authenticators know it. */
export type RelyingParty = { readonly id: string; readonly origin: string }
/** What a browser answers, unchecked. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>
export type StoredPasskey = {
  readonly credential_id: Buffer
  readonly public_key: Buffer
  /** As PostgreSQL prints it. */
  readonly counter: string
}

/** Passkeys are bound to a domain. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { origin, hostname } = new URL(publicUrl)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    throw new UserError('not_allowed_now', 'Passkeys need a domain name, and this cell is reached by an IP address.')
  return { id: hostname, origin }
}

/** The user handle that authenticators keep with a passkey: a seat, without saying whose. */
export const handleOf = (seat: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(seat.replaceAll('-', ''), 'hex'))

/** The id of the passkey that answers; null if the answer names none. */
export function credentialIdIn({ id }: PasskeyAnswer): Buffer | null {
  const bytes = typeof id === 'string' && id.length <= 1400 ? Buffer.from(id, 'base64url') : Buffer.alloc(0)
  return bytes.length > 0 && bytes.toString('base64url') === id ? bytes : null
}

/** The seat that the authenticator says the passkey is of; null if it does not. */
export function handleIn({ response }: PasskeyAnswer): string | null {
  const { userHandle } = (response ?? {}) as { userHandle?: unknown }
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString('hex') : null
}

/** The passkey that an authenticator has made for a challenge; null if the answer is not to be trusted. */
export async function readRegistration(answer: PasskeyAnswer, challenge: Buffer, { id, origin }: RelyingParty) {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    })
    if (!verified) return null
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: String(credential.counter),
      transports: (credential.transports ?? []).filter((transport) => typeof transport === 'string').slice(0, 10),
    }
  } catch {
    return null // anything can be sent; the library throws on all that is malformed
  }
}

/** The counter of a passkey that has signed a challenge; null if the answer is not to be trusted. */
export async function readSignature(
  answer: PasskeyAnswer,
  challenge: Buffer,
  { id, origin }: RelyingParty,
  { credential_id, public_key, counter }: StoredPasskey,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: credential_id.toString('base64url'),
        publicKey: Uint8Array.from(public_key),
        counter: Number(counter),
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
