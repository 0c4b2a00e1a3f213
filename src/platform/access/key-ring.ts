import type { JsonText } from '../json-text.ts'
import type { Actor } from './actor.ts'
import type { Plan } from './plans.ts'
import type { Network } from './source-address.ts'
import { isWellFormed } from './token.ts'

/** How long a key is taken as it was read: a revocation takes effect within a second. */
const KEPT_MS = 900
const KEPT_KEYS = 10_000

/** A key that was found, and all that its requests ask of it. */
export type Key = {
  readonly id: string
  readonly actor: Actor
  readonly plan: Plan
  /** Name of the role that its policies are of. */
  readonly role: string
  readonly revoked: boolean
  /** Milliseconds since the epoch, exclusive. */
  readonly expiresAt: number
  /** Those that its account had in other cells, sealed: cursors of then are still good. */
  readonly formerSecrets: readonly Buffer[]
  /** Where it may be used from; null: everywhere. */
  readonly networks: readonly Network[] | null
  /** The answer of `GET /me` at a time in milliseconds since the epoch. */
  readonly identityAt: (now: number) => JsonText<never>
}
/** When a key was used last, in milliseconds since the epoch, and from where. */
export type KeyUse = {
  readonly account: number
  readonly id: string
  readonly at_ms: number
  readonly ip: string
}
/** Where keys are kept. */
export type KeyStore = {
  /** Null where no key of this cell has this token. */
  find(token: string): Promise<Key | null>
  noteUses(uses: readonly KeyUse[]): Promise<unknown>
}

type Kept = { key: Key | Promise<Key | null>; readonly at: number }

export type KeyRing = {
  /** Null where no key of this cell has this token. */
  resolve(token: string): Key | null | Promise<Key | null>
  /** Null as well where it would have to be looked up. */
  atHand(token: string): Key | null
  used(key: Key, address: string): void
  /** Writes down when and from where keys were used last. */
  flush(): Promise<void>
}

/** The keys at hand. `now` is milliseconds since the epoch. */
export function keyRing(store: KeyStore, now: () => number): KeyRing {
  /** By their tokens, in the order in which they were looked up: to tell a text by its hash takes longer than all else. */
  const kept = new Map<string, Kept>()
  let lastUsed = new Map<string, KeyUse>()

  /** A clock that was put back makes nothing younger. */
  const isFresh = ({ at }: Kept): boolean => {
    const age = now() - at
    return age >= 0 && age < KEPT_MS
  }
  /** No token stays at hand for longer than it is of use. */
  function forgetOld(): void {
    for (const [token, known] of kept) {
      if (isFresh(known) && kept.size < KEPT_KEYS) return
      kept.delete(token)
    }
  }
  function lookUp(token: string): Promise<Key | null> {
    const forget = () => kept.get(token) === entry && kept.delete(token)
    const found = store.find(token).then(
      (key) => {
        if (key) entry.key = key
        else forget()
        return key
      },
      (error) => {
        forget()
        throw error
      },
    )
    const entry: Kept = { key: found, at: now() }
    kept.delete(token)
    forgetOld()
    kept.set(token, entry)
    return found
  }
  return {
    resolve(token) {
      const known = kept.get(token)
      if (known && isFresh(known)) return known.key
      return isWellFormed(token) ? lookUp(token) : null
    },
    atHand(token) {
      const known = kept.get(token)
      return known && isFresh(known) && !(known.key instanceof Promise) ? known.key : null
    },
    used({ id, actor }, address) {
      lastUsed.set(id, { account: actor.account, id, at_ms: now(), ip: address })
    },
    async flush() {
      if (lastUsed.size === 0) return
      const flushed = lastUsed
      lastUsed = new Map()
      try {
        await store.noteUses([...flushed.values()])
      } catch (error) {
        lastUsed = new Map([...flushed, ...lastUsed]) // what was used meanwhile is the later
        throw error
      }
    },
  }
}
