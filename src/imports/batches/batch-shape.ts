import Type from 'typebox'
import type { Issue } from '../../catalogue/kind.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { type JsonText, joinedObjects, jsonObject, jsonText } from '../../platform/json-text.ts'
import { type ImportRow, OUTCOME_STATUSES } from '../engine/read-rows.ts'
import type { BatchRun, OutcomeCounts, RowBatch } from '../engine/run.ts'

const Line = Text(1000)
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
export const BATCH_STATUSES = ['queued', 'running', 'completed', 'completed_with_errors', 'failed'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

const RowIssue = Type.Object(
  {
    field: Type.String({ maxLength: 1000, description: 'Path of the value, e.g. `sell_lines[0].amount`.' }),
    code: Type.String({
      maxLength: 1000,
      description:
        'Such as `required` or `invalid_money`. `not_permitted` means that the role does not see this attribute and cannot change it in an existing record.',
    }),
    message: Line,
    allowed: Type.Optional(Type.Array(Line, { maxItems: 200 })),
  },
  { additionalProperties: false },
)
export const RowOutcome = Type.Object(
  {
    index: Count,
    external_id: maybe(Line),
    status: enumOf(OUTCOME_STATUSES),
    id: maybe(Uuid),
    record_status: maybe(Line),
    reason: maybe(Line),
    errors: Type.Array(RowIssue, { maxItems: 101 }),
    warnings: Type.Array(RowIssue, { maxItems: 101 }),
  },
  { additionalProperties: false },
)
const batch = {
  id: maybe(Uuid),
  entity: Line,
  dry_run: Type.Boolean(),
  mode: enumOf(['sync', 'async']),
  status: enumOf(BATCH_STATUSES),
  source_system: Line,
  company_id: Uuid,
  branch_id: maybe(Uuid),
  on_conflict: enumOf(['skip', 'update']),
  counts: Type.Object(Object.fromEntries(['total', ...OUTCOME_STATUSES].map((name) => [name, Count]))),
  processed: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Rows that have been processed.' }),
  ignored_fields: Type.Array(Line, { maxItems: 10_000 }),
  error: Type.Union([Line, Type.Null()], { description: 'Why the whole batch failed; null otherwise.' }),
  created_at: Instant,
  started_at: maybe(Instant),
  finished_at: maybe(Instant),
}
/** A batch without its rows. */
export const BatchSummary = Type.Object(batch, { additionalProperties: false })
/** The response of validate and commit. */
export const BatchResult = Type.Object({
  data: Type.Object({ ...batch, rows: Type.Array(RowOutcome, { maxItems: 10_000 }) }, { additionalProperties: false }),
})

/** What of a batch is not in its envelope. */
type Progress = {
  readonly id: string | null
  readonly entity: string
  readonly mode: 'sync' | 'async'
  readonly status: BatchStatus
  readonly counts: OutcomeCounts
  readonly processed: number
  readonly ignored: readonly string[]
  readonly createdAt: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** `completed_with_errors` where rows failed; a batch in which all did has still been worked through. */
export const batchStatusOf = ({ failed }: OutcomeCounts): BatchStatus =>
  failed > 0 ? 'completed_with_errors' : 'completed'

/** A batch that was just worked through or accepted, as text; `rows` is the text of its outcomes. */
export function batchText(
  { source, desk, onConflict }: RowBatch,
  progress: Progress,
  rows?: JsonText<never>,
): JsonText<never> {
  const text = jsonText({
    id: progress.id,
    entity: progress.entity,
    dry_run: progress.id === null,
    mode: progress.mode,
    status: progress.status,
    source_system: source,
    company_id: desk.company,
    branch_id: desk.branch,
    on_conflict: onConflict,
    counts: progress.counts,
    processed: progress.processed,
    ignored_fields: progress.ignored,
    error: null,
    created_at: progress.createdAt,
    started_at: progress.startedAt,
    finished_at: progress.finishedAt,
  })
  return (rows === undefined ? text : joinedObjects(text, jsonObject({ rows }))) as JsonText<never>
}

/**
 * The outcomes of rows, as text. `from` is the position of the first in its batch. The ids of records that a dry run
 * made and took back mean nothing, in whatever row they appear.
 */
export function outcomesText({ rows }: Pick<BatchRun, 'rows'>, from: number, dryRun: boolean): JsonText<never> {
  const gone = new Set(dryRun ? rows.filter(({ status }) => status === 'created').map(({ id }) => id) : [])
  return jsonText(rows.map((row) => outcomeOf(row, from, gone))) as JsonText as JsonText<never>
}

const outcomeOf = (
  { index, externalId, status, id, recordStatus, reason, errors, warnings }: ImportRow,
  from: number,
  gone: ReadonlySet<string | null>,
) => ({
  index: from + index,
  external_id: externalId,
  status,
  id: gone.has(id) ? null : id,
  record_status: recordStatus,
  reason,
  errors: listed(errors),
  warnings: listed(warnings),
})

/** A row of a thousand cells can be wrong in each; past this many they are counted. */
const LISTED_ISSUES = 100
function listed(issues: readonly Issue[]) {
  if (issues.length <= LISTED_ISSUES) return issues.map(shown)
  const rest = { field: 'base', code: 'too_long', message: `${issues.length - LISTED_ISSUES} more are not listed.` }
  return [...issues.slice(0, LISTED_ISSUES).map(shown), rest]
}

const shown = ({ at, ...issue }: Issue) => ({ field: at, ...issue })
