import type { WrittenRecord } from '../../../imports/importable.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const keep = statement(
  { account: pg.integer, moves: pg.jsonText },
  {},
  `
  insert into lead_moves (account_id, lead_id, from_stage, to_stage)
  select $account::integer, lead_id, from_stage, to_stage from json_to_recordset($moves::json) as m(lead_id uuid, from_stage text, to_stage text)`,
)

/** Writes the imported stages of leads to their histories, without an author. */
export async function keepImportedMoves(tx: AccountTx, written: readonly WrittenRecord[]): Promise<void> {
  const moves = written.flatMap(({ id, values, before }) => {
    const from = before?.stage ?? null
    return values.stage === from ? [] : [{ lead_id: id, from_stage: from, to_stage: values.stage }]
  })
  if (moves.length > 0) tx.later(keep, { moves: JSON.stringify(moves) })
}
