import type { TextFile } from './open-file.ts'
import { type BadRow, type GoodRow, type Rows, unreadable } from './read-row.ts'
import { MAX_ROW_BYTES, type ReadOptions, readRows } from './read-rows.ts'

/** Rows that are sent together, and the rows among them that cannot be. */
export type Batch = { readonly rows: readonly GoodRow[]; readonly bad: readonly BadRow[] }

/** A file's rows in batches that a request can take, by number and by size. */
export async function* readBatches(file: TextFile, options: ReadOptions): AsyncGenerator<Batch> {
  const rows: Rows = readRows(file, options)
  let batch: { rows: GoodRow[]; bad: BadRow[] } = { rows: [], bad: [] }
  let bytes = 0
  for await (const read of rows) {
    if ('issue' in read) {
      batch.bad.push(read)
      continue
    }
    const size = Buffer.byteLength(JSON.stringify(read.row)) + 1
    if (size > MAX_ROW_BYTES) {
      batch.bad.push(unreadable(read.line, 'is larger than the request limit', read.source))
      continue
    }
    if (batch.rows.length > 0 && (batch.rows.length === options.target.maxRows || bytes + size > MAX_ROW_BYTES)) {
      yield batch
      batch = { rows: [], bad: [] }
      bytes = 0
    }
    batch.rows.push(read)
    bytes += size
  }
  if (batch.rows.length + batch.bad.length > 0) yield batch
}
