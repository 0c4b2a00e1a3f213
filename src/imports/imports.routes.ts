import type { Route } from '../platform/http/route.ts'
import { batchesRoutes } from './batches/batches.routes.ts'
import { importRoutes } from './batches/import.routes.ts'
import { entitiesRoutes } from './entities/entities.routes.ts'
import type { Importable } from './importable.ts'
import { recordsRoutes } from './records/records.routes.ts'
import type { ImportLimits } from './route-parts.ts'

/** All routes over these entities: their catalogue, the import of their rows, its batches, and their records. */
export const importsRoutes = (importables: readonly Importable[], limits: ImportLimits): Route[] => {
  const entities = importables.map(({ entity }) => entity)
  const writable = importables.filter(({ entity }) => !entity.readOnly)
  return [
    ...entitiesRoutes(entities, limits),
    ...importRoutes(importables, limits),
    ...batchesRoutes(writable),
    ...recordsRoutes(entities),
  ]
}
