import type { ApiClient } from './api-client.ts'
import { ImportError } from './import-error.ts'

export type TargetField = {
  readonly key: string
  readonly type: string
  readonly required: boolean
  readonly items: readonly TargetField[]
}
/** The entity to import, from the cell's catalogue. */
export type Target = { readonly entity: string; readonly fields: readonly TargetField[]; readonly maxRows: number }

type Catalogue = { data: { key: string }[]; limits: { max_rows_per_request: number } }
type Entry = { entity: { fields: TargetField[] } }

export async function findTarget(client: ApiClient, entity: string): Promise<Target> {
  const { data, limits } = await client.get<Catalogue>('/imports/entities')
  const keys = data.map(({ key }) => key)
  if (!keys.includes(entity))
    throw new ImportError('unknown_entity', `${entity} cannot be imported. Choose one of ${keys.join(', ')}.`)
  const entry = await client.get<Entry>(`/imports/entities/${encodeURIComponent(entity)}`)
  return { entity, fields: entry.entity.fields, maxRows: limits.max_rows_per_request }
}
