import Type from 'typebox'
import { describe, entryOf } from '../../catalogue/describe.ts'
import type { Entity } from '../../catalogue/entity.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { jsonText } from '../../platform/json-text.ts'
import { EntityKeyShape, IMPORTS, type ImportLimits, unknownEntity } from '../route-parts.ts'
import { CatalogueEntry, CatalogueList, CONVENTIONS } from './entities.schema.ts'
import { templateOf } from './template.ts'

/** The catalogue of the entities that can be imported, in the order in which to import them. */
export function entitiesRoutes(entities: readonly Entity[], limits: ImportLimits): Route[] {
  const writable = entities.filter(({ readOnly }) => !readOnly)
  const ByKey = Type.Object({ key: EntityKeyShape(writable, 'customers') })
  const readOnlyKeys = new Set(entities.flatMap(({ key, readOnly }) => (readOnly ? [key] : [])))
  const catalogue = jsonText({
    data: writable.map(entryOf),
    limits: { max_rows_per_request: limits.maxRows, sync_row_limit: limits.syncRows },
    conventions: CONVENTIONS,
  })
  const textsOf = <T>(make: (entity: Entity) => T) => {
    const texts = new Map(writable.map((entity) => [entity.key, make(entity)]))
    return (key: string): T => {
      const text = texts.get(key)
      if (text === undefined) throw unknownEntity(key, readOnlyKeys.has(key))
      return text
    }
  }
  const entryOfKey = textsOf((entity) => jsonText(describe(entity)))
  const templateOfKey = textsOf((entity) => Buffer.from(templateOf(entity)))

  return [
    route({
      ...IMPORTS,
      method: 'GET',
      path: '/imports/entities',
      summary: 'List the importable entities',
      description: 'The writable entities in order of import, the limits, and the common conventions.',
      policy: null,
      takes: {},
      answers: { status: 200, body: CatalogueList, description: 'The import catalogue.' },
      errors: [],
      handle: async () => catalogue,
    }),
    route({
      ...IMPORTS,
      method: 'GET',
      path: '/imports/entities/:key',
      summary: 'Read the fields of an entity',
      description:
        'Fields, references and a sample that can be posted as is. The list of fields is authoritative and changes over time.',
      policy: null,
      takes: { params: ByKey },
      answers: { status: 200, body: CatalogueEntry, description: 'The entity.' },
      errors: ['unknown_entity'],
      handle: async (_, { params }) => entryOfKey(params.key),
    }),
    route({
      ...IMPORTS,
      method: 'GET',
      path: '/imports/entities/:key/template.csv',
      summary: 'Download a CSV template',
      description: 'The sample as CSV, with a header of all fields. Lists are JSON text in one cell.',
      policy: null,
      takes: { params: ByKey },
      answers: {
        status: 200,
        body: Type.String({ maxLength: 100_000 }),
        description: 'The CSV template.',
        type: 'text/csv',
      },
      errors: ['unknown_entity'],
      handle: async (_, { params }) => ({ body: templateOfKey(params.key), filename: `${params.key}.csv` }),
    }),
  ]
}
