import Type, { type Static, type TSchema } from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { activeBranch, activeCompany, branchOfRows, defaultCompany } from '../../platform/access/places.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { enumOf, maybe } from '../../platform/http/shapes.ts'
import { deskOf } from '../desk.ts'
import type { Batch } from '../engine/run.ts'
import { DEFAULT_SOURCE, SOURCE_LENGTH } from '../route-parts.ts'

const optional = <S extends TSchema>(schema: S) => Type.Optional(maybe(schema))
const Row = Type.Record(Type.String(), Type.Unknown())

/** Body of validate and commit. */
export const ImportBody = Type.Object({
  rows: optional(Type.Array(Row, { minItems: 1, description: 'The rows; keys are the entity’s field keys.' })),
  row: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'One row, instead of `rows`.' })),
  source_system: optional(
    Type.String({
      pattern: '^[^\\u0000-\\u001f\\u007f]*$', // one pass, whatever is sent
      maxLength: SOURCE_LENGTH,
      description: 'Namespace of the external ids; `api` when omitted.',
    }),
  ),
  company_id: optional(
    Type.String({ maxLength: 100, description: 'The company of `branch_id` when omitted, else the default one.' }),
  ),
  branch_id: optional(Type.String({ maxLength: 100, description: 'The key owner’s own branch when omitted.' })),
  mode: optional(enumOf(['sync', 'async'])),
  on_conflict: optional(enumOf(['skip', 'update'])),
  decimal_separator: optional(
    Type.Unsafe<',' | '.'>({
      type: 'string',
      enum: [',', '.'],
      description:
        'Needed only for amounts such as `1.234,56`. Without it the point is decimal, and `1.234` in a currency of fewer than three decimals carries the warning `possible_thousands`.',
    }),
  ),
})
type ImportBody = Static<typeof ImportBody>

/** The rows of a body, which has either `rows` or `row`. */
function rowsOf({ rows, row }: ImportBody): Record<string, unknown>[] {
  const given = [rows, row].filter((value) => value !== undefined && value !== null)
  if (given.length !== 1) {
    throw new ApiError('validation_failed', 'Send either rows, a list of objects, or row, one object.', {
      details: { rows: [given.length === 0 ? 'is required unless row is sent' : 'cannot be sent together with row'] },
    })
  }
  return rows ?? [row as Record<string, unknown>]
}

/** Counts the rows of a body that nobody has looked into: what is too much is not looked into at all. */
export function refuseTooMany(body: unknown, maximum: number): void {
  const rows = (body as { rows?: unknown } | null | undefined)?.rows
  if (!Array.isArray(rows) || rows.length <= maximum) return
  throw new ApiError('too_many_rows', `Send at most ${maximum} rows at once; these are ${rows.length}.`)
}

/** The batch that a body asks for, at this time of its transaction. */
export function batchOf(body: ImportBody, actor: Actor, now: string): Batch {
  const rows = rowsOf(body)
  const { company_id, branch_id } = body
  const named = typeof company_id === 'string' ? activeCompany(actor, company_id) : null
  const company = named ?? defaultCompany(actor)
  const at = branch_id ? activeBranch(actor, named, branch_id) : { company, branch: branchOfRows(actor, company) }
  const place = { ...at, timeZone: actor.timeZone, decimalSeparator: body.decimal_separator ?? null }
  return {
    rows,
    source: sourceOf(body),
    desk: deskOf(place, now),
    named: { company: Boolean(company_id), branch: Boolean(branch_id) },
    onConflict: body.on_conflict ?? 'skip',
  }
}

function sourceOf({ source_system }: ImportBody): string {
  const source = source_system?.trim() ?? DEFAULT_SOURCE
  if (source !== '') return source
  throw new ApiError('validation_failed', 'Send a source_system, or leave it out.', {
    details: { source_system: ['has to have a visible character'] },
  })
}
