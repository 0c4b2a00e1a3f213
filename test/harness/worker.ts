import { importQueue } from '../../src/imports/batches/import-queue.ts'
import { startWorkers } from '../../src/platform/jobs/workers.ts'
import type { Log } from '../../src/platform/log.ts'
import { importing } from '../../src/registry.ts'
import type { TestCell } from './cell.ts'

/** A queue that failed, or lost its database, is asked again by its next poll. */
const POLL_MS = 50

/** Until it is changed. */
export const GO_ON = new AbortController().signal

/** A log that keeps what failed. */
export function logTo(failures: object[]): Pick<Log, 'warn' | 'error'> {
  const keep = (fields: object) => void failures.push(fields)
  return { warn: keep, error: keep }
}

/** Works on the queue of imports in this process. Answers how to stop. */
export const startImports = (
  { deps: { db } }: TestCell,
  times: Parameters<typeof importQueue>[1] = {},
  log: Pick<Log, 'warn' | 'error'> = { warn: console.error, error: console.error },
): (() => Promise<void>) =>
  startWorkers({ db, log }, { ...importQueue({ db, log, ...importing }, times), pollMs: POLL_MS })
