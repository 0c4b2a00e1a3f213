import Type, { type TSchema } from 'typebox'
import type { Entity } from '../../catalogue/entity.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { ownFields } from './record-sql.ts'

const Line = Text(2000)
const Amount = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 30 })
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const Totals = { sell: maybe(Amount), cost: maybe(Amount), margin: maybe(Amount), vat: maybe(Amount) }
const Linked = maybe(Type.Object({ id: Uuid, external_id: maybe(Line), name: maybe(Line) }))

/** What a record of the entity looks like in the feed, its read-back and webhooks. */
export const recordSchema = (entity: Entity): TSchema =>
  Type.Object(
    {
      entity: enumOf([entity.key]),
      external_id: maybe(Line),
      source_system: maybe(Line),
      id: Uuid,
      status: enumOf(entity.statuses),
      company_id: maybe(Uuid),
      branch_id: maybe(Uuid),
      customer: Linked,
      supplier: Linked,
      currency: maybe(Line),
      totals: maybe(Type.Object(Totals)),
      company_totals: maybe(Type.Object({ currency: maybe(Line), ...Totals })),
      invoiced: maybe(Type.Boolean()),
      version: Version,
      ...Object.fromEntries(
        ownFields(entity).map(([name, field]) => [name, maybe(field.elsewhere?.schema ?? field.schema)]),
      ),
      created_at: Instant,
      updated_at: Instant,
      cancelled_at: maybe(Instant),
    },
    { additionalProperties: false, title: entity.model },
  )

/** What the feed shows of a deleted record. */
export const Tombstone = Type.Object(
  {
    entity: Line,
    external_id: maybe(Line),
    id: Uuid,
    status: enumOf(['deleted']),
    version: Version,
    merged_into_id: Type.Optional(
      Type.Union([Uuid, Type.Null()], {
        description:
          'Customers only: id of the customer that this one was merged into. External ids of this customer lead to that one.',
      }),
    ),
  },
  { additionalProperties: false, title: 'Deleted record' },
)
