import Type from 'typebox'
import type { Issue } from '../catalogue/kind.ts'
import type { Draft } from './draft.ts'
import type { Batch, Ran } from './run.ts'

const maybe = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) => Type.Union([schema, Type.Null()])
const Text = Type.String({ maxLength: 1000 })
const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
const Instant = Type.String({ format: 'date-time', maxLength: 40 })
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })
const STATUSES = ['created', 'updated', 'unchanged', 'skipped', 'failed']

const RowIssue = Type.Object(
  {
    field: Type.String({ maxLength: 1000, description: 'Path to the cell, e.g. `sell_lines[0].amount`.' }),
    code: Text,
    message: Text,
    allowed: Type.Optional(Type.Array(Text, { maxItems: 200 })),
  },
  { additionalProperties: false },
)
const Outcome = Type.Object(
  {
    index: Count,
    external_id: maybe(Text),
    status: Type.Unsafe<string>({ type: 'string', enum: STATUSES }),
    id: maybe(Uuid),
    record_status: maybe(Text),
    reason: maybe(Text),
    errors: Type.Array(RowIssue, { maxItems: 101 }),
    warnings: Type.Array(RowIssue, { maxItems: 101 }),
  },
  { additionalProperties: false },
)
export const BatchResult = Type.Object({
  data: Type.Object(
    {
      id: maybe(Uuid),
      entity: Text,
      dry_run: Type.Boolean(),
      mode: Type.Unsafe<string>({ type: 'string', enum: ['sync', 'async'] }),
      status: Type.Unsafe<string>({
        type: 'string',
        enum: ['queued', 'running', 'completed', 'completed_with_errors', 'failed'],
      }),
      source_system: Text,
      company_id: Uuid,
      branch_id: maybe(Uuid),
      on_conflict: Type.Unsafe<string>({ type: 'string', enum: ['skip', 'update'] }),
      counts: Type.Object(Object.fromEntries(['total', ...STATUSES].map((name) => [name, Count]))),
      processed: Count,
      ignored_fields: Type.Array(Text, { maxItems: 10_000 }),
      rows: Type.Optional(Type.Array(Outcome, { maxItems: 10_000 })),
      created_at: Instant,
      started_at: maybe(Instant),
      finished_at: maybe(Instant),
    },
    { additionalProperties: false },
  ),
})

/** `completed_with_errors` where rows failed; a batch in which all did has still been worked through. */
export const statusOf = ({ counts }: Ran): string => (counts.failed > 0 ? 'completed_with_errors' : 'completed')

/** The answer of validate and commit. `id` is null on a dry run, as are those of the rows that it would create. */
export function resultOf(entity: string, batch: Batch, ran: Ran, id: string | null, startedAt: string): string {
  const dryRun = id === null
  const gone = new Set(dryRun ? ran.drafts.filter(({ status }) => status === 'created').map((draft) => draft.id) : [])
  return JSON.stringify({
    data: {
      id,
      entity,
      dry_run: dryRun,
      mode: 'sync',
      status: statusOf(ran),
      source_system: batch.origin.source,
      company_id: batch.origin.company,
      branch_id: batch.origin.branch,
      on_conflict: batch.onConflict,
      counts: ran.counts,
      processed: ran.counts.total,
      ignored_fields: ran.ignored,
      rows: ran.drafts.map((draft) => outcomeOf(draft, gone)),
      created_at: startedAt,
      started_at: startedAt,
      finished_at: Temporal.Now.instant().toString({ smallestUnit: 'microsecond' }),
    },
  })
}

/** `gone` are the records that a dry run made and took back: their ids mean nothing, in whatever row they appear. */
const outcomeOf = (
  { index, externalId, status, id, recordStatus, reason, errors, warnings }: Draft,
  gone: ReadonlySet<string | null>,
) => ({
  index,
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
