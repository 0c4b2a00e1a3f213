import type { ApiClient } from './api-client.ts'
import type { FailedRows } from './failed-rows.ts'
import { openFile, type TextFile } from './open-file.ts'
import type { ProgressBar } from './progress.ts'
import { readBatches } from './read-batches.ts'
import { type ImportOptions, sendBatches } from './run-import.ts'
import { addCounts, addFailure, addTime, emptySummary, type Outcome, type Summary } from './summary.ts'
import { failedOutcomes, watchBatches } from './watch-batches.ts'

/** Batches that the cell has accepted, in the order of the file. */
export type Queued = {
  readonly ids: readonly string[]
  /** Rows in them. */
  readonly rows: number
  /** So far: the rows that could not be sent. */
  readonly summary: Summary
  readonly begin: number
}

/** Sends a file's rows as asynchronous batches. */
export async function queueImport(
  file: TextFile,
  client: ApiClient,
  options: ImportOptions,
  failed: FailedRows,
  progress: ProgressBar,
): Promise<Queued> {
  const summary = { ...emptySummary(options.target.entity, false), warnings: null }
  const begin = performance.now()
  const ids: string[] = []
  let rows = 0
  await sendBatches<{ id: string }>(file, client, options, 'async', summary, failed, progress, ({ id }, batch) => {
    ids.push(id)
    rows += batch.rows.length
  })
  return { ids, rows, summary, begin }
}

/** Waits for queued batches, and reports them as if they had been answered at once. */
export async function awaitImport(
  path: string,
  client: ApiClient,
  options: ImportOptions,
  { ids, summary, begin }: Queued,
  failed: FailedRows,
  progress: ProgressBar,
  sleep: (ms: number) => Promise<unknown>,
): Promise<Summary> {
  const failures = new Map<number, Outcome[]>()
  for (const [nth, batch] of (await watchBatches(client, ids, progress, sleep)).entries()) {
    addCounts(summary, batch.counts, batch.ignored_fields)
    if (batch.counts.failed > 0) failures.set(nth, await failedOutcomes(client, batch.id))
  }
  if (failures.size > 0) await addFailed(path, options, failures, summary, failed)
  return addTime(summary, begin)
}

/** The cell returns the position of a failed row; the file is read again to find the row and its line. */
async function addFailed(
  path: string,
  options: ImportOptions,
  failures: ReadonlyMap<number, readonly Outcome[]>,
  summary: Summary,
  failed: FailedRows,
): Promise<void> {
  let nth = 0
  for await (const batch of readBatches(await openFile(path), options)) {
    if (batch.rows.length === 0) continue // it was not sent
    for (const { index, errors } of failures.get(nth) ?? []) addFailure(summary, errors, batch.rows[index], failed)
    nth++
  }
}
