import Type, { type Static, type TSchema } from 'typebox'
import type { Actor, Branch, Company } from '../platform/access/actor.ts'
import { ApiError } from '../platform/http/errors.ts'
import type { Origin } from './write.ts'

const MAXIMUM_SOURCE_LENGTH = 60
export const DEFAULT_SOURCE = 'api'
const optional = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))
const Row = Type.Record(Type.String(), Type.Unknown())
const oneOf = <const V extends string[]>(...values: V) => Type.Unsafe<V[number]>({ type: 'string', enum: values })

/** Body of validate and commit. */
export const ImportBody = Type.Object({
  rows: optional(Type.Array(Row, { minItems: 1, description: 'The rows; keys are the entity’s field keys.' })),
  row: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'One row, instead of `rows`.' })),
  source_system: optional(
    Type.String({
      pattern: '^[^\\u0000-\\u001f\\u007f]*$', // one pass, whatever is sent
      maxLength: MAXIMUM_SOURCE_LENGTH,
      description: 'Namespace of the external ids; `api` when omitted.',
    }),
  ),
  company_id: optional(Type.String({ maxLength: 100, description: 'The default company when omitted.' })),
  branch_id: optional(Type.String({ maxLength: 100, description: 'The key owner’s own branch when omitted.' })),
  mode: optional(oneOf('sync', 'async')),
  on_conflict: optional(oneOf('skip', 'update')),
  decimal_separator: optional(oneOf(',', '.')),
})
export type ImportBody = Static<typeof ImportBody>

/** The rows of a body, which has either `rows` or `row`. */
export function rowsOf({ rows, row }: ImportBody): Record<string, unknown>[] {
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

export const unknownEntity = (key: string): ApiError =>
  new ApiError(
    'unknown_entity',
    `There is no entity ${JSON.stringify(key.slice(0, 60))}. See GET /api/v1/imports/entities.`,
  )

/** Where the rows' records will belong, and the company that they are read for. */
export function originOf(body: ImportBody, actor: Actor): { origin: Origin & { source: string }; company: Company } {
  const company = companyOf(body.company_id ?? null, actor)
  const branch = body.branch_id ? namedBranch(body.branch_id, company, actor) : ownBranch(company, actor)
  const source = body.source_system?.trim() ?? DEFAULT_SOURCE
  if (source === '') {
    throw new ApiError('validation_failed', 'Send a source_system, or leave it out.', {
      details: { source_system: ['has to have a visible character'] },
    })
  }
  return { company, origin: { company: company.id, branch, source } }
}

function companyOf(id: string | null, { companies }: Actor): Company {
  const company = companies.find((company) =>
    id === null ? company.isDefault : company.id === id.toLowerCase() && company.active,
  )
  if (!company)
    throw new ApiError(
      'unknown_company',
      'This company_id is not an active company of the account. Take one from GET /workspace.',
    )
  return company
}

function namedBranch(id: string, company: Company, { branches }: Actor): string {
  const branch = branches.find(
    (branch) => branch.id === id.toLowerCase() && branch.active && branch.companyId === company.id,
  )
  if (!branch) {
    throw new ApiError(
      'unknown_branch',
      'This branch_id is not an active branch of the company that the rows belong to. Take one from GET /workspace.',
    )
  }
  return branch.id
}

/** The key owner's own branch where the company has it, else the company's first; null where it has none. */
function ownBranch(company: Company, { branches, homeBranch }: Actor): string | null {
  const own = branches.filter((branch) => branch.companyId === company.id && branch.active)
  return (own.find(({ id }) => id === homeBranch) ?? own[0])?.id ?? null
}

/** The branch that a feed is asked for: null for every branch, which the headquarters stands for. */
export function feedBranch(id: string | undefined, { branches, homeBranch }: Actor): string | null {
  const isAsked = (branch: Branch) => branch.id === (id === undefined ? homeBranch : id.toLowerCase())
  const branch = branches.find(isAsked)
  if (!branch && id !== undefined)
    throw new ApiError('unknown_branch', 'This branch_id is not a branch of the account. Take one from GET /workspace.')
  return !branch || branch.isHeadquarters ? null : branch.id
}
