import type { Issue } from '../../../catalogue/kind.ts'
import { type Findings, readCells, type Values } from '../../../catalogue/read-cells.ts'
import type { Desk } from '../../../imports/desk.ts'
import { tickets } from '../verticals/tickets/tickets.entity.ts'

/** A row of tickets as an import reads it, without looking anything up. */
export function readTicketRow(
  row: Readonly<Record<string, unknown>>,
  { read }: Desk,
): { readonly values: Values; readonly errors: readonly Issue[] } {
  const found: Findings = { errors: [], warnings: [], ignored: new Set() }
  const values = readCells(tickets.entity.fields, row, read, found)
  return { values, errors: found.errors }
}
