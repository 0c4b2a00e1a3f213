import type { Deps } from './deps.ts'
import { optionQueue } from './features/bookings/commands/warn-of-options.ts'
import { reminderQueue } from './features/tasks/commands/fire-reminders.ts'
import { importQueue } from './imports/batches/import-queue.ts'
import { type Queue, startWorkers } from './platform/jobs/workers.ts'
import { importables } from './registry.ts'

/** Batches that one process imports at once, each of another account. */
const IMPORTS_AT_ONCE = 2

/** Begins the work that waits in queues; several processes may do so. Answers how to stop. */
export function startWork({ db, now, log }: Deps): () => Promise<void> {
  const failed = (what: string) => (error: unknown, of: object) => log.error({ err: error, ...of }, `${what} failed`)
  const start = (queue: Queue, atOnce = 1) =>
    startWorkers(db, queue, atOnce, (error) =>
      log.warn({ err: error }, `the queue of ${queue.name} could not be worked on, and is tried again`),
    )
  const stops = [
    start(importQueue({ db, importables, failed: failed('a chunk of an import') }), IMPORTS_AT_ONCE),
    start(reminderQueue(db, failed('firing the reminders of an account'))),
    start(optionQueue(db, now)),
  ]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
