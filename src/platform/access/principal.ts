import type { JsonText } from '../json-text.ts'
import type { Actor } from './actor.ts'
import type { Plan } from './plans.ts'
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

export type Key = Principal & {
  readonly kind: 'key'
  readonly revoked: boolean
  /** Milliseconds since the epoch, exclusive. */
  readonly expiresAt: number
  /** Where it may be used from; null: everywhere. */
  readonly networks: readonly Network[] | null
}
