import type { Principal } from './principal.ts'

/** How long a principal is cached: a revocation takes effect within a second. */
const KEPT_MS = 900
const KEPT_TOKENS = 10_000

/** When a principal was used last, in milliseconds since the epoch, and from where. */
export type TokenUse = {
  readonly account: number
  readonly id: string
  readonly at_ms: number
  readonly ip: string
}
/** The source of the principals of one kind. */
export type TokenStore<P extends Principal> = {
  /** Whether a text can be one of its tokens at all; nonsense is refused before any look-up. */
  isWellFormed(token: string): boolean
  /** Null if no principal of this cell has this token. */
  find(token: string): Promise<P | null>
  noteUses(uses: readonly TokenUse[]): Promise<unknown>
}

type Kept<P> = { principal: P | Promise<P | null>; readonly at: number }

export type TokenRing<P extends Principal> = {
  /** Null if no principal of this cell has this token. */
  resolve(token: string): P | null | Promise<P | null>
  /** Also null if it must be looked up. */
  atHand(token: string): P | null
  used(principal: P, address: string): void
  /** Has this process look up a principal again, which was changed. */
  forget(id: string): void
  /** Writes down when and from where principals were used last. */
  flush(): Promise<void>
}

/** The principals at hand. `now` is milliseconds since the epoch. */
export function tokenRing<P extends Principal>(store: TokenStore<P>, now: () => number): TokenRing<P> {
  /** By token, in the order of their look-up: hashing the text would take longer than everything else. */
  const kept = new Map<string, Kept<P>>()
  let lastUsed = new Map<string, TokenUse>()

  /** A clock that was put back makes nothing younger. */
  const isFresh = ({ at }: Kept<P>): boolean => {
    const age = now() - at
    return age >= 0 && age < KEPT_MS
  }
  /** No token stays at hand for longer than it is of use. */
  function forgetOld(): void {
    for (const [token, known] of kept) {
      if (isFresh(known) && kept.size < KEPT_TOKENS) return
      kept.delete(token)
    }
  }
  function lookUp(token: string): Promise<P | null> {
    const forget = () => kept.get(token) === entry && kept.delete(token)
    const found = store.find(token).then(
      (principal) => {
        if (principal) entry.principal = principal
        else forget()
        return principal
      },
      (error) => {
        forget()
        throw error
      },
    )
    const entry: Kept<P> = { principal: found, at: now() }
    kept.delete(token)
    forgetOld()
    kept.set(token, entry)
    return found
  }
  return {
    resolve(token) {
      const known = kept.get(token)
      if (known && isFresh(known)) return known.principal
      return store.isWellFormed(token) ? lookUp(token) : null
    },
    atHand(token) {
      const known = kept.get(token)
      return known && isFresh(known) && !(known.principal instanceof Promise) ? known.principal : null
    },
    forget(id) {
      for (const [token, { principal }] of kept)
        if (!(principal instanceof Promise) && principal.id === id) kept.delete(token)
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
        lastUsed = new Map([...flushed, ...lastUsed]) // used since, so it goes to the end
        throw error
      }
    },
  }
}
