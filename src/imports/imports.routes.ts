import { randomUUIDv7 } from 'node:crypto'
import Type from 'typebox'
import { describe, entryOf } from '../catalogue/describe.ts'
import type { Actor } from '../platform/access/actor.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Answer, type Route, route } from '../platform/http/route.ts'
import { dayIn } from '../platform/time.ts'
import { batchesRoutes } from './batches/batches.routes.ts'
import { keepDone, keepQueued } from './batches/keep-batch.ts'
import { CatalogueEntry, CatalogueList, CONVENTIONS } from './catalogue.schema.ts'
import { ImportBody, originOf, refuseTooMany, rowsOf, unknownEntity } from './envelope.ts'
import type { Importable } from './importable.ts'
import { recordsRoutes } from './records/records.routes.ts'
import { BatchResult, BatchSummary, batchText, outcomesText, statusOf } from './result.ts'
import { type Batch, runImport } from './run.ts'
import { templateOf } from './template.ts'

export type ImportLimits = { readonly maxRows: number; readonly syncRows: number }
export type Importables = { readonly importables: readonly Importable[]; readonly readOnly: readonly Importable[] }

const SCOPE = ['import', 'full'] as const
const TAG = 'Imports'
const ByEntity = Type.Object({
  entity: Type.String({ maxLength: 2048, description: 'Entity key, e.g. `hotel_stays`.' }),
})
const ByKey = Type.Object({ key: Type.String({ maxLength: 2048, description: 'Entity key, e.g. `customers`.' }) })

