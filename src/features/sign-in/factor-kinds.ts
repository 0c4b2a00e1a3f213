import type { Factors } from './factors.store.ts'

/** By what a person shows a second factor, as attributes of a request. */
export const FACTOR_KINDS = ['code', 'passkey', 'recovery_code'] as const

/** How many second factors a seat has. Recovery codes replace a factor, and are none. */
export const factorsOf = ({ totp_since, passkeys }: Pick<Factors, 'totp_since' | 'passkeys'>): number =>
  passkeys + (totp_since === null ? 0 : 1)

/** The kinds that a seat can show. */
export const kindsOf = (factors: Factors): readonly (typeof FACTOR_KINDS)[number][] =>
  factorsOf(factors) === 0
    ? []
    : [
        ...(factors.totp_since === null ? [] : (['code'] as const)),
        ...(factors.passkeys === 0 ? [] : (['passkey'] as const)),
        ...(factors.recovery_codes === 0 ? [] : (['recovery_code'] as const)),
      ]
