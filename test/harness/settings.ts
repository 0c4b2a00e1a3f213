import { saveRole } from '../../src/features/accounts/commands/edit-role.ts'
import type { AccountChange } from '../../src/features/accounts/commands/read-account-change.ts'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { updateAccount } from '../../src/features/accounts/commands/update-account.ts'
import { revokeKey } from '../../src/features/api-keys/commands/revoke-key.ts'
import { restrictTag } from '../../src/features/customers/commands/restrict-tag.ts'
import { OPERATOR } from './agency.ts'
import type { TestCell } from './cell.ts'
import { ask } from './sql.ts'

/** Settings of an account, as the command line changes them. */
type On = Pick<TestCell, 'deps'>

export const saveRoleOf = (cell: On, account: number, name: string, policies: readonly string[]): Promise<void> =>
  cell.deps.db.inAccount(account, (tx) => saveRole(tx, SERVER_OPERATOR, name, policies), OPERATOR)
export const restrictTagOf = (cell: On, account: number, tag: string, restricted = true): Promise<boolean> =>
  cell.deps.db.inAccount(account, (tx) => restrictTag(tx, tag, restricted), OPERATOR)
export const revokeKeyOf = (cell: On, account: number, id: string): Promise<void> =>
  cell.deps.db.inAccount(account, (tx) => revokeKey(tx, id), OPERATOR)
export const updateAccountOf = (cell: On, account: number, change: AccountChange): Promise<void> =>
  cell.deps.db.inAccount(account, (tx) => updateAccount(tx, change), OPERATOR)

/** A change of the retention rules as they are now. */
export async function changedRules(cell: Pick<TestCell, 'connection'>, { number }: { number: number }) {
  const [rules] = await ask<{ version: number }>(cell, 'select version from retention_rules where account_id = $1', [
    number,
  ])
  const version = rules?.version ?? 1
  return { body: { version, leads_days: 90 + version } }
}
