import type { SystemTx } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'

export type NewBranch = { readonly companyId: string; readonly name: string; readonly code: string | null }

const insert = statement<{ account: number; isHeadquarters: boolean } & NewBranch, { id: string }>(`
  insert into branches (account_id, company_id, name, code, is_headquarters)
  values ($account, $companyId, $name, $code, $isHeadquarters) returning id`)

export async function insertBranch(
  tx: SystemTx,
  account: number,
  branch: NewBranch,
  isHeadquarters: boolean,
): Promise<string> {
  const made = await tx.one(insert, { account, isHeadquarters, ...branch })
  return (made as { id: string }).id
}
