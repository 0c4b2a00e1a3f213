import { randomDigits } from '../../platform/access/token.ts'
import type { Seal } from '../../platform/seal.ts'
import { signingKeyOf } from './signature.ts'

/** A new secret, shown once, and its stored form: the sealed key derived from it. */
export function makeSigningSecret(seal: Seal): { readonly secret: string; readonly sealedKey: Buffer } {
  const secret = `whsec_${randomDigits()}`
  return { secret, sealedKey: seal.seal(signingKeyOf(secret)) }
}
