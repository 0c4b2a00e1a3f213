import Type from 'typebox'
import { ApiError } from '../../platform/http/errors.ts'
import { type Route, route } from '../../platform/http/route.ts'
import type { Importable } from '../importable.ts'
import { EntityKeyShape, IMPORTS, type ImportLimits, unknownEntity } from '../route-parts.ts'
import { BatchResult, BatchSummary } from './batch-shape.ts'
import { batchOf, envelopeRefused, ImportBody, refuseTooMany } from './envelope.ts'
import { importLater, importNow } from './import-rows.ts'

/** The dry run and the import of rows. */
export function importRoutes(importables: readonly Importable[], { maxRows, syncRows }: ImportLimits): Route[] {
  const byKey = new Map(importables.map((importable) => [importable.entity.key, importable]))
  function writable(key: string): Importable {
    const importable = byKey.get(key)
    if (!importable) throw unknownEntity(key)
    if (!importable.entity.readOnly) return importable
    throw new ApiError(
      'entity_not_writable',
      `${key} cannot be imported. Read them from GET /api/v1/imports/${key}/records.`,
    )
  }

  const imported = importables.map(({ entity }) => entity).filter(({ readOnly }) => !readOnly)
  const write = {
    ...IMPORTS,
    method: 'POST',
    policy: 'import_records',
    ingest: true,
    takes: {
      params: Type.Object({ entity: EntityKeyShape(imported, 'hotel_stays') }),
      body: ImportBody,
      bodyInDocument: bodyInDocument(importables, maxRows),
      examples: Object.fromEntries(imported.map(({ key, label, sample }) => [key, { summary: label, value: sample }])),
    },
    precheck(params: { entity: string }, body: unknown) {
      writable(params.entity)
      refuseTooMany(body, maxRows)
    },
    inspect: envelopeRefused,
    answers: { status: 200, body: BatchResult, description: 'The outcome of each row.' },
    errors: [
      'unknown_entity',
      'entity_not_writable',
      'too_many_rows',
      'unknown_branch',
      'unknown_company',
      'validation_failed',
    ],
  } as const

  return [
    route({
      ...write,
      path: '/imports/:entity/validate',
      summary: 'Validate rows',
      description:
        'Runs the import and rolls it back. The response is the same as that of the import, and nothing is stored.',
      handle: async (tx, { params, body, actor }) =>
        importNow(tx, writable(params.entity), batchOf(body, actor, await tx.now), true),
    }),
    route({
      ...write,
      path: '/imports/:entity',
      summary: 'Import rows',
      description:
        'An invalid row fails alone, with a reason for each field; the other rows are imported. Sending the same rows again never creates duplicates. Rows that repeat an external id are imported after all others, in order. A row can set all attributes of a record that it creates. In an existing record, attributes that the role does not see are refused with `not_permitted`, and so is a change of a customer who is hidden by a restricted tag. An e-mail that the role does not see never matches a customer. With `mode` `async`, or with more rows than `sync_row_limit` and no `mode`, the response is 202 and the rows are imported later: see `GET /imports/{id}`.',
      alsoAnswers: [{ status: 202, body: Type.Object({ data: BatchSummary }), description: 'The batch was queued.' }],
      async handle(tx, { params, body, actor }) {
        const importable = writable(params.entity)
        const batch = batchOf(body, actor, await tx.now)
        const mode = body.mode ?? (batch.rows.length > syncRows ? 'async' : 'sync')
        if (mode === 'sync') return importNow(tx, importable, batch, false)
        return importLater(tx, importable.entity.key, batch, actor.seat as string) // the gate refuses keys without a seat
      },
    }),
  ]
}

/** The body as the document shows it: rows of any entity that can be imported. */
function bodyInDocument(importables: readonly Importable[], maxRows: number) {
  const row = Type.Union(
    importables
      .filter(({ entity }) => !entity.readOnly)
      .map(({ entity }) => Type.Unsafe<object>({ $ref: `#/components/schemas/${entity.model}Row` })),
  )
  const description = 'The rows, with the field keys of the entity.'
  return Type.Object({
    ...ImportBody.properties,
    rows: Type.Optional(Type.Array(row, { minItems: 1, maxItems: maxRows, description })),
    row: Type.Optional(row),
  })
}
