import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import type { RowIssue } from './read-row.ts'

const COLUMNS = ['line', 'external_id', 'field', 'code', 'message', 'row']
/** A spreadsheet would run a cell that begins so. */
const FORMULA = /^[=+\-@\t\r]/

export type FailedRows = {
  add(line: number, externalId: unknown, issues: readonly RowIssue[], row: unknown): void
  close(): Promise<void>
  written(): boolean
}

/** The failed rows with their reasons, one line for each reason; the file is made with the first of them. */
export function failedRows(path: string): FailedRows {
  let file: WriteStream | null = null
  return {
    add(line, externalId, issues, row) {
      file ??= open(path)
      for (const { field, code, message } of issues) {
        const cells = [line, externalId ?? '', field, code, message, JSON.stringify(row)]
        file.write(stringify([cells.map(harmless)]))
      }
    },
    written: () => file !== null,
    async close() {
      if (!file || file.writableEnded) return
      file.end()
      await once(file, 'close')
    },
  }
}

function open(path: string): WriteStream {
  const file = createWriteStream(path)
  file.write(stringify([COLUMNS]))
  return file
}

const harmless = (cell: unknown): string => {
  const text = String(cell)
  return FORMULA.test(text) ? `'${text}` : text
}
