import type { Deps } from './deps.ts'
import { importQueue } from './imports/batches/import-queue.ts'
import { startWorkers } from './platform/jobs/workers.ts'
import { importables } from './registry.ts'

/** Batches that one process imports at once, each of another account. */
const IMPORTS_AT_ONCE = 2

/** Begins the work that waits in queues; several processes may do so. Answers how to stop. */
export function startWork({ db, log }: Deps): () => Promise<void> {
  const imports = importQueue({
    db,
    importables,
    failed: (error, batch) => log.error({ err: error, ...batch }, 'a chunk of an import failed'),
  })
  return startWorkers(db, imports, IMPORTS_AT_ONCE, (error) =>
    log.warn({ err: error }, 'the queue of imports could not be worked on, and is tried again'),
  )
}
