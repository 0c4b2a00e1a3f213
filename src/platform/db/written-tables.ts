import type { Statement } from './statement.ts'

const WRITE = /\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)/gi
const known = new WeakMap<object, ReadonlySet<string>>()

/** The tables that a statement writes, by its text. Triggers may write others. */
export function writtenTables(statement: Pick<Statement, 'text'>): ReadonlySet<string> {
  const found = known.get(statement)
  if (found) return found
  const tables = new Set(Array.from(statement.text.matchAll(WRITE), ([, table]) => table as string))
  known.set(statement, tables)
  return tables
}
