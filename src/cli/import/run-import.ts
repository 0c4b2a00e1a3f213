import { createHash, randomUUID } from 'node:crypto'
import type { ApiClient } from './api-client.ts'
import { type Batch, batches } from './batches.ts'
import type { FailedRows } from './failed-rows.ts'
import { ImportError } from './import-error.ts'
import type { TextFile } from './open-file.ts'
import type { Progress } from './progress.ts'
import type { BadRow, RowIssue } from './read-row.ts'
import { readRows } from './read-rows.ts'

/** Under the 10 MiB that a request may have, with room for the rest of the body. */
const MAX_BATCH_BYTES = 9 * 1024 * 1024

export type ImportOptions = {
  readonly entity: string
  readonly dryRun: boolean
  readonly delimiter?: string
  /** Keys of the request's body beside the rows. */
  readonly body: Readonly<Record<string, string>>
}
type Counts = Record<'total' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', number>
export type Summary = {
  entity: string
  dry_run: boolean
  counts: Counts
  batches: number
  /** Code → how many rows had it. */
  errors: Record<string, number>
  warnings: Record<string, number>
  ignored_fields: string[]
  seconds: number
  rows_per_second: number
}
type Outcome = { index: number; external_id: string | null; status: string; errors: RowIssue[]; warnings: RowIssue[] }
type Answer = { data: { counts: Counts; ignored_fields: string[]; rows: Outcome[] } }
type Catalogue = { limits: { max_rows_per_request: number } }
type Entry = { entity: { fields: { key: string; type: string }[] } }

/** Sends a file's rows in batches of the catalogue's size, each with a key of its own, and counts what became of them. */
export async function runImport(
  file: TextFile,
  client: ApiClient,
  options: ImportOptions,
  failed: FailedRows,
  progress: Progress,
): Promise<Summary> {
  const { limits } = await client.get<Catalogue>('/imports/entities')
  const { entity } = await client.get<Entry>(`/imports/entities/${encodeURIComponent(options.entity)}`)
  const listFields = new Set(entity.fields.filter(({ type }) => type === 'list').map(({ key }) => key))
  const rows = readRows(file, {
    listFields,
    maxRowChars: MAX_BATCH_BYTES,
    ...(options.delimiter !== undefined && { delimiter: options.delimiter }),
  })
  const path = `/imports/${options.entity}${options.dryRun ? '/validate' : ''}`
  const run = randomUUID()
  const summary = emptySummary(options)
  const ignored = new Set<string>()
  const begin = performance.now()
  let line: number | undefined
  try {
    for await (const batch of batches(rows, { maxRows: limits.max_rows_per_request, maxBytes: MAX_BATCH_BYTES })) {
      for (const bad of batch.bad) addUnreadable(summary, bad, failed)
      line = batch.rows[0]?.line
      if (batch.rows.length > 0) {
        const body = { rows: batch.rows.map(({ row }) => row), mode: 'sync', ...options.body }
        const { data } = await client.post<Answer>(path, body, keyOf(run, path, body))
        add(summary, data, batch, failed)
        for (const name of data.ignored_fields) ignored.add(name)
      }
      line = undefined
      summary.batches++
      progress.at(file.bytesRead(), summary.counts.total)
    }
  } catch (error) {
    throw stopped(error, summary, line)
  }
  if (summary.counts.total === 0) throw new ImportError('no_rows', `${file.path} has no rows.`)
  summary.ignored_fields = [...ignored].sort()
  summary.seconds = Math.round(performance.now() - begin) / 1000
  summary.rows_per_second = Math.round(summary.counts.total / Math.max(0.001, summary.seconds))
  return summary
}

const emptySummary = ({ entity, dryRun }: ImportOptions): Summary => ({
  entity,
  dry_run: dryRun,
  counts: { total: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 },
  batches: 0,
  errors: {},
  warnings: {},
  ignored_fields: [],
  seconds: 0,
  rows_per_second: 0,
})

/** One key for one batch of one run: a repeat after a lost answer is the same write, another run is another. */
const keyOf = (run: string, path: string, body: object): string =>
  createHash('sha256')
    .update(`${run}\n${path}\n${JSON.stringify(body)}`)
    .digest('base64url')

function addUnreadable(summary: Summary, { line, issue, row }: BadRow, failed: FailedRows): void {
  summary.counts.total++
  summary.counts.failed++
  count(summary.errors, issue.code)
  failed.add(line, null, [issue], row)
}

function add(summary: Summary, data: Answer['data'], batch: Batch, failed: FailedRows): void {
  for (const name of Object.keys(summary.counts) as (keyof Counts)[]) summary.counts[name] += data.counts[name]
  for (const { index, external_id, status, errors, warnings } of data.rows) {
    for (const code of new Set(warnings.map(({ code }) => code))) count(summary.warnings, code)
    if (status !== 'failed') continue
    for (const code of new Set(errors.map(({ code }) => code))) count(summary.errors, code)
    const sent = batch.rows[index]
    if (sent) failed.add(sent.line, external_id ?? sent.row.external_id, errors, sent.row)
  }
}

function count(counts: Record<string, number>, code: string): void {
  counts[code] = (counts[code] ?? 0) + 1
}

/** How far it came, and how to go on: sending everything again creates nothing twice. */
function stopped(error: unknown, { counts }: Summary, line?: number): unknown {
  if (!(error instanceof ImportError)) return error
  const where = line === undefined ? `after ${counts.total} rows` : `at line ${line}, after ${counts.total} rows`
  return new ImportError(
    error.code,
    `${error.message}\nStopped ${where}. Run the same command again: what is in is not made twice.`,
  )
}
