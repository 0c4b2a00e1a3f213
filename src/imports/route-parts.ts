import Type from 'typebox'
import type { Entity } from '../catalogue/entity.ts'
import { ApiError } from '../platform/http/errors.ts'

/** What all routes of the import have in common. */
export const IMPORTS = {
  tag: {
    name: 'Imports',
    description: 'Import of records from other systems: catalogue, dry run, import and records feed.',
  },
  scope: ['import', 'full'],
} as const
/** The default namespace of external ids. */
export const DEFAULT_SOURCE = 'api'
/** The longest name of a source system, in characters. */
export const SOURCE_LENGTH = 60
/** The maximum number of rows of a request, and the maximum for a synchronous import. */
export type ImportLimits = { readonly maxRows: number; readonly syncRows: number }
const KEY_LENGTH = 2048
/** The key of one of these entities. The document lists them; another one is answered with `unknown_entity`. */
export const EntityKeyShape = (entities: readonly Entity[], example: string) =>
  Type.String({
    maxLength: KEY_LENGTH,
    description: `Entity key, e.g. \`${example}\`.`,
    enumInDocument: entities.map(({ key }) => key),
    example,
  })

/** `readOnly`: there is such an entity, which no import writes. */
export const unknownEntity = (key: string, readOnly = false): ApiError => {
  const problem = readOnly ? `${key} cannot be imported` : `No entity ${JSON.stringify(key.slice(0, 60))} exists`
  const readable = readOnly ? ` GET /api/v1/imports/${key}/records reads its records.` : ''
  return new ApiError(
    'unknown_entity',
    `${problem}. GET /api/v1/imports/entities lists the importable entities.${readable}`,
  )
}
