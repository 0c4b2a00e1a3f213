import { SCOPES } from '../../../platform/access/policies.ts'
import { readNetwork } from '../../../platform/access/source-address.ts'
import { hashToken, makeToken, tokenEnds } from '../../../platform/access/token.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import { readInstant } from '../../../platform/time.ts'

const NEVER = 'never'
export type NewKey = {
  readonly name: string
  readonly scopes: readonly string[]
  readonly role: string | null
  /** An RFC 3339 time, or `never`; null for the default life of the account's keys. */
  readonly expiresAt: string | null
  readonly allowedCidrs: readonly string[]
}

/** A new token, and what is stored of it. */
export function tokenRow() {
  const key = makeToken()
  return { key, row: { hash: hashToken(key), ...tokenEnds(key) } }
}

/** What is stored of a key, or every reason why it cannot be. */
export function readKey(given: NewKey) {
  const unknown = given.scopes.some((scope) => !SCOPES.some((known) => known === scope))
  const cidrs = given.allowedCidrs.filter((text) => readNetwork(text) === null)
  const forever = given.expiresAt === NEVER
  const expiresAt = given.expiresAt === null || forever ? null : readInstant(given.expiresAt, 'UTC')
  refuseValues([
    given.name.trim() === '' && ['name', 'A key needs a name.'],
    (given.scopes.length === 0 || unknown) && [
      'scopes',
      `A key needs at least one of the scopes ${SCOPES.join(', ')}, and has no others.`,
    ],
    ...cidrs.map(
      (cidr) =>
        [
          'allowed_cidrs',
          `${cidr} is not an address or a network. Write it as 203.0.113.7 or 203.0.113.0/24.`,
        ] as const,
    ),
    given.expiresAt !== null &&
      !forever &&
      expiresAt === null && [
        'expires_at',
        `${given.expiresAt} is not a time. Write the expiry as 2027-01-31T00:00:00Z, or ${NEVER}.`,
      ],
  ])
  return {
    name: given.name.trim(),
    scopes: [...new Set(given.scopes)],
    role: given.role,
    cidrs: [...given.allowedCidrs],
    expiresAt,
    forever,
  }
}
