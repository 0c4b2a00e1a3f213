import type { Deps } from './deps.ts'
import { scheduleQueue } from './platform/jobs/schedule.ts'
import { startWorkers } from './platform/jobs/workers.ts'
import { queuesOf, scheduledJobs } from './registry.ts'

const FLUSH_MS = 60_000
const FLUSH_REQUESTS_MS = 1_000

/** Starts the background work; several processes may do so at once. Returns how to stop it. */
export function startBackground(given: Deps): () => Promise<void> {
  const deps = { ...given, db: given.db.behindRequests() }
  const queues = [...queuesOf(deps), scheduleQueue(deps, scheduledJobs)]
  const stops = queues.map((queue) => startWorkers(deps, queue))
  const flush = () =>
    Promise.all([deps.keys.flush(), deps.sessions.flush()]).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'could not record when API keys and sessions were last used; retrying'),
    )
  const flushRequests = () =>
    deps.requests.flush().catch((error: unknown) => deps.log.warn({ err: error }, 'could not write the request log'))
  const flushing = setInterval(() => void flush(), FLUSH_MS)
  const flushingRequests = setInterval(() => void flushRequests(), FLUSH_REQUESTS_MS)
  return async () => {
    clearInterval(flushing)
    clearInterval(flushingRequests)
    await Promise.all(stops.map((stop) => stop()))
    await flush()
    await flushRequests()
  }
}
