import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { counter } from '../metrics/instruments.ts'

const POLL_MS = 1_000

const jobs = counter('backdesk_jobs_total', 'Jobs completed, by queue.', ['queue'])
export const jobFailures = counter('backdesk_job_failures_total', 'Claims and jobs that failed, by queue.', ['queue'])

/** Work that was claimed. Once `stopping` is aborted it comes to an end soon, and gives back what is not done. */
export type Job = (stopping: AbortSignal) => Promise<void>
export type Queue = {
  /** What `wake` calls it. */
  readonly name: string
  /** SQL of what is due and not claimed, since `due_at`: for those who watch the cell. */
  readonly due: string
  /** Jobs that one process does at a time; one where nothing is said. */
  readonly atOnce?: number
  /** How often it is asked while it is empty and nobody wakes it; every second where nothing is said. */
  readonly pollMs?: number
  /** Claims what is due, by a lease that runs out; null where nothing is. */
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
      const woken = idle.promise // taken before the claim, so that what comes in between is not missed
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
