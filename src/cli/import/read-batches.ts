import type { ApiClient } from './api-client.ts'
import type { TextFile } from './open-file.ts'
import { type BadRow, type GoodRow, type Rows, unreadable } from './read-row.ts'
import { readRows } from './read-rows.ts'

/** Rows that are sent together, and the rows among them that cannot be. */
export type Batch = { readonly rows: readonly GoodRow[]; readonly bad: readonly BadRow[] }
type Limits = { readonly maxRows: number; readonly maxBytes: number }

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
  return cut(rows, { maxRows: limits.max_rows_per_request, maxBytes: MAX_BATCH_BYTES })
}

/** Cuts rows into batches that a request can take, by number and by size. */
async function* cut(rows: Rows, { maxRows, maxBytes }: Limits): AsyncGenerator<Batch> {
  let batch: { rows: GoodRow[]; bad: BadRow[] } = { rows: [], bad: [] }
  let bytes = 0
  for await (const read of rows) {
    if ('issue' in read) {
      batch.bad.push(read)
      continue
    }
    const size = Buffer.byteLength(JSON.stringify(read.row)) + 1
    if (size > maxBytes) {
      batch.bad.push(unreadable(read.line, 'is larger than a request may be', { external_id: read.row.external_id }))
      continue
    }
    if (batch.rows.length > 0 && (batch.rows.length === maxRows || bytes + size > maxBytes)) {
      yield batch
      batch = { rows: [], bad: [] }
      bytes = 0
    }
    batch.rows.push(read)
    bytes += size
  }
  if (batch.rows.length + batch.bad.length > 0) yield batch
}
