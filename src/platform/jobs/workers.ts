import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { counter } from '../metrics/instruments.ts'

const POLL_MS = 1_000

const jobs = counter('backdesk_jobs_total', 'Jobs completed, by queue.', ['queue'])
export const jobFailures = counter('backdesk_job_failures_total', 'Claims and jobs that failed, by queue.', ['queue'])

/** Claimed work. Once `stopping` is aborted it ends soon, and releases what is not done. */
export type Job = (stopping: AbortSignal) => Promise<void>
export type Queue = {
  /** What `wake` calls it. */
  readonly name: string
  /** SQL of due and unclaimed rows, since `due_at`: for monitoring. */
  readonly due: string
  /** Number of jobs that one process runs at a time; one by default. */
  readonly atOnce?: number
  /** Polling interval of an empty queue; one second by default. */
  readonly pollMs?: number
  /** Claims due work with a lease; null if there is none. */
  claim(): Promise<Job | null>
}

/**
 * Works on a queue; it looks for the next job when one is done, when woken, and from time to time. Answers how to stop:
 * nothing more is claimed, and running jobs finish.
 */
export function startWorkers(
  { db, log }: { db: Pick<Database, 'onWake'>; log: Pick<Log, 'warn'> },
  { name, atOnce = 1, pollMs = POLL_MS, claim }: Omit<Queue, 'due'>,
): () => Promise<void> {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let idle = Promise.withResolvers<void>()
  const wake = () => {
    idle.resolve()
    idle = Promise.withResolvers()
  }
  const failed = (error: unknown) => {
    jobFailures.add([name])
    log.warn({ err: error, queue: name }, 'queue failed; retrying')
  }

  const ended = () => {
    jobs.add([name])
    wake()
  }

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const woken = idle.promise // taken before the claim, so that no wake-up in between is missed
      try {
        const job = running.size < atOnce ? await claim() : null
        if (job) start(job)
        else await woken
      } catch (error) {
        failed(error)
        await woken
      }
    }
  }
  function start(job: Job): void {
    const run: Promise<void> = job(stopping.signal)
      .finally(() => running.delete(run))
      .then(ended, failed) // after a failure the next poll is soon enough
    running.add(run)
  }
  const poll = setInterval(wake, pollMs)
  const deafen = db.onWake(name, wake)
  const working = work()
  return async () => {
    stopping.abort(new Error('the cell stops'))
    clearInterval(poll)
    deafen()
    wake()
    await working
    await Promise.all(running)
  }
}
