import type { FailedRows } from './failed-rows.ts'
import { ImportError } from './import-error.ts'
import type { BadRow, GoodRow, RowIssue } from './read-row.ts'

export type Counts = Record<'total' | 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', number>
/** The outcome of a row, as far as the command reads it. */
export type Outcome = {
  readonly index: number
  readonly external_id: string | null
  readonly status: string
  readonly errors: readonly RowIssue[]
  readonly warnings: readonly RowIssue[]
}
/** An error that several rows share, with the message of the first row. */
export type RowReason = { readonly field: string; readonly code: string; readonly message: string; rows: number }
export type Summary = {
  entity: string
  dry_run: boolean
  counts: Counts
  batches: number
  /** Code → number of rows. */
  errors: Record<string, number>
  reasons: RowReason[]
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
  reasons: [],
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
export function addUnreadable(summary: Summary, { line, issue, source }: BadRow, failed: FailedRows): void {
  summary.counts.total++
  summary.counts.failed++
  countReasons(summary, [issue])
  failed.add(line, [issue], source)
}

/** A row that the cell refused; the counts of its batch include it. */
export function addFailure(
  summary: Summary,
  errors: readonly RowIssue[],
  sent: GoodRow | undefined,
  failed: FailedRows,
): void {
  countReasons(summary, errors)
  if (sent) failed.add(sent.line, errors, sent.source)
}

function countReasons({ errors, reasons }: Summary, issues: readonly RowIssue[]): void {
  countCodes(errors, issues)
  const counted = new Set<RowReason>()
  for (const { code, message, ...issue } of issues) {
    const field = issue.field.replace(/\[\d+\]/g, '[]') // of whichever line
    let reason = reasons.find((known) => known.field === field && known.code === code)
    if (!reason) {
      reason = { field, code, message, rows: 0 }
      reasons.push(reason)
    }
    if (!counted.has(reason)) reason.rows++
    counted.add(reason)
  }
}

/** Counts each code once for a row that has it. */
export function countCodes(counts: Record<string, number>, issues: readonly RowIssue[]): void {
  for (const code of new Set(issues.map(({ code }) => code))) counts[code] = (counts[code] ?? 0) + 1
}

/** Stops the clock started at `begin`. */
export function addTime(summary: Summary, begin: number): Summary {
  const seconds = Math.round(performance.now() - begin) / 1000
  const reasons = summary.reasons.toSorted((a, b) => b.rows - a.rows || nameOf(a).localeCompare(nameOf(b)))
  return { ...summary, reasons, seconds, rows_per_second: Math.round(summary.counts.total / Math.max(0.001, seconds)) }
}

const nameOf = ({ field, code }: RowReason) => `${field} ${code}`

/** The progress, and how to continue: rows that are sent again are not imported twice. */
export function stopped(error: unknown, rows: number, line?: number): unknown {
  if (!(error instanceof ImportError)) return error
  const { code, message, passing } = error
  if (rows === 0 && !passing) return error
  const where = line === undefined ? `after ${rows} rows` : `at line ${line}, after ${rows} rows`
  const next = passing ? 'Run the same command again' : 'Correct this and run the command again'
  return new ImportError(code, `${message}\nStopped ${where}. ${next}: imported rows are not imported twice.`, passing)
}
