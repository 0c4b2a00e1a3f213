import Type, { type TSchema } from 'typebox'
import type { Entity } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import type { Policies, Scope } from '../../platform/access/policies.ts'
import { type Statement, statement } from '../../platform/db/statement.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { MAXIMUM_LIMIT, type PageRequest, type Route, route } from '../../platform/http/route.ts'
import { readInstant } from '../../platform/time.ts'
import { DEFAULT_SOURCE, feedBranch, unknownEntity } from '../envelope.ts'
import type { Importable } from '../importable.ts'
import { type Filter, feedSql, ownFields, readSql } from './record-sql.ts'

const EXTERNAL_IDS = 100
/** Where the feed begins: before the first change. */
const BEGINNING = ['0', '00000000-0000-0000-0000-000000000000'] as const

const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()])
const Text = Type.String({ maxLength: 2000 })
const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
const Money = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 30 })
const Instant = Type.String({ format: 'date-time', maxLength: 40 })
const Totals = { sell: maybe(Money), cost: maybe(Money), margin: maybe(Money), vat: maybe(Money) }
const Linked = maybe(Type.Object({ id: Uuid, external_id: maybe(Text), name: maybe(Text) }))

/** What a record of the entity looks like in the feed, its read-back and webhooks. */
export const recordSchema = (entity: Entity): TSchema =>
  Type.Object(
    {
      entity: Type.Unsafe<string>({ type: 'string', enum: [entity.key] }),
      external_id: maybe(Text),
      source_system: maybe(Text),
      id: Uuid,
      status: Type.Unsafe<string>({ type: 'string', enum: [...entity.statuses] }),
      company_id: maybe(Uuid),
      branch_id: maybe(Uuid),
      customer: Linked,
      supplier: Linked,
      currency: maybe(Text),
      totals: maybe(Type.Object(Totals)),
      company_totals: maybe(Type.Object({ currency: maybe(Text), ...Totals })),
      invoiced: maybe(Type.Boolean()),
      version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
      ...Object.fromEntries(
        ownFields(entity).map(([name, field]: [string, Field]) => [
          name,
          maybe(field.elsewhere?.schema ?? field.schema),
        ]),
      ),
      created_at: Instant,
      updated_at: Instant,
      cancelled_at: maybe(Instant),
    },
    { additionalProperties: false, title: entity.model },
  )

const Tombstone = Type.Object(
  {
    entity: Text,
    external_id: maybe(Text),
    id: Uuid,
    status: Type.Unsafe<string>({ type: 'string', enum: ['deleted'] }),
    version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
  },
  { additionalProperties: false, title: 'Deleted booking' },
)

type ReadInput = { account: number; source: string; external_id: string }
type FeedInput = { account: number; limit: number; changed: string; id: string } & Partial<Record<Filter, unknown>>
type FeedRow = { items: string | null; more: boolean; changed: string | null; id: string | null }

/** Compiled once for each entity, role and set of filters. */
const compiled = new WeakMap<Policies, Map<string, Statement<never, unknown>>>()
function compile<I extends object, O>(policies: Policies, name: string, text: () => string): Statement<I, O> {
  const own = compiled.get(policies) ?? new Map<string, Statement<never, unknown>>()
  compiled.set(policies, own)
  const known = own.get(name) ?? statement<I, O>(text())
  own.set(name, known as Statement<never, unknown>)
  return known as Statement<I, O>
}

