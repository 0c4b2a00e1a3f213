import type { Column, ColumnsToRead } from './columns.ts'
import { detectFormat } from './detect-format.ts'
import type { TextFile } from './open-file.ts'
import { readCsv } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readJsonLines } from './read-json-lines.ts'
import type { Rows } from './read-row.ts'

export type ReadOptions = ColumnsToRead & {
  readonly delimiter?: string
  /** For CSV. */
  readonly onColumns?: (columns: readonly Column[]) => void
}

/** Under the 10 MiB that a request may have, with room for the rest of the body. */
export const MAX_ROW_BYTES = 9 * 1024 * 1024

/** The rows of a file, one after the other, in whichever format it is. */
export function readRows(file: TextFile, { delimiter, ...options }: ReadOptions): Rows {
  const format = detectFormat(file.path, file.head, delimiter)
  if (format.kind === 'json') return readJson(file.chunks, MAX_ROW_BYTES)
  if (format.kind === 'json_lines') return readJsonLines(file.chunks, MAX_ROW_BYTES)
  return readCsv(file.chunks, { ...options, delimiter: format.delimiter, maxRowChars: MAX_ROW_BYTES })
}
