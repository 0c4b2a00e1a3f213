import Type, { type Static } from 'typebox'
import type { Entity } from '../../catalogue/entity.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { paging } from '../../platform/http/paging.ts'
import { Text } from '../../platform/http/shapes.ts'
import { readInstant } from '../../platform/time.ts'
import { SOURCE_LENGTH } from '../route-parts.ts'
import type { FeedFilter } from './feed-sql.ts'

const EXTERNAL_IDS = 100

/** The query parameters of a feed. */
export const FeedQuery = Type.Object({
  ...paging,
  source_system: Type.Optional(Text(SOURCE_LENGTH)),
  external_id: Type.Optional(
    Type.String({ maxLength: 20_100, description: `At most ${EXTERNAL_IDS} external ids, separated by commas.` }),
  ),
  status: Type.Optional(Text(60)),
  updated_since: Type.Optional(
    Type.String({ maxLength: 60, description: 'RFC 3339. Without an offset, in the time zone of the account.' }),
  ),
  company_id: Type.Optional(Text(60)),
  branch_id: Type.Optional(
    Type.String({
      maxLength: 60,
      description: 'The id of the headquarters returns all branches. If omitted, the branch of the key owner.',
    }),
  ),
})

/** What the feed is to be filtered by, as its statement takes it. */
export function feedFiltersOf(
  query: Static<typeof FeedQuery>,
  entity: Entity,
  actor: Actor,
): Partial<Record<FeedFilter, unknown>> {
  const branch = branchOf(query.branch_id, actor)
  const { source_system, external_id, status, updated_since, company_id } = query
  if (company_id !== undefined) refuseUnknownCompany(company_id, actor)
  return {
    ...(source_system !== undefined && { source_system }),
    ...(external_id !== undefined && { external_ids: externalIds(external_id) }),
    ...(status !== undefined && { status: oneOf(entity.statuses, status) }),
    ...(updated_since !== undefined && { updated_since: instantOf(updated_since, actor.timeZone) }),
    ...(company_id !== undefined && { company_id }),
    ...(branch !== null && { branch_id: branch }),
  }
}

/** Null for all branches, which the headquarters represent. */
function branchOf(id: string | undefined, { branches, homeBranch }: Actor): string | null {
  const asked = id === undefined ? homeBranch : id.toLowerCase()
  const branch = branches.find((branch) => branch.id === asked)
  if (!branch && id !== undefined)
    throw new ApiError(
      'unknown_branch',
      'No branch with this branch_id exists in this account. GET /workspace lists the branches.',
    )
  return !branch || branch.isHeadquarters ? null : branch.id
}

/** Also records of a company that takes no new ones can be read. */
function refuseUnknownCompany(id: string, { companies }: Actor): void {
  if (companies.some((company) => company.id === id.toLowerCase())) return
  throw new ApiError(
    'unknown_company',
    'No company with this company_id exists in this account. GET /workspace lists the companies.',
  )
}

const invalid = (name: string, reason: string) =>
  new ApiError('invalid_parameter', `The query parameter ${name} is invalid. ${reason}`, {
    details: { [name]: [reason] },
  })

function externalIds(text: string): string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length > EXTERNAL_IDS) throw invalid('external_id', `Send at most ${EXTERNAL_IDS} ids.`)
  return ids
}

function oneOf(allowed: readonly string[], value: string): string {
  if (!allowed.includes(value)) throw invalid('status', `Send one of ${allowed.join(', ')}.`)
  return value
}

function instantOf(text: string, timeZone: string): string {
  const instant = readInstant(text, timeZone)
  if (instant === null) throw invalid('updated_since', 'Send an RFC 3339 timestamp, with + as %2B.')
  return instant
}
