import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { insertBranch, listCompanies, type NewBranch } from '../accounts.store.ts'
import { requireAccount } from '../reads/require-account.ts'

/** Makes a branch of one of the account's companies. */
export async function createBranch(tx: SystemTx, account: number, given: NewBranch): Promise<string> {
  await requireAccount(tx, account)
  const companies = await tx.all(listCompanies, { account })
  if (!companies.some(({ id }) => id === given.companyId))
    throw new Error('The account has no such company. See: npx backdesk company list')
  return insertBranch(tx, account, given)
}