export function recordsRoutes(
  { importables, readOnly }: { importables: readonly Importable[]; readOnly: readonly Importable[] },
  scope: readonly [Scope, ...Scope[]],
  tag: string,
): Route[] {
  const published = [...importables, ...readOnly]
  const entities = new Map(published.map(({ entity }) => [entity.key, entity]))
  const records = published.map(({ entity }) =>
    Type.Unsafe<object>({ $ref: `#/components/schemas/${entity.model}Record` }),
  )
  const entityOf = (key: string): Entity => {
    const entity = entities.get(key)
    if (!entity) throw unknownEntity(key)
    return entity
  }

  return [
    route({
      method: 'GET',
      path: '/imports/:entity/records',
      tag,
      summary: 'Read the records feed',
      description:
        'Every record of the entity in the account, oldest change first. Keep `page.resume_cursor` and poll with it: a client can stop and go on for ever.',
      scope,
      policy: null,
      takes: {
        params: Type.Object({
          entity: Type.String({ maxLength: 2048, description: 'Entity key, e.g. `hotel_stays`.' }),
        }),
        query: Type.Object({
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT })),
          cursor: Type.Optional(Type.String({ maxLength: 2000 })),
          source_system: Type.Optional(Type.String({ maxLength: 60 })),
          external_id: Type.Optional(
            Type.String({ maxLength: 20_100, description: 'Up to 100 external ids, separated by commas.' }),
          ),
          status: Type.Optional(Type.String({ maxLength: 60 })),
          updated_since: Type.Optional(
            Type.String({ maxLength: 60, description: 'RFC 3339; without an offset in the account’s zone.' }),
          ),
          company_id: Type.Optional(Type.String({ maxLength: 60 })),
          branch_id: Type.Optional(
            Type.String({
              maxLength: 60,
              description: 'The headquarters stand for every branch. Omitted: the key owner’s own branch.',
            }),
          ),
        }),
      },
      answers: {
        status: 200,
        description: 'A page of records.',
        body: Type.Object({
          data: Type.Array(Type.Union([...records, Tombstone]), { maxItems: MAXIMUM_LIMIT }),
          page: Type.Object({
            next_cursor: maybe(Text),
            has_more: Type.Boolean(),
            limit: Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT }),
            resume_cursor: Type.String({ maxLength: 2000, description: 'The position reached, for the next poll.' }),
          }),
        }),
      },
      errors: ['unknown_entity', 'unknown_branch', 'unknown_company', 'invalid_cursor', 'invalid_parameter'],
      async handle(reader, { params, query, actor, page }) {
        const entity = entityOf(params.entity)
        const branch = feedBranch(query.branch_id, actor)
        if (
          query.company_id !== undefined &&
          !actor.companies.some(({ id }) => id === query.company_id?.toLowerCase())
        ) {
          throw new ApiError(
            'unknown_company',
            'This company_id is not a company of the account. Take one from GET /workspace.',
          )
        }
        const given: Partial<Record<Filter, unknown>> = {
          ...(query.source_system !== undefined && { source_system: query.source_system }),
          ...(query.external_id !== undefined && { external_ids: externalIds(query.external_id) }),
          ...(query.status !== undefined && { status: oneOf(entity.statuses, query.status) }),
          ...(query.updated_since !== undefined && { updated_since: instantOf(query.updated_since, actor.timeZone) }),
          ...(query.company_id !== undefined && { company_id: query.company_id }),
          ...(branch !== null && { branch_id: branch }),
        }
        const [changed, id] = (page.after ?? BEGINNING) as [string, string]
        const filters = Object.keys(given) as Filter[]
        const feed = compile<FeedInput, FeedRow>(actor.policies, `feed ${entity.key} ${filters}`, () =>
          feedSql(entity, actor.policies, filters),
        )
        const found = (await reader.one(feed, { ...given, limit: page.limit, changed, id })) as FeedRow
        return pageText(page, found, [changed, id])
      },
    }),
    route({
      method: 'GET',
      path: '/imports/:entity/records/:external_id',
      tag,
      summary: 'Read one record back',
      description: 'The record with this external id in a source system.',
      scope,
      policy: null,
      takes: {
        params: Type.Object({
          entity: Type.String({ maxLength: 2048, description: 'Entity key, e.g. `hotel_stays`.' }),
          external_id: Type.String({
            maxLength: 2048,
            description: 'Your own key of the record; a slash is sent as `%2F`.',
          }),
        }),
        query: Type.Object({
          source_system: Type.Optional(Type.String({ maxLength: 60, description: '`api` when omitted.' })),
        }),
      },
      answers: { status: 200, body: Type.Object({ data: Type.Union(records) }), description: 'The record.' },
      errors: ['unknown_entity', 'not_found', 'invalid_parameter'],
      async handle(reader, { params, query, actor }) {
        const entity = entityOf(params.entity)
        const read = compile<ReadInput, { item: string }>(actor.policies, `read ${entity.key}`, () =>
          readSql(entity, actor.policies),
        )
        const found = await reader.one(read, {
          source: query.source_system ?? DEFAULT_SOURCE,
          external_id: params.external_id,
        })
        if (!found) throw noRecord()
        return `{"data":${found.item}}`
      },
    }),
  ]
}

/** A page of records, and the position behind its last one, or where it began when it is empty. */
function pageText(
  { limit, cursor }: PageRequest,
  { items, more, changed, id }: FeedRow,
  from: readonly string[],
): string {
  const reached = cursor(changed !== null && id !== null ? [changed, id] : from)
  return `{"data":[${items ?? ''}],"page":{"next_cursor":${more ? `"${reached}"` : null},"has_more":${more},"limit":${limit},"resume_cursor":"${reached}"}}`
}

const noRecord = () => new ApiError('not_found', 'There is no record with this external_id in this source_system.')
const invalid = (name: string, reason: string) =>
  new ApiError('invalid_parameter', `The query parameter ${name} ${reason}.`, { details: { [name]: [reason] } })

function externalIds(text: string): string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length > EXTERNAL_IDS) throw invalid('external_id', `takes at most ${EXTERNAL_IDS} ids`)
  return ids
}

function oneOf(allowed: readonly string[], value: string): string {
  if (!allowed.includes(value)) throw invalid('status', `has to be one of ${allowed.join(', ')}`)
  return value
}

function instantOf(text: string, timeZone: string): string {
  const instant = readInstant(text, timeZone)
  if (instant === null) throw invalid('updated_since', 'has to be an RFC 3339 timestamp, with + sent as %2B')
  return instant
}
