/** An error of a row, in the form of an import outcome. */
export type RowIssue = { readonly field: string; readonly code: string; readonly message: string }

/** A row as the file has it, from which the file of failed rows is written. */
export type Source =
  | { readonly kind: 'csv'; readonly table: Table; readonly cells: readonly string[] }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
export type Table = { readonly header: readonly string[]; readonly delimiter: string }

/** A row of a file, and the line that it starts on, counted from 1. */
export type GoodRow = {
  readonly line: number
  readonly row: Readonly<Record<string, unknown>>
  readonly source: Source
}
/** A row that cannot be sent; the rows after it can. */
export type BadRow = { readonly line: number; readonly issue: RowIssue; readonly source: Source }
export type ReadRow = GoodRow | BadRow
export type Rows = AsyncGenerator<ReadRow, void, undefined>

/** What the file of failed rows adds to each row. A file that is corrected and sent again still has it. */
export const ADDED = { line: 'import_line', errors: 'import_errors' } as const

/** The row, if the value is an object: the server refuses the whole request for anything else. */
export function rowOf(line: number, value: unknown): ReadRow {
  const source = { kind: 'json', value } as const
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unreadable(line, 'is not an object with the fields of the entity', source)
  const { [ADDED.line]: _line, [ADDED.errors]: _errors, ...row } = value as Record<string, unknown>
  return { line, row, source: { kind: 'json', value: row } }
}

export const unreadable = (line: number, what: string, source: Source): BadRow => ({
  line,
  issue: { field: '', code: 'unreadable_row', message: `Line ${line} ${what}.` },
  source,
})
