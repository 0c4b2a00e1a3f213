import type { Entity } from './entity.ts'
import type { Field } from './kind.ts'
import type { Fields } from './read-cells.ts'

/** The entry of the import catalogue, as `GET /imports/entities` lists it. */
export const entryOf = ({ key, label, model, scope, dependencyOrder, mode }: Entity) => ({
  key,
  label,
  model,
  scope,
  dependency_order: dependencyOrder,
  idempotency: { external_id_required: true, mode, key: 'external_id' },
  endpoints: { validate: `/api/v1/imports/${key}/validate`, import: `/api/v1/imports/${key}` },
})

/** The entry with its fields, references and sample, as returned by `GET /imports/entities/{key}`. */
export const describe = (entity: Entity) => ({
  entity: {
    ...entryOf(entity),
    fields: describeFields(entity.fields),
    references: Object.entries(entity.fields).flatMap(([key, { reference, type }]) =>
      reference && type === 'reference'
        ? [
            {
              key,
              target_entity: reference.to,
              match_by: reference.by.map(({ name }) => name),
              on_missing: reference.onMissing,
            },
          ]
        : [],
    ),
    sample: entity.sample,
  },
})

type Described = {
  key: string
  type: string
  required: boolean
  pii: boolean
  enum_values: readonly string[]
  suggested_values: readonly string[]
  taxonomy_kind: string | null
  note: string | null
  max_length: number | null
  default: unknown
  items: Described[]
}

const describeFields = (fields: Fields): Described[] =>
  Object.entries(fields).map(([key, field]) => describeField(key, field))
const describeField = (key: string, field: Field): Described => ({
  key,
  type: field.type,
  required: field.required ?? false,
  pii: field.pii ?? false,
  enum_values: field.enumValues ?? [],
  suggested_values: field.suggestedValues ?? [],
  taxonomy_kind: field.taxonomy ?? null,
  note: field.note ?? null,
  max_length: field.maxLength ?? null,
  default: field.default ?? null,
  items: field.items ? describeFields(field.items) : [],
})
