import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const mark = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  `
  update communications set read_at = now(), updated_at = now()
  where account_id = $account and id = $id and read_at is null`,
)

/** Marks a message as read; a read message stays unchanged. */
export const markMessageRead = (tx: AccountTx, id: string): void => tx.later(mark, { id })
