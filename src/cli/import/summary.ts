import type { FailedRows } from './failed-rows.ts'
import { ImportError } from './import-error.ts'
import type { BadRow, RowIssue } from './read-row.ts'

export type Counts = Record<'total' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', number>
/** What became of a row, as far as the command says it. */
export type Outcome = {
  readonly index: number
  readonly external_id: string | null
  readonly status: string
  readonly errors: readonly RowIssue[]
  readonly warnings: readonly RowIssue[]
}
export type Summary = {
  entity: string
  dry_run: boolean
  counts: Counts
  batches: number
  /** Code → how many rows had it. */
  errors: Record<string, number>
  /** Null where the rows that went in were not looked at. */
  warnings: Record<string, number> | null
  ignored_fields: string[]
  seconds: number
  rows_per_second: number
}

export const emptySummary = (entity: string, dryRun: boolean): Summary => ({
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

export function addCounts(summary: Summary, counts: Counts, ignored: readonly string[]): void {
  for (const name of Object.keys(summary.counts) as (keyof Counts)[]) summary.counts[name] += counts[name]
  summary.ignored_fields = [...new Set([...summary.ignored_fields, ...ignored])].sort()
}

/** A row that could not be sent has failed. */
export function addUnreadable(summary: Summary, { line, issue, row }: BadRow, failed: FailedRows): void {
  summary.counts.total++
  summary.counts.failed++
  countCodes(summary.errors, [issue])
  failed.add(line, null, [issue], row)
}

/** Counts each code once for a row that has it. */
export function countCodes(counts: Record<string, number>, issues: readonly RowIssue[]): void {
  for (const code of new Set(issues.map(({ code }) => code))) counts[code] = (counts[code] ?? 0) + 1
}

/** Ends the clock that began at `begin`. */
export function addTime(summary: Summary, begin: number): Summary {
  const seconds = Math.round(performance.now() - begin) / 1000
  return { ...summary, seconds, rows_per_second: Math.round(summary.counts.total / Math.max(0.001, seconds)) }
}

/** How far it came, and how to go on: sending everything again creates nothing twice. */
export function stopped(error: unknown, rows: number, line?: number): unknown {
  if (!(error instanceof ImportError)) return error
  const where = line === undefined ? `after ${rows} rows` : `at line ${line}, after ${rows} rows`
  return new ImportError(
    error.code,
    `${error.message}\nStopped ${where}. Run the same command again: what is in is not made twice.`,
  )
}
