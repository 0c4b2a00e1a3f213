/** How far one interval moves the pace. */
const WEIGHT = 1 / 64
/** A burst is over before this; until the first has waited this long, the number of waiters means nothing. */
const NOTICED_MS = 100

/** The requests waiting for a connection, in order of arrival. */
export type Waits = {
  /** Waits for a promise, and counts as waiting. */
  until<T>(coming: Promise<T>): Promise<T>
  /** How long the first of them has waited; 0 if there is none. */
  longestMs(now?: number): number
  /** How long a new request would wait: the number of waiters times the time of each. */
  expectedMs(now?: number): number
}

export function waits(): Waits {
  const since = new Set<{ readonly at: number }>()
  /** The interval at which waiters get a connection. */
  let paceMs = 0
  let lastAt = 0
  const longestMs = (now = performance.now()): number => {
    if (since.size === 0) return 0
    const [first] = since
    return first ? now - first.at : 0
  }
  return {
    async until(coming) {
      const waiting = { at: performance.now() }
      since.add(waiting)
      try {
        return await coming
      } finally {
        since.delete(waiting)
        const now = performance.now()
        paceMs += (now - Math.max(lastAt, waiting.at) - paceMs) * WEIGHT
        lastAt = now
      }
    },
    longestMs,
    expectedMs(now = performance.now()) {
      const longest = longestMs(now)
      // A pace that is not known yet, or came to a halt, shows in the wait of the first.
      return longest < NOTICED_MS ? longest : Math.max(longest, since.size * paceMs)
    },
  }
}
