import Type, { type Static, type TSchema } from 'typebox'
import type { Actor } from '../../platform/access/actor.ts'
import { branchOfRows, defaultCompany, findBranch, findCompany, UNKNOWN_COMPANY } from '../../platform/access/places.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type Reason, Reasons } from '../../platform/http/reasons.ts'
import { enumOf, maybe } from '../../platform/http/shapes.ts'
import { deskOf } from '../desk.ts'
import type { RowBatch } from '../engine/run.ts'
import { DEFAULT_SOURCE, SOURCE_LENGTH } from '../route-parts.ts'

const optional = <S extends TSchema>(schema: S) => Type.Optional(maybe(schema))
const Row = Type.Record(Type.String(), Type.Unknown())

/** Body of validate and commit. */
export const ImportBody = Type.Object({
  rows: optional(Type.Array(Row, { minItems: 1, description: 'The rows, with the field keys of the entity.' })),
  row: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'One row, instead of `rows`.' })),
  source_system: optional(
    Type.String({
      pattern: '^[^\\u0000-\\u001f\\u007f]*$', // one pass, whatever is sent
      maxLength: SOURCE_LENGTH,
      description: 'Namespace of the external ids. Defaults to `api`.',
    }),
  ),
  company_id: optional(
    Type.String({ maxLength: 100, description: 'If omitted, the company of `branch_id`, or the default company.' }),
  ),
  branch_id: optional(Type.String({ maxLength: 100, description: 'If omitted, the branch of the key owner.' })),
  mode: optional(enumOf(['sync', 'async'])),
  on_conflict: optional(enumOf(['skip', 'update'])),
  decimal_separator: optional(
    Type.Unsafe<',' | '.'>({
      type: 'string',
      enum: [',', '.'],
      description:
        'Needed only for amounts such as `1.234,56`. Without it, the point is the decimal separator, and `1.234` in a currency with fewer than three decimals carries the warning `possible_thousands`.',
    }),
  ),
})
type ImportBody = Static<typeof ImportBody>

/** Why a body is refused, beyond its shape. */
export function envelopeRefused(body: Readonly<Record<string, unknown>>, actor: Actor): Reason[] {
  const { rows = null, row = null, source_system: source, company_id, branch_id } = body
  const reasons: Reason[] = []
  if ((rows === null) === (row === null))
    reasons.push(['rows', 'Send either rows, a list of objects, or row, one object.'])
  if (typeof source === 'string' && source.trim() === '')
    reasons.push(['source_system', 'This is blank. Send a visible character, or leave it out.'])
  const company = typeof company_id === 'string' ? findCompany(actor, company_id) : null
  if (company === undefined) reasons.push(['company_id', UNKNOWN_COMPANY, 'unknown_company'])
  if (typeof branch_id === 'string' && branch_id !== '' && !findBranch(actor, company ?? null, branch_id))
    reasons.push(['branch_id', company ? UNKNOWN_IN_COMPANY : UNKNOWN_BRANCH, 'unknown_branch'])
  return reasons
}
const UNKNOWN_BRANCH = 'No active branch with this id exists in this account. GET /workspace lists the branches.'
const UNKNOWN_IN_COMPANY = 'No active branch with this id exists in the company of company_id. See GET /workspace.'

/** Counts the rows of an unparsed body: one with too many rows is not parsed at all. */
export function refuseTooMany(body: unknown, maximum: number): void {
  const rows = (body as { rows?: unknown } | null | undefined)?.rows
  if (!Array.isArray(rows) || rows.length <= maximum) return
  throw new ApiError('too_many_rows', `The request has ${rows.length} rows. Send at most ${maximum} at once.`)
}

/** The batch that a body asks for, at this time of its transaction. */
export function batchOf(body: ImportBody, actor: Actor, now: string): RowBatch {
  const reasons = new Reasons()
  reasons.add(...envelopeRefused(body, actor))
  reasons.refuse()
  const { company_id, branch_id } = body
  const branch = branch_id ? findBranch(actor, null, branch_id) : undefined
  const company = branch?.company ?? (company_id ? findCompany(actor, company_id) : undefined) ?? defaultCompany(actor)
  const place = {
    company,
    branch: branch?.id ?? branchOfRows(actor, company),
    timeZone: actor.timeZone,
    policies: actor.policies,
    decimalSeparator: body.decimal_separator ?? null,
  }
  return {
    rows: body.rows ?? [body.row as Record<string, unknown>],
    source: body.source_system?.trim() ?? DEFAULT_SOURCE,
    desk: deskOf(place, now),
    named: { company: Boolean(company_id), branch: Boolean(branch_id) },
    onConflict: body.on_conflict ?? 'skip',
  }
}
