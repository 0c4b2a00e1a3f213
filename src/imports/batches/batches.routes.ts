import Type from 'typebox'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { listOf, listText, PageShape, pageJson, paging } from '../../platform/http/paging.ts'
import { MAXIMUM_LIMIT, type Route, route } from '../../platform/http/route.ts'
import { enumOf, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonObject, jsonText } from '../../platform/json-text.ts'
import { OUTCOME_STATUSES } from '../engine/read-rows.ts'
import type { Importable } from '../importable.ts'
import { IMPORTS } from '../route-parts.ts'
import { BATCH_STATUSES, BatchSummary, RowOutcome } from './batch-shape.ts'
import { FIRST_ROW, listBatches, listOutcomes, NEWEST, readBatch } from './batches.store.ts'
import { revertBatch } from './revert-batch.ts'

const POLICY = 'import_records'
const BATCH = byId('batch')
const Unreverted = Type.Object({
  index: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  external_id: maybe(Text(200)),
  id: Uuid,
  reason: Type.String({
    maxLength: 60,
    description:
      'Why the record was not deleted: `changed` since the import, `deleted` already, `invoiced`, `has_bookings`, `not_permitted` if a restricted tag hides the customer from the role, or another reason.',
  }),
})

/** Looking batches up, and taking them back. */
export const batchesRoutes = (importables: readonly Importable[]): Route[] => [
  list(importables.map(({ entity }) => entity.key)),
  read,
  rows,
  revert(importables),
]

const list = (keys: readonly string[]) =>
  route({
    ...IMPORTS,
    method: 'GET',
    path: '/imports',
    summary: 'List batches',
    description: 'Newest first, including synchronous batches. Dry runs are not listed.',
    policy: POLICY,
    takes: {
      query: Type.Object({
        ...paging,
        entity: Type.Optional(enumOf(keys)),
        status: Type.Optional(enumOf(BATCH_STATUSES)),
      }),
    },
    answers: { status: 200, body: listOf(BatchSummary), description: 'A page of batches.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { entity, status }, page }) {
      const filter = entity === undefined ? {} : { entity }
      const found = await reader.one(listBatches(status, entity !== undefined), {
        ...filter,
        limit: page.limit,
        after: page.after ?? NEWEST,
      })
      return listText(page, found)
    },
  })

const read = route({
  ...IMPORTS,
  method: 'GET',
  // The parameter's name as in POST: OpenAPI treats paths that differ only in a parameter's name as equal.
  path: '/imports/:entity',
  summary: 'Read a batch',
  description: '`processed` increases while the batch runs. `status` always reaches a final value.',
  policy: POLICY,
  takes: { params: Type.Object({ entity: BATCH.params.properties.id }) },
  answers: { status: 200, body: Type.Object({ data: BatchSummary }), description: 'The batch, without its rows.' },
  errors: ['not_found'],
  async handle(reader, { params }) {
    const found = await reader.one(readBatch, { id: params.entity })
    if (!found) throw noSuch('batch')
    return jsonObject({ data: found.batch })
  },
})

const rows = route({
  ...IMPORTS,
  method: 'GET',
  path: '/imports/:id/rows',
  summary: 'List the outcomes of a batch',
  description: 'In the order of the rows. Rows of a running batch appear as they are processed.',
  policy: POLICY,
  takes: { ...BATCH, query: Type.Object({ ...paging, status: Type.Optional(enumOf(OUTCOME_STATUSES)) }) },
  answers: {
    status: 200,
    body: Type.Object({
      data: Type.Array(RowOutcome, { maxItems: MAXIMUM_LIMIT }),
      batch: BatchSummary,
      page: PageShape,
    }),
    description: 'A page of outcomes, with their batch.',
  },
  errors: ['not_found', 'invalid_cursor', 'invalid_parameter'],
  async handle(reader, { params: { id }, query: { status = null }, page }) {
    const found = await reader.one(listOutcomes, { id, status, limit: page.limit, after: page.after ?? FIRST_ROW })
    if (!found?.batch) throw noSuch('batch')
    return jsonObject({ data: found.items, batch: found.batch, page: pageJson(page, found) })
  },
})

function revert(importables: readonly Importable[]): Route {
  const byKey = new Map(importables.map((importable) => [importable.entity.key, importable]))
  return route({
    ...IMPORTS,
    method: 'POST',
    path: '/imports/:id/revert',
    summary: 'Revert a batch',
    description:
      'Deletes the records that the batch created and that have not been changed since, and reports the records that it kept. Records that the batch updated are not changed. The same rows can be imported again later.',
    policy: POLICY,
    ingest: true,
    takes: BATCH,
    answers: {
      status: 200,
      body: Type.Object({
        data: Type.Object({
          batch: BatchSummary,
          reverted: Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            description: 'Number of records deleted by this request.',
          }),
          left: Type.Array(Unreverted, { maxItems: 10_000, description: 'Number of created records that were kept.' }),
        }),
      }),
      description: 'The records deleted and kept.',
    },
    errors: ['not_found', 'unknown_entity', 'validation_failed'],
    async handle(tx, { params: { id }, actor }) {
      const done = await revertBatch(tx, actor.policies, id, byKey)
      const found = done && (await tx.one(readBatch, { id }))
      if (!found) throw noSuch('batch')
      const { reverted, left } = done
      return jsonObject({ data: jsonObject({ batch: found.batch, reverted, left: jsonText(left) }) })
    },
  })
}
