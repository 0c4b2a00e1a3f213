import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

const release = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {},
  'update files set expires_at = now() where account_id = $account and id = any($ids::uuid[])',
)

/** Leaves files, which nothing holds any longer, to be swept away. */
export function releaseFiles(tx: AccountTx, ids: readonly string[]): void {
  if (ids.length > 0) tx.later(release, { ids })
}
