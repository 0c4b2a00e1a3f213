import Type from 'typebox'
import type { Scope } from '../../platform/access/policies.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { MAXIMUM_LIMIT, type PageRequest, type Route, route } from '../../platform/http/route.ts'
import type { Importable } from '../importable.ts'
import { BATCH_STATUSES, type BatchStatus, BatchSummary, OUTCOME_STATUSES, Outcome } from '../result.ts'
import { FIRST_ROW, listBatches, listOutcomes, NEWEST, type Page, readBatch } from './batch-sql.ts'
import { revertBatch } from './revert-batch.ts'

const POLICY = 'import_records'
const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
const Id = Type.String({ pattern: UUID, maxLength: 36, description: 'Id of the batch.' })
const ById = Type.Object({ id: Id })
const oneOf = <const V extends string>(values: readonly V[]) => Type.Unsafe<V>({ type: 'string', enum: [...values] })
const paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT })),
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
}
const PageShape = Type.Object({
  next_cursor: Type.Union([Type.String({ maxLength: 2000 }), Type.Null()]),
  has_more: Type.Boolean(),
  limit: Type.Integer({ minimum: 1, maximum: MAXIMUM_LIMIT }),
})
const Left = Type.Object({
  index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  external_id: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
  id: Type.String({ format: 'uuid', maxLength: 36 }),
  reason: Type.String({
    maxLength: 60,
    description: 'Why it stays: `changed` since, `deleted` already, `invoiced`, `has_bookings` …',
  }),
})

/** Looking batches up, and taking them back. */
export function batchesRoutes(
  importables: ReadonlyMap<string, Importable>,
  scope: readonly [Scope, ...Scope[]],
  tag: string,
): Route[] {
  return [
    route({
      method: 'GET',
      path: '/imports',
      tag,
      summary: 'List batches',
      description: 'Newest first, those that were answered at once included; no dry runs.',
      scope,
      policy: POLICY,
      takes: {
        query: Type.Object({
          ...paging,
          entity: Type.Optional(Type.String({ maxLength: 2048, description: 'Entity key, e.g. `hotel_stays`.' })),
          status: Type.Optional(oneOf<BatchStatus>(BATCH_STATUSES)),
        }),
      },
      answers: {
        status: 200,
        body: Type.Object({ data: Type.Array(BatchSummary, { maxItems: MAXIMUM_LIMIT }), page: PageShape }),
        description: 'A page of batches.',
      },
      errors: ['invalid_cursor', 'invalid_parameter'],
      async handle(reader, { query: { entity, status }, page }) {
        const [created, id] = (page.after ?? NEWEST) as [string, string]
        const filter = entity === undefined ? {} : { entity }
        const list = listBatches(status, entity !== undefined)
        const found = (await reader.one(list, { limit: page.limit, created, id, ...filter })) as Page
        return `{"data":[${found.items ?? ''}],${pageText(page, found)}}`
      },
    }),
    route({
      method: 'GET',
      // The name that POST gives to this place: OpenAPI takes paths that differ in a parameter's name alone for one.
      path: '/imports/:entity',
      tag,
      summary: 'Read a batch',
      description: '`processed` grows while the batch runs, and `status` becomes a final one in any case.',
      scope,
      policy: POLICY,
      takes: { params: Type.Object({ entity: Id }) },
      answers: { status: 200, body: Type.Object({ data: BatchSummary }), description: 'The batch, without its rows.' },
      errors: ['not_found'],
      async handle(reader, { params }) {
        const found = await reader.one(readBatch, { id: params.entity })
        if (!found) throw noBatch()
        return `{"data":${found.batch}}`
      },
    }),
    route({
      method: 'GET',
      path: '/imports/:id/rows',
      tag,
      summary: 'List what became of the rows of a batch',
      description: 'In the order in which they were sent. Rows of a running batch appear as they are done.',
      scope,
      policy: POLICY,
      takes: {
        params: ById,
        query: Type.Object({ ...paging, status: Type.Optional(oneOf(OUTCOME_STATUSES)) }),
      },
      answers: {
        status: 200,
        body: Type.Object({
          data: Type.Array(Outcome, { maxItems: MAXIMUM_LIMIT }),
          batch: BatchSummary,
          page: PageShape,
        }),
        description: 'A page of outcomes, with their batch.',
      },
      errors: ['not_found', 'invalid_cursor', 'invalid_parameter'],
      async handle(reader, { params: { id }, query: { status = null }, page }) {
        const [nth, at] = (page.after ?? FIRST_ROW) as [string, string]
        const found = await reader.one(listOutcomes, { id, status, nth, at, limit: page.limit })
        if (!found?.batch) throw noBatch()
        return `{"data":[${found.items ?? ''}],"batch":${found.batch},${pageText(page, found)}}`
      },
    }),
    route({
      method: 'POST',
      path: '/imports/:id/revert',
      tag,
      summary: 'Take a batch back',
      description:
        'Deletes the records that the batch created and nobody has touched since, and reports those that stay. What it updated stays as it is. Reverting again deletes nothing more. The same rows can be sent again.',
      scope,
      policy: POLICY,
      ingest: true,
      takes: { params: ById },
      answers: {
        status: 200,
        body: Type.Object({
          data: Type.Object({
            batch: BatchSummary,
            reverted: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Records deleted by this call.' }),
            left: Type.Array(Left, { maxItems: 10_000, description: 'Records that it created and that stay.' }),
          }),
        }),
        description: 'What was deleted, and what was left.',
      },
      errors: ['not_found', 'unknown_entity', 'validation_failed'],
      async handle(tx, { params: { id } }) {
        const done = await revertBatch(tx, id, importables)
        const found = done && (await tx.one(readBatch, { id }))
        if (!found) throw noBatch()
        return `{"data":{"batch":${found.batch},"reverted":${done.reverted},"left":${JSON.stringify(done.left)}}}`
      },
    }),
  ]
}

function pageText({ limit, cursor }: PageRequest, { more, last }: Page): string {
  const next = more && last ? `"${cursor(last)}"` : null
  return `"page":{"next_cursor":${next},"has_more":${more},"limit":${limit}}`
}

const noBatch = () => new ApiError('not_found', 'There is no batch with this id.')
