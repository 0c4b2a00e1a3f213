import { randomUUIDv7 } from 'node:crypto'
import Type from 'typebox'
import { describe, entryOf } from '../catalogue/describe.ts'
import type { Actor } from '../platform/access/actor.ts'
import type { AccountTx } from '../platform/db/database.ts'
import { statement } from '../platform/db/statement.ts'
import { ApiError } from '../platform/http/errors.ts'
import { type Route, route } from '../platform/http/route.ts'
import { dayIn } from '../platform/time.ts'
import { CatalogueEntry, CatalogueList, CONVENTIONS } from './catalogue.schema.ts'
import { ImportBody, originOf, refuseTooMany, rowsOf, unknownEntity } from './envelope.ts'
import type { Importable } from './importable.ts'
import { recordsRoutes } from './records/records.routes.ts'
import { BatchResult, resultOf, statusOf } from './result.ts'
import { type Batch, type Ran, runImport } from './run.ts'

export type ImportLimits = { readonly maxRows: number; readonly syncRows: number }
export type Importables = { readonly importables: readonly Importable[]; readonly readOnly: readonly string[] }

const SCOPE = ['import', 'full'] as const
const TAG = 'Imports'
const ByEntity = Type.Object({
  entity: Type.String({ maxLength: 2048, description: 'Entity key, e.g. `hotel_stays`.' }),
})
const ByKey = Type.Object({ key: Type.String({ maxLength: 2048, description: 'Entity key, e.g. `customers`.' }) })

type BatchRow = {
  account: number
  id: string
  entity: string
  status: string
  source: string
  company: string
  branch: string | null
  conflict: string
  counts: string
}
const keepBatch = statement<BatchRow, never>(`
  insert into import_batches (account_id, id, entity, mode, status, source_system, company_id, branch_id, on_conflict, counts, started_at, finished_at)
  values ($account, $id, $entity, 'sync', $status, $source, $company, $branch, $conflict, $counts, now(), clock_timestamp())`)

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
    if (readOnly.includes(key)) {
      throw new ApiError(
        'entity_not_writable',
        `${key} cannot be imported. Read them from GET /api/v1/imports/${key}/records.`,
      )
    }
    throw unknownEntity(key)
  }

  const write = (last: '' | '/validate', dryRun: boolean, summary: string, description: string) =>
    route({
      method: 'POST',
      path: `/imports/:entity${last}`,
      tag: TAG,
      summary,
      description,
      scope: SCOPE,
      policy: 'import_records',
      ingest: true,
      takes: { params: ByEntity, body: ImportBody, bodyInDocument },
      precheck(params, body) {
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
      async handle(tx, { params, body, actor }) {
        const importable = writable(params.entity)
        const rows = rowsOf(body)
        const now = await tx.now
        const batch = batchOf(body, rows, actor, now)
        const ran = await (dryRun
          ? tx.discard(() => runImport(tx, importable, batch))
          : runImport(tx, importable, batch))
        const id = dryRun ? null : randomUUIDv7()
        if (id !== null) keep(tx, id, importable.entity.key, batch, ran)
        return resultOf(importable.entity.key, batch, ran, id, now)
      },
    })

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
    write(
      '/validate',
      true,
      'Validate rows',
      'Runs the commit to its end and takes it back: the answer is the one the commit would give, and nothing is kept.',
    ),
    write(
      '',
      false,
      'Import rows',
      'A bad row fails alone, with a reason for each field; the others go in. Sending the same rows again creates nothing twice.',
    ),
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
    read: { decimalSeparator: body.decimal_separator ?? null, country: company.country, currency: company.currency },
    context: { currency: company.currency, today: dayIn(actor.timeZone, Date.parse(now)), now },
  }
}

function keep(tx: AccountTx, id: string, entity: string, { origin, onConflict }: Batch, ran: Ran): void {
  tx.later(keepBatch, {
    id,
    entity,
    status: statusOf(ran),
    ...origin,
    conflict: onConflict,
    counts: JSON.stringify(ran.counts),
  })
}
