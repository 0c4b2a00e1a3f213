import type { Database } from './db/database.ts'

const TICK_MS = 100

/** What a process can be behind with. */
export type Behind = 'event_loop' | 'database'
export type Overload = {
  /** The resource that is overloaded; null if none is. */
  behind(): Behind | null
  stop(): void
}

/**
 * Reports whether a process is more than `maximumMs` behind: the event loop, by the smaller of its last two delays,
 * since a single piece of work may take long; or the database, by how long a new request would wait for a connection.
 * Both are times and not counts, so they fit small and large machines. 0 disables it.
 */
export function overload(db: Pick<Database, 'expectedWaitMs'>, maximumMs: number): Overload {
  if (maximumMs === 0) return { behind: () => null, stop: () => {} }
  let due = performance.now() + TICK_MS
  let late = 0
  let lateTwice = 0
  const ticking = setInterval(() => {
    const now = performance.now()
    lateTwice = Math.min(late, now - due)
    late = now - due
    due = now + TICK_MS
  }, TICK_MS).unref()
  return {
    behind: () => (lateTwice > maximumMs ? 'event_loop' : db.expectedWaitMs() > maximumMs ? 'database' : null),
    stop: () => clearInterval(ticking),
  }
}
