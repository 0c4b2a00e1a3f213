import type { SystemTx } from '../../../platform/db/database.ts'
import { build, statement } from '../../../platform/db/statement.ts'

export type NewBranch = { readonly companyId: string; readonly name: string; readonly code: string | null }

const insert = statement<{ account: number; isHeadquarters: boolean } & NewBranch, { id: string }>(
  ({ account, companyId, name, code, isHeadquarters }) =>
    build
      .insertInto('branches')
      .values({ account_id: account, company_id: companyId, name, code, is_headquarters: isHeadquarters })
      .returning('id'),
)

export async function insertBranch(
  tx: SystemTx,
  account: number,
  branch: NewBranch,
  isHeadquarters: boolean,
): Promise<string> {
  const made = await tx.one(insert, { account, isHeadquarters, ...branch })
  return (made as { id: string }).id
}
