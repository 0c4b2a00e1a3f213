import { closeSync, openSync, writeSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { ImportError } from './import-error.ts'
import type { RowIssue } from './read-row.ts'

const COLUMNS = ['line', 'external_id', 'field', 'code', 'message', 'row']
/** A spreadsheet would run a cell that begins so. */
const FORMULA = /^[=+\-@\t\r]/

export type FailedRows = {
  add(line: number, externalId: unknown, issues: readonly RowIssue[], row: unknown): void
  written(): boolean
  close(): void
}

/** The failed rows with their reasons, one line for each reason; the file is made with the first of them. */
export function failedRows(path: string): FailedRows {
  let file: number | null = null
  let closed = false
  return {
    add(line, externalId, issues, row) {
      file ??= open(path)
      const cells = issues.map(({ field, code, message }) => [
        line,
        externalId ?? '',
        field,
        code,
        message,
        JSON.stringify(row),
      ])
      writeSync(file, stringify(cells.map((row) => row.map(harmless))))
    },
    written: () => file !== null,
    close() {
      if (file !== null && !closed) closeSync(file)
      closed = true
    },
  }
}

function open(path: string): number {
  try {
    const file = openSync(path, 'w')
    writeSync(file, stringify([COLUMNS]))
    return file
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code
    throw new ImportError(
      'failed_rows_unwritable',
      `The failed rows cannot be written to ${path} (${why}). Name another file with --failed.`,
    )
  }
}

const harmless = (cell: unknown): string => {
  const text = String(cell)
  return FORMULA.test(text) ? `'${text}` : text
}
