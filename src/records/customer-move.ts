import * as pg from '../platform/db/pg-types.ts'
import { type Statement, statement } from '../platform/db/statement.ts'

export const MOVED = { account: pg.integer, loser: pg.uuid, into: pg.uuid }

/** How a feature moves references to a merged customer: one statement for each column. */
export type CustomerMove = {
  /** `table.column`. A test compares them with the foreign keys of the database. */
  readonly of: string
  readonly statement: Statement<pg.InputOf<typeof MOVED>, object>
}

/** Moves a column that can name another customer, unchanged. */
export const moveCustomerIn = (table: string, column: string): CustomerMove => ({
  of: `${table}.${column}`,
  statement: statement(
    MOVED,
    {},
    `update ${table} set ${column} = $into where account_id = $account::integer and ${column} = $loser`,
  ),
})
