import * as pg from '../platform/db/pg-types.ts'
import { type Statement, statement } from '../platform/db/statement.ts'

const REASSIGNED = { account: pg.integer, from: pg.uuid, to: pg.uuid }

/** How a feature hands the open work of a seat to another one. */
export type SeatMove = {
  /** What is moved, as answers and the audit log name it. */
  readonly what: string
  /** `table.column`. A test compares them with the foreign keys of the database. */
  readonly of: string
  readonly statement: Statement<pg.InputOf<typeof REASSIGNED>, { moved: number }>
}

/** Moves a column that names the responsible seat of a record `t`. `open` is SQL of whether there is still something to do. */
export const moveSeatIn = (table: string, column: string, open: string): SeatMove => ({
  what: table,
  of: `${table}.${column}`,
  statement: statement(
    REASSIGNED,
    { moved: pg.filled(pg.integer) },
    `
    with moved as (
      update ${table} t set ${column} = $to where t.account_id = $account::integer and t.${column} = $from and ${open} returning 1
    )
    select count(*)::integer as moved from moved`,
  ),
})
