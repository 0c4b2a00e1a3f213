import Type, { type TSchema } from 'typebox'
import type { Entity } from '../../catalogue/entity.ts'
import type { Field } from '../../catalogue/kind.ts'
import { MAXIMUM_ITEMS } from '../../catalogue/read-cells.ts'

/** A row of an import as a client writes it best; reading is more lenient (see the catalogue's conventions). */
export const rowSchema = ({ fields, model }: Entity): TSchema =>
  Type.Object(rowProperties(fields), { title: `${model} row` })

const rowProperties = (fields: Readonly<Record<string, Field>>): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.required ? fieldSchema(field) : Type.Optional(fieldSchema(field)),
    ]),
  )

function fieldSchema(field: Field): TSchema {
  const schema = field.items
    ? Type.Array(Type.Object(rowProperties(field.items)), { maxItems: MAXIMUM_ITEMS })
    : field.schema
  return {
    ...schema,
    ...(field.note && { description: field.note }),
    ...(field.default !== undefined && { default: field.default }),
  } as TSchema
}
