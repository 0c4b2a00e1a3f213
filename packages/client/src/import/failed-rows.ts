import { closeSync, openSync, writeSync } from 'node:fs'
import { stringify } from 'csv-stringify/sync'
import { ImportError } from './import-error.ts'
import { ADDED, type RowIssue, type Source } from './read-row.ts'

/** A spreadsheet would execute such a cell, even behind apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/
const BYTE_ORDER_MARK = '\ufeff'

export type FailedRows = {
  add(line: number, issues: readonly RowIssue[], source: Source): void
  written(): boolean
  close(): void
}

/**
 * The failed rows as in the file, preceded by line and errors, to be corrected and imported again. The file is created
 * with the first failed row. `hasMark`: whether the imported file begins with a byte order mark, as Excel needs.
 */
export function failedRows(path: string, hasMark: boolean): FailedRows {
  let file: number | null = null
  let closed = false
  const begin = (source: Source): number => {
    const opened = open(path)
    if (hasMark) writeSync(opened, BYTE_ORDER_MARK)
    if (source.kind === 'csv') writeSync(opened, csvLine(source, ADDED, source.table.header))
    return opened
  }
  return {
    add(line, issues, source) {
      file ??= begin(source)
      writeSync(file, textOf(source, line, issues))
    },
    written: () => file !== null,
    close() {
      if (file !== null && !closed) closeSync(file)
      closed = true
    },
  }
}

function textOf(source: Source, line: number, issues: readonly RowIssue[]): string {
  if (source.kind === 'text') return `${source.text}\n` // not JSON, so there is nowhere to add the errors
  if (source.kind === 'csv') {
    const errors = issues.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' | ')
    return csvLine(source, { line: String(line), errors }, source.cells)
  }
  const { value } = source
  const isRow = typeof value === 'object' && value !== null && !Array.isArray(value)
  return `${JSON.stringify(isRow ? { [ADDED.line]: line, [ADDED.errors]: issues, ...value } : value)}\n`
}

/** Without the columns that an earlier import added. */
function csvLine(
  { table: { header, delimiter } }: Extract<Source, { kind: 'csv' }>,
  { line, errors }: { readonly line: string; readonly errors: string },
  cells: readonly string[],
): string {
  const own = cells.filter((_, at) => header[at] !== ADDED.line && header[at] !== ADDED.errors)
  return stringify([[line, errors, ...own].map(harmless)], { delimiter })
}

function open(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code
    throw new ImportError(
      'failed_rows_unwritable',
      `The failed rows cannot be written to ${path} (${why}). Choose another file with --failed.`,
    )
  }
}

const harmless = (cell: string): string => (FORMULA.test(cell) ? `'${cell}` : cell)
/** Takes back what `harmless` did. */
export const asItWas = (cell: string): string => (/^'/.test(cell) && FORMULA.test(cell) ? cell.slice(1) : cell)
