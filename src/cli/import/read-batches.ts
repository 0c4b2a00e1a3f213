import type { ApiClient } from './api-client.ts'
import { type Batch, batches } from './batches.ts'
import type { TextFile } from './open-file.ts'
import { readRows } from './read-rows.ts'

/** Under the 10 MiB that a request may have, with room for the rest of the body. */
const MAX_BATCH_BYTES = 9 * 1024 * 1024

type Catalogue = { limits: { max_rows_per_request: number } }
type Entry = { entity: { fields: { key: string; type: string }[] } }

/** A file's rows in batches of the catalogue's size. */
export async function readBatches(
  file: TextFile,
  client: ApiClient,
  { entity: key, delimiter }: { readonly entity: string; readonly delimiter?: string },
): Promise<AsyncGenerator<Batch>> {
  const { limits } = await client.get<Catalogue>('/imports/entities')
  const { entity } = await client.get<Entry>(`/imports/entities/${encodeURIComponent(key)}`)
  const listFields = new Set(entity.fields.filter(({ type }) => type === 'list').map(({ key }) => key))
  const rows = readRows(file, {
    listFields,
    maxRowChars: MAX_BATCH_BYTES,
    ...(delimiter !== undefined && { delimiter }),
  })
  return batches(rows, { maxRows: limits.max_rows_per_request, maxBytes: MAX_BATCH_BYTES })
}
