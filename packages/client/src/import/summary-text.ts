import type { Queued } from './queue-import.ts'
import type { RowReason, Summary } from './summary.ts'

const SHOWN_REASONS = 20

export function summaryText(
  { entity, dry_run, counts, reasons, warnings, ignored_fields, seconds, rows_per_second, batches }: Summary,
  failed: string | null,
): string {
  return [
    `${dry_run ? 'Would import' : 'Imported'} ${entity}: ${countOf(counts.total, 'row')} in ${countOf(batches, 'batch', 'batches')}, ${seconds} s (${rows_per_second} rows per second)`,
    `  created ${counts.created}, updated ${counts.updated}, unchanged ${counts.unchanged}, skipped ${counts.skipped}, failed ${counts.failed}`,
    ...reasonLines(reasons),
    ...warningLines(warnings),
    ...(ignored_fields.length > 0 ? [`  ignored fields: ${ignored_fields.join(', ')}`] : []),
    ...failedLines(failed),
  ].join('\n')
}

/** `program` is how the command line is called here, to follow the batches with. */
export function queuedText({ ids, rows, summary }: Queued, failed: string | null, program: string): string {
  return [
    `Queued ${summary.entity}: ${countOf(rows, 'row')} in ${countOf(ids.length, 'batch', 'batches')}, to be imported in this order.`,
    ...reasonLines(summary.reasons),
    ...failedLines(failed),
    ...(ids.length > 0 ? [`  to wait for the last batch: ${program} batches watch ${ids.at(-1)}`] : []),
  ].join('\n')
}

/** The most frequent reasons first, each with the words of its first row. */
function reasonLines(reasons: readonly RowReason[]): string[] {
  if (reasons.length === 0) return []
  const lines = reasons
    .slice(0, SHOWN_REASONS)
    .map(({ field, code, rows, message }) => `    ${field || 'row'} (${code}): ${countOf(rows, 'row')}. ${message}`)
  const others = reasons.length - SHOWN_REASONS
  return ['  why rows failed:', ...lines, ...(others > 0 ? [`    and ${others} other reasons`] : [])]
}

const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Queued batches are counted without their warnings. */
function warningLines(warnings: Summary['warnings']): string[] {
  if (warnings === null)
    return ['  warnings: not counted for queued batches; GET /api/v1/imports/{id}/rows lists them by row']
  return Object.keys(warnings).length > 0 ? [`  warnings: ${codesText(warnings)}`] : []
}

const failedLines = (failed: string | null): string[] =>
  failed ? [`  failed rows: ${failed} (correct them and import that file)`] : []

const codesText = (codes: Readonly<Record<string, number>>): string =>
  Object.entries(codes)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${count}`)
    .join(', ')
