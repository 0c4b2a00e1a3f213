/** What is wrong with a row, in the words of an import's outcome. */
export type RowIssue = { readonly field: string; readonly code: string; readonly message: string }

/** A row of a file, and the line that it starts on, counted from 1. */
export type GoodRow = { readonly line: number; readonly row: Readonly<Record<string, unknown>> }
/** A row that cannot be sent; the rows after it can. `row` is what was understood of it. */
export type BadRow = { readonly line: number; readonly issue: RowIssue; readonly row: unknown }
export type ReadRow = GoodRow | BadRow
export type Rows = AsyncGenerator<ReadRow, void, undefined>

/** The row, if the value is an object: the server refuses the whole request for anything else. */
export function rowOf(line: number, value: unknown): ReadRow {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { line, row: value as Record<string, unknown> }
  }
  return unreadable(line, 'is not an object with the fields of the entity', value)
}

export const unreadable = (line: number, what: string, row: unknown = null): BadRow => ({
  line,
  issue: { field: '', code: 'unreadable_row', message: `Line ${line} ${what}.` },
  row,
})
