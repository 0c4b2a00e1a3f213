/** Who waits for a connection, in the order in which they came. */
export type Waits = {
  /** Waits for what is coming, and is known to wait. */
  until<T>(coming: Promise<T>): Promise<T>
  /** How long the first of them has waited; 0 where nobody waits. */
  longestMs(now?: number): number
}

export function waits(): Waits {
  const since = new Set<{ readonly at: number }>()
  return {
    async until(coming) {
      const waiting = { at: performance.now() }
      since.add(waiting)
      try {
        return await coming
      } finally {
        since.delete(waiting)
      }
    },
    longestMs(now = performance.now()) {
      if (since.size === 0) return 0
      const [first] = since
      return first ? now - first.at : 0
    },
  }
}
