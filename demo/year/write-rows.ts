import type { AccountTx } from '../../src/platform/db/account-tx.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { type Statement, statement } from '../../src/platform/db/statement.ts'

type Rows = Statement<{ account: number; rows: string }>

/** Writes rows of the account into a table, as they once were: each names the same columns. */
export const intoTable = (table: string, columns: string): Rows =>
  statement(
    { account: pg.integer, rows: pg.jsonText },
    {},
    `insert into ${table} (account_id, ${columns})
    select $account::integer, ${columns} from json_populate_recordset(null::${table}, $rows::json)`,
  )

export function writeRows(tx: AccountTx, into: Rows, rows: readonly object[]): void {
  if (rows.length > 0) tx.later(into, { rows: JSON.stringify(rows) })
}
