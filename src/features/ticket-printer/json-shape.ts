import Type, { type TSchema } from 'typebox'
import type { Policies, Policy } from '../../platform/access/policies.ts'
import { enumOf, maybe, Text } from '../../platform/http/shapes.ts'

/** A part of stored JSON: the SQL that returns it to a role, given SQL for its jsonb, and the resulting shape. */
export type JsonPart = {
  readonly schema: TSchema & { readonly type?: unknown }
  sql(value: string, policies: Policies): string
}

/** Longer lists are truncated, because corrupt files can have any number of items. */
const MOST_ITEMS = 500

const asText = (value: string): string => `${value} #>> '{}'`
const asItIs = (value: string): string => value
/** Text, truncated to the maximum. */
export const textPart = (maximum: number): JsonPart => ({
  schema: maybe(Text(maximum)),
  sql: (value) => `left(${asText(value)}, ${maximum})`,
})
export const choicePart = (...values: readonly string[]): JsonPart => ({ schema: maybe(enumOf(values)), sql: asText })
export const integerPart: JsonPart = {
  schema: maybe(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  sql: asItIs,
}
export const booleanPart: JsonPart = { schema: maybe(Type.Boolean()), sql: asItIs }

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** An object stored with camelCase keys and shown with snake_case keys; null if missing. */
export const objectPart = (parts: Readonly<Record<string, JsonPart>>): JsonPart => ({
  schema: maybe(
    Type.Object(Object.fromEntries(Object.entries(parts).map(([name, { schema }]) => [name, schema])), {
      additionalProperties: false,
    }),
  ),
  sql: (value, policies) => {
    const pairs = Object.entries(parts).map(
      ([name, part]) => `'${name}', ${part.sql(`${value} -> '${camelCase(name)}'`, policies)}`,
    )
    return `case jsonb_typeof(${value}) when 'object' then json_build_object(${pairs.join(', ')}) end`
  },
})

/** A list, empty if missing. `item` is the name of an item within the SQL. */
export const listPart = (item: string, part: JsonPart): JsonPart => ({
  schema: Type.Array(part.schema, { maxItems: MOST_ITEMS }),
  sql: (value, policies) =>
    `coalesce((select json_agg(${part.sql(item, policies)} order by nth)
      from jsonb_array_elements(case jsonb_typeof(${value}) when 'array' then ${value} end) with ordinality as x(${item}, nth)
      where nth <= ${MOST_ITEMS}), '[]')`,
})

/** Null for roles without these policies. */
export const forRolesWith = (needs: readonly Policy[], part: JsonPart): JsonPart => ({
  schema: part.schema.type === 'array' ? maybe(part.schema) : part.schema,
  sql: (value, policies) => (needs.every((policy) => policies.has(policy)) ? part.sql(value, policies) : 'null'),
})
