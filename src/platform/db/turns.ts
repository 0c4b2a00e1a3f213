export type Turns = {
  /** Runs this many at once per account, the others in order of arrival. */
  take<T>(account: number, run: () => Promise<T>): Promise<T>
  /** How many wait, of all accounts. */
  waiting(): number
}

/**
 * Writes of one account wait for each other in the database anyway; those beyond a few wait here, so that an account
 * cannot hold the connections that the others need.
 */
export function turns(atOnce: number): Turns {
  const queues = new Map<number, { running: number; waiting: (() => void)[] }>()
  return {
    async take(account, run) {
      const queue = queues.get(account) ?? { running: 0, waiting: [] }
      queues.set(account, queue)
      if (queue.running === atOnce) await new Promise<void>((resolve) => queue.waiting.push(resolve))
      else queue.running++
      try {
        return await run()
      } finally {
        const next = queue.waiting.shift()
        if (next)
          next() // passes the slot on
        else if (--queue.running === 0) queues.delete(account)
      }
    },
    waiting: () => queues.values().reduce((sum, { waiting }) => sum + waiting.length, 0),
  }
}
