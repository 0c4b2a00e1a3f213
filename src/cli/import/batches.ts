import { type BadRow, type GoodRow, type Rows, unreadable } from './read-row.ts'

/** Rows that are sent together, and the rows among them that cannot be. */
export type Batch = { readonly rows: readonly GoodRow[]; readonly bad: readonly BadRow[] }
type Limits = { readonly maxRows: number; readonly maxBytes: number }

/** Cuts rows into batches that a request can take, by number and by size. */
export async function* batches(rows: Rows, { maxRows, maxBytes }: Limits): AsyncGenerator<Batch> {
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
