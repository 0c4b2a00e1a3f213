import { importQueue } from '../../src/imports/batches/import-queue.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import { importables } from '../../src/registry.ts'
import type { TestCell } from './cell.ts'

/** Works on the queue of imports in this process. Answers how to stop. */
export const startImports = (
  { deps: { db } }: TestCell,
  times: { leaseMs?: number; backoffMs?: number } = {},
  failed: (error: unknown) => void = (error) => console.error(error),
): (() => Promise<void>) => startWorkers(db, importQueue({ db, importables, failed }, times), 2, failed)
