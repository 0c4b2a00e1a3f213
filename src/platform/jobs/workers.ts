import type { Database } from '../db/database.ts'

const POLL_MS = 1_000

/** Work that was claimed. Once `stopping` is aborted it comes to an end soon, and gives back what is not done. */
export type Job = (stopping: AbortSignal) => Promise<void>
export type Queue = {
  /** What `wake` calls it. */
  readonly name: string
  /** Claims what is due, by a lease that runs out; null where nothing is. */
  claim(): Promise<Job | null>
}

/**
 * Works on a queue, so many jobs at once; it looks for the next when one is done, when woken, and every second. Answers
 * how to stop: nothing more is claimed, and what runs comes to its end.
 */
export function startWorkers(
  db: Pick<Database, 'onWake'>,
  queue: Queue,
  atOnce: number,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController()
  let idle = Promise.withResolvers<void>()
  const wake = () => {
    idle.resolve()
    idle = Promise.withResolvers()
  }
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const woken = idle.promise // taken before the claim, so that what comes in between is not missed
      try {
        const job = await queue.claim()
        if (job) await job(stopping.signal)
        else await woken
      } catch (error) {
        failed(error)
        await woken
      }
    }
  }
  const poll = setInterval(wake, POLL_MS)
  const deafen = db.onWake(queue.name, wake)
  const working = Array.from({ length: atOnce }, work)
  return async () => {
    stopping.abort()
    clearInterval(poll)
    deafen()
    wake()
    await Promise.all(working)
  }
}