/** The import's routes over these entities. */
export function importRoutes({ importables, readOnly }: Importables, limits: ImportLimits): Route[] {
  const byKey = new Map(importables.map((importable) => [importable.entity.key, importable]))
  const listed = [...importables].sort((a, b) => a.entity.dependencyOrder - b.entity.dependencyOrder)
  const catalogue = JSON.stringify({
    data: listed.map(({ entity }) => entryOf(entity)),
    limits: { max_rows_per_request: limits.maxRows, sync_row_limit: limits.syncRows },
    conventions: CONVENTIONS,
  })
  const entries = new Map(importables.map(({ entity }) => [entity.key, JSON.stringify(describe(entity))]))
  const templates = new Map(importables.map(({ entity }) => [entity.key, templateOf(entity)]))

  const rows = Type.Union(
    importables.map(({ entity }) => Type.Unsafe<object>({ $ref: `#/components/schemas/${entity.model}Row` })),
  )
  const bodyInDocument = Type.Object({
    ...ImportBody.properties,
    rows: Type.Optional(
      Type.Array(rows, {
        minItems: 1,
        maxItems: limits.maxRows,
        description: 'The rows; keys are the entity’s field keys.',
      }),
    ),
    row: Type.Optional(rows),
  })

  function writable(key: string): Importable {
    const importable = byKey.get(key)
    if (importable) return importable
    if (readOnly.some(({ entity }) => entity.key === key)) {
      throw new ApiError(
        'entity_not_writable',
        `${key} cannot be imported. Read them from GET /api/v1/imports/${key}/records.`,
      )
    }
    throw unknownEntity(key)
  }

  const write = {
    method: 'POST',
    tag: TAG,
    scope: SCOPE,
    policy: 'import_records',
    ingest: true,
    takes: { params: ByEntity, body: ImportBody, bodyInDocument },
    precheck(params: { entity: string }, body: unknown) {
      writable(params.entity)
      refuseTooMany(body, limits.maxRows)
    },
    answers: { status: 200, body: BatchResult, description: 'What became of every row.' },
    errors: [
      'unknown_entity',
      'entity_not_writable',
      'too_many_rows',
      'unknown_branch',
      'unknown_company',
      'validation_failed',
    ],
  } as const

  /** Imports rows at once; nothing is kept of a dry run. */
  async function importNow(tx: AccountTx, importable: Importable, batch: Batch, dryRun: boolean): Promise<string> {
    const { entity } = importable
    const run = () => runImport(tx, importable, batch)
    const ran = await (dryRun ? tx.discard(run) : run())
    const rows = outcomesText(ran, 0, dryRun)
    const id = dryRun ? null : randomUUIDv7()
    if (id !== null) keepDone(tx, id, entity.key, batch, ran, rows)
    const { counts, ignored } = ran
    const { now } = batch.context
    const finishedAt = Temporal.Now.instant().toString({ smallestUnit: 'microsecond' })
    const times = { createdAt: now, startedAt: now, finishedAt }
    const status = statusOf(counts)
    const shown = {
      id,
      entity: entity.key,
      mode: 'sync',
      status,
      counts,
      processed: counts.total,
      ignored,
      ...times,
    } as const
    return `{"data":${batchText(batch, shown, rows)}}`
  }

  /** Accepts rows that are imported after the answer. */
  function importLater(tx: AccountTx, entity: string, batch: Batch, actor: Actor): Answer {
    const id = randomUUIDv7()
    const counts = keepQueued(tx, id, entity, batch, actor.seat as string) // the gate refuses keys that act as nobody
    const times = { createdAt: batch.context.now, startedAt: null, finishedAt: null }
    const shown = { id, entity, mode: 'async', status: 'queued', counts, processed: 0, ignored: [], ...times } as const
    return { status: 202, location: `/api/v1/imports/${id}`, body: `{"data":${batchText(batch, shown)}}` }
  }

  return [
    route({
      method: 'GET',
      path: '/imports/entities',
      tag: TAG,
      summary: 'List what can be imported',
      description: 'The writable entities with their order of import, the limits, and the conventions that all share.',
      scope: SCOPE,
      policy: null,
      takes: {},
      answers: { status: 200, body: CatalogueList, description: 'The import catalogue.' },
      errors: [],
      handle: async () => catalogue,
    }),
    route({
      method: 'GET',
      path: '/imports/entities/:key',
      tag: TAG,
      summary: 'Read the fields of an entity',
      description: 'Fields, references and a sample that can be posted as it is. The list is authoritative and grows.',
      scope: SCOPE,
      policy: null,
      takes: { params: ByKey },
      answers: { status: 200, body: CatalogueEntry, description: 'The entity.' },
      errors: ['unknown_entity'],
      handle: async (_, { params }) => {
        const entry = entries.get(params.key)
        if (entry === undefined) throw unknownEntity(params.key)
        return entry
      },
    }),
    route({
      method: 'GET',
      path: '/imports/entities/:key/template.csv',
      tag: TAG,
      summary: 'Download a table to fill in',
      description: 'The sample as CSV, under a header of all fields. The cells of lists are JSON text.',
      scope: SCOPE,
      policy: null,
      takes: { params: ByKey },
      answers: { status: 200, body: Type.String({ maxLength: 100_000 }), description: 'The table.', type: 'text/csv' },
      errors: ['unknown_entity'],
      handle: async (_, { params }) => {
        const template = templates.get(params.key)
        if (template === undefined) throw unknownEntity(params.key)
        return { body: template, filename: `${params.key}.csv` }
      },
    }),
    route({
      ...write,
      path: '/imports/:entity/validate',
      summary: 'Validate rows',
      description:
        'Runs the commit to its end and takes it back: the answer is the one the commit would give, and nothing is kept.',
      async handle(tx, { params, body, actor }) {
        const batch = batchOf(body, rowsOf(body), actor, await tx.now)
        return importNow(tx, writable(params.entity), batch, true)
      },
    }),
    route({
      ...write,
      path: '/imports/:entity',
      summary: 'Import rows',
      description:
        'A bad row fails alone, with a reason for each field; the others go in. Sending the same rows again creates nothing twice. With `mode` `async`, or more rows than `sync_row_limit` and no `mode`, the answer is 202 and the rows are imported after it: see `GET /imports/{id}`.',
      alsoAnswers: [{ status: 202, body: Type.Object({ data: BatchSummary }), description: 'The batch is queued.' }],
      async handle(tx, { params, body, actor }) {
        const importable = writable(params.entity)
        const rows = rowsOf(body)
        const batch = batchOf(body, rows, actor, await tx.now)
        const mode = body.mode ?? (rows.length > limits.syncRows ? 'async' : 'sync')
        return mode === 'async'
          ? importLater(tx, importable.entity.key, batch, actor)
          : importNow(tx, importable, batch, false)
      },
    }),
    ...batchesRoutes(byKey, SCOPE, TAG),
    ...recordsRoutes({ importables, readOnly }, SCOPE, TAG),
  ]
}

function batchOf(body: ImportBody, rows: Batch['rows'], actor: Actor, now: string): Batch {
  const { origin, company } = originOf(body, actor)
  return {
    rows,
    origin,
    named: { company: Boolean(body.company_id), branch: Boolean(body.branch_id) },
    onConflict: body.on_conflict ?? 'skip',
    read: {
      decimalSeparator: body.decimal_separator ?? null,
      country: company.country,
      currency: company.currency,
      timeZone: actor.timeZone,
    },
    context: { currency: company.currency, today: dayIn(actor.timeZone, Date.parse(now)), now },
  }
}
