import { createHash, randomUUID } from 'node:crypto'
import type { ApiClient } from './api-client.ts'
import type { FailedRows } from './failed-rows.ts'
import { ImportError } from './import-error.ts'
import type { TextFile } from './open-file.ts'
import type { ProgressBar } from './progress.ts'
import { type Batch, readBatches } from './read-batches.ts'
import type { ReadOptions } from './read-rows.ts'
import {
  addCounts,
  addFailure,
  addTime,
  addUnreadable,
  type Counts,
  countCodes,
  emptySummary,
  type Outcome,
  type Summary,
  stopped,
} from './summary.ts'
import { secondsLeft } from './time-left.ts'

export type ImportOptions = ReadOptions & {
  readonly dryRun: boolean
  /** Keys of the request body besides the rows. */
  readonly body: Readonly<Record<string, string>>
}
type Done = { counts: Counts; ignored_fields: string[]; rows: Outcome[] }

/** Sends a file's rows in batches that are answered at once, and counts their outcomes. */
export async function runImport(
  file: TextFile,
  client: ApiClient,
  options: ImportOptions,
  failed: FailedRows,
  progress: ProgressBar,
): Promise<Summary> {
  const summary = emptySummary(options.target.entity, options.dryRun)
  const begin = performance.now()
  await sendBatches<Done>(file, client, options, 'sync', summary, failed, progress, (data, batch) => {
    addCounts(summary, data.counts, data.ignored_fields)
    for (const { index, status, errors, warnings } of data.rows) {
      if (summary.warnings) countCodes(summary.warnings, warnings)
      if (status === 'failed') addFailure(summary, errors, batch.rows[index], failed)
    }
  })
  return addTime(summary, begin)
}

/** Sends the batches of a file, each with its own key, so that a retry after a lost answer is the same write. */
export async function sendBatches<Data>(
  file: TextFile,
  client: ApiClient,
  options: ImportOptions,
  mode: 'sync' | 'async',
  summary: Summary,
  failed: FailedRows,
  progress: ProgressBar,
  answered: (data: Data, batch: Batch) => void,
): Promise<void> {
  const path = `/imports/${options.target.entity}${options.dryRun ? '/validate' : ''}`
  const run = randomUUID()
  let sent = 0
  let line: number | undefined
  try {
    for await (const batch of readBatches(file, options)) {
      for (const bad of batch.bad) addUnreadable(summary, bad, failed)
      line = batch.rows[0]?.line
      if (batch.rows.length > 0) {
        const body = { rows: batch.rows.map(({ row }) => row), mode, ...options.body }
        answered((await client.post<{ data: Data }>(path, body, keyOf(run, path, body))).data, batch)
      }
      line = undefined
      summary.batches++
      sent += batch.rows.length + batch.bad.length
      const read = file.bytesRead()
      const requests = Math.ceil((summary.batches * (file.size - read)) / Math.max(1, read))
      progress.at(read, sent, secondsLeft(Math.max(0, requests), client.pace()))
    }
  } catch (error) {
    throw stopped(error, sent, line)
  }
  if (sent === 0) throw new ImportError('no_rows', `${file.path} has no rows.`)
}

/** One key for one batch of one run: another run is another write. */
const keyOf = (run: string, path: string, body: object): string =>
  createHash('sha256')
    .update(`${run}\n${path}\n${JSON.stringify(body)}`)
    .digest('base64url')
