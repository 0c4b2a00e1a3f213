import Type from 'typebox'
import type { Entity } from '../../catalogue/entity.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { PageShape } from '../../platform/http/paging.ts'
import { MAXIMUM_LIMIT, type PageRequest, type Route, route } from '../../platform/http/route.ts'
import { type JsonText, jsonObject, jsonText } from '../../platform/json-text.ts'
import { DEFAULT_SOURCE, EntityKeyShape, IMPORTS, SOURCE_LENGTH, unknownEntity } from '../route-parts.ts'
import { FeedQuery, feedFiltersOf } from './feed-filters.ts'
import { Tombstone } from './record-shape.ts'
import { feedsOf, readsOf } from './records.store.ts'

/** The start of the feed: before the first change. */
const BEGINNING = ['0', '00000000-0000-0000-0000-000000000000']
type FeedRow = { items: JsonText<never>; more: boolean; changed: string | null; id: string | null }

/** The feed of these entities' records, and the read-back of one. */
export function recordsRoutes(entities: readonly Entity[]): Route[] {
  const byKey = new Map(entities.map((entity) => [entity.key, entity]))
  const records = entities.map(({ model }) => Type.Unsafe<object>({ $ref: `#/components/schemas/${model}Record` }))
  const entityOf = (key: string): Entity => {
    const entity = byKey.get(key)
    if (!entity) throw unknownEntity(key)
    return entity
  }

  return [
    route({
      ...IMPORTS,
      method: 'GET',
      path: '/imports/:entity/records',
      summary: 'Read the records feed',
      description:
        'All records of the entity in the account, oldest change first. Store `page.resume_cursor` and use it to poll for later changes. A deleted record stays in the feed with the status `deleted`.',
      policy: null,
      takes: { params: Type.Object({ entity: EntityKeyShape(entities, 'hotel_stays') }), query: FeedQuery },
      answers: {
        status: 200,
        description: 'A page of records.',
        body: Type.Object({
          data: Type.Array(Type.Union([...records, Tombstone]), { maxItems: MAXIMUM_LIMIT }),
          page: Type.Object({
            ...PageShape.properties,
            resume_cursor: Type.String({ maxLength: 2000, description: 'Cursor for the next poll.' }),
          }),
        }),
      },
      errors: ['unknown_entity', 'unknown_branch', 'unknown_company', 'invalid_cursor', 'invalid_parameter'],
      async handle(reader, { params, query, actor, page }) {
        const entity = entityOf(params.entity)
        const given = feedFiltersOf(query, entity, actor)
        const [changed, id] = (page.after ?? BEGINNING) as [string, string]
        const feed = feedsOf(entity)(actor.policies, Object.keys(given).join(' '))
        const found = (await reader.one(feed, { ...given, limit: page.limit, changed, id })) as FeedRow
        return pageText(page, found, [changed, id])
      },
    }),
    route({
      ...IMPORTS,
      method: 'GET',
      path: '/imports/:entity/records/:external_id',
      summary: 'Read a record',
      description:
        'The record with this external id in a source system. HTTP clients remove the segments `.` and `..` from a path, even as `%2E`. For these two external ids, use `GET /imports/{entity}/records?external_id=..`.',
      policy: null,
      takes: {
        params: Type.Object({
          entity: EntityKeyShape(entities, 'hotel_stays'),
          external_id: Type.String({
            maxLength: 2048,
            description: 'Your own key of the record. Send a slash as `%2F`.',
          }),
        }),
        query: Type.Object({
          source_system: Type.Optional(Type.String({ maxLength: SOURCE_LENGTH, description: '`api` when omitted.' })),
        }),
      },
      answers: { status: 200, body: Type.Object({ data: Type.Union(records) }), description: 'The record.' },
      errors: ['unknown_entity', 'not_found', 'invalid_parameter'],
      async handle(reader, { params, query, actor }) {
        const found = await reader.one(readsOf(entityOf(params.entity))(actor.policies), {
          source: query.source_system ?? DEFAULT_SOURCE,
          external_id: params.external_id,
        })
        if (!found) throw noRecord()
        return jsonObject({ data: found.item })
      },
    }),
  ]
}

/** A page of records, and the position behind its last one, or where it began when it is empty. */
function pageText({ limit, cursor }: PageRequest, { items, more, changed, id }: FeedRow, from: readonly string[]) {
  const reached = cursor(changed !== null && id !== null ? [changed, id] : from)
  const page = jsonText({ next_cursor: more ? reached : null, has_more: more, limit, resume_cursor: reached })
  return jsonObject({ data: items, page })
}

const noRecord = () => new ApiError('not_found', 'No record with this external_id exists in this source_system.')
