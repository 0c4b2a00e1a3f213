import { hash } from 'node:crypto'
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
  /** The answer of `GET /me` up to its `server_time`. */
  readonly identity: string
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

export type KeyRing = {
  /** Null where no key of this cell has this token. */
  resolve(token: string): Key | null | Promise<Key | null>
  used(key: Key, address: string): void
  /** Writes down when and from where keys were used last. */
  flush(): Promise<void>
}

/** The keys at hand. `now` is milliseconds since the epoch. */
export function keyRing(store: KeyStore, now: () => number): KeyRing {
  const kept = new Map<string, { key: Key | Promise<Key | null>; at: number }>()
  let lastUsed = new Map<string, KeyUse>()

  return {
    resolve(token) {
      const name = hash('sha256', token, 'base64')
      const known = kept.get(name)
      const age = known ? now() - known.at : 0
      if (known && age >= 0 && age < KEPT_MS) return known.key // a clock that was put back makes nothing younger
      if (!isWellFormed(token)) return null
      const entry: { key: Key | Promise<Key | null>; at: number } = {
        key: store.find(token),
        at: now(),
      }
      entry.key = (entry.key as Promise<Key | null>).then(
        (key) => {
          if (key) entry.key = key
          else kept.delete(name)
          return key
        },
        (error) => {
          kept.delete(name)
          throw error
        },
      )
      if (kept.size >= KEPT_KEYS) kept.delete(kept.keys().next().value as string)
      kept.set(name, entry)
      return entry.key
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
