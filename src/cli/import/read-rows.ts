import { detectFormat } from './detect-format.ts'
import type { TextFile } from './open-file.ts'
import { readCsv } from './read-csv.ts'
import { readJson } from './read-json.ts'
import { readJsonLines } from './read-json-lines.ts'
import type { Rows } from './read-row.ts'

type ReadOptions = {
  readonly listFields: ReadonlySet<string>
  readonly delimiter?: string
  readonly maxRowChars: number
}

/** The rows of a file, one after the other, in whichever format it is. */
export function readRows(file: TextFile, { listFields, delimiter, maxRowChars }: ReadOptions): Rows {
  const format = detectFormat(file.path, file.head, delimiter)
  if (format.kind === 'json') return readJson(file.chunks, maxRowChars)
  if (format.kind === 'json_lines') return readJsonLines(file.chunks, maxRowChars)
  return readCsv(file.chunks, { delimiter: format.delimiter, listFields, maxRowChars })
}
