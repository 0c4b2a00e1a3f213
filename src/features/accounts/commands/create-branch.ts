import { audit } from '../../../platform/audit.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { insertBranch, listCompanies, type NewBranch } from '../accounts.store.ts'
import { requireAccount } from '../reads/require-account.ts'

/** Makes a branch of one of the account's companies. */
export async function createBranch(
  tx: SystemTx,
  account: number,
  given: NewBranch,
  operator: Operator,
): Promise<string> {
  await requireAccount(tx, account)
  const companies = await tx.all(listCompanies, { account })
  if (!companies.some(({ id }) => id === given.companyId))
    throw new RecordNotFound('company', 'No such company exists in this account.')
  const id = await insertBranch(tx, account, given)
  await audit(tx, account, operator, {
    action: 'branch.created',
    subjectType: 'branch',
    subjectId: id,
    details: given,
  })
  return id
}
