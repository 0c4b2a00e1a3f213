import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { statement } from '../../../platform/db/statement.ts'

const release = statement<{ account: number; ids: readonly string[] }, never>(
  'update files set expires_at = now() where account_id = $account and id = any($ids::uuid[])',
)

/** Leaves files, which nothing holds any longer, to be swept away. */
export async function releaseFiles(tx: AccountTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.all(release, { ids })
}
