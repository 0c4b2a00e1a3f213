import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { RecordNotFound, type UserError } from '../../../platform/user-error.ts'

type Account = RowFrom<typeof find>
const find = statement(
  { account: pg.integer },
  { uuid: pg.uuid, plan: pg.text },
  'select uuid, plan from accounts where account_id = $account',
)

export const noSuchAccount = (account: number): UserError =>
  new RecordNotFound('account', `No account ${account} exists in this cell.`)

/** The account with this number; throws if this cell does not have it. */
export async function requireAccount(tx: SystemTx, account: number): Promise<Account> {
  const found = await tx.one(find, { account })
  if (!found) throw noSuchAccount(account)
  return found
}
