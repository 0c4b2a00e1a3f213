import { type JsonText, NO_BODY } from '../json-text.ts'
import type { Actor } from './actor.ts'
import { PLANS, type Plan } from './plans.ts'
import { policySet } from './policies.ts'
import type { Network } from './source-address.ts'

/** The identity behind a request: an API key, or a user's session. */
export type Principal = {
  readonly kind: 'key' | 'session'
  readonly id: string
  readonly actor: Actor
  readonly plan: Plan
  /** Name of the role that its policies are of. */
  readonly role: string
  /** Those that its account had in other cells, sealed: cursors of then are still good. */
  readonly formerSecrets: readonly Buffer[]
  /** The response of `GET /me` at a time in milliseconds since the epoch. */
  readonly identityAt: (now: number) => JsonText<never>
}

export type ConsoleSession = Principal & {
  readonly kind: 'session'
  /** Signed out, revoked, or of a seat that is not active any more. */
  readonly ended: boolean
  /** Milliseconds since the epoch, exclusive. */
  readonly expiresAt: number
  /** Milliseconds since the epoch; as it was written down last, up to a minute late. */
  readonly lastUsedAt: number
  /** When the person last proved who they are, in milliseconds since the epoch. */
  readonly provenAt: number
  /** The account demands a second factor, and this session was begun without one. */
  readonly lacksFactor: boolean
}

export type Key = Principal & {
  readonly kind: 'key'
  readonly revoked: boolean
  /** Milliseconds since the epoch, exclusive. */
  readonly expiresAt: number
  /** Where it may be used from; null: everywhere. */
  readonly networks: readonly Network[] | null
}

/** Who asks on open routes, which belong to no account. */
export const NOBODY: Principal = {
  kind: 'session',
  id: '',
  actor: {
    account: 0,
    timeZone: 'UTC',
    locale: 'en',
    scopes: new Set(),
    policies: policySet([]),
    seat: null,
    homeBranch: null,
    companies: [],
    branches: [],
  },
  plan: PLANS.starter,
  role: '',
  formerSecrets: [],
  identityAt: () => NO_BODY as never,
}
