import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const PERIOD_S = 30
const DIGITS = 6
/** Steps by which the clock of a phone may be wrong, each way. */
const WINDOW = 1
const MS_A_SECOND = 1_000

const totpOf = (secret: Secret, named: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...named, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S })

/** A new secret for an authenticator app, as text and as the address that apps read. */
export function newTotp(issuer: string, label: string): { readonly secret: string; readonly uri: string } {
  const secret = new Secret({ size: SECRET_BYTES })
  return { secret: secret.base32, uri: totpOf(secret, { issuer, label }).toString() }
}

/** The time step that a code is of; null if it is none of now. `now` is milliseconds since the epoch. */
export function stepOfCode(secret: string, code: string, now: number): number | null {
  const token = code.replaceAll(/[ -]/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const delta = totpOf(Secret.fromBase32(secret)).validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? null : Math.floor(now / (PERIOD_S * MS_A_SECOND)) + delta
}
