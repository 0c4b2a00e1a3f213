import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { requireAccount } from '../../accounts/reads/require-account.ts'

const revoke = statement(
  { account: pg.integer, id: pg.text },
  { name: pg.text },
  `
  update api_keys set revoked_at = now() where account_id = $account and id::text = $id and revoked_at is null returning name`,
)

/** Revokes a key for good; every process refuses it within a second. */
export async function revokeKey(tx: SystemTx, account: number, id: string, operator: Operator): Promise<void> {
  await requireAccount(tx, account)
  const revoked = await tx.one(revoke, { account, id })
  if (!revoked) throw new RecordNotFound('key', 'No active key with this id exists in this account.')
  await audit(tx, account, operator, {
    action: 'api_key.revoked',
    subjectType: 'api_key',
    subjectId: id,
    details: { name: revoked.name },
  })
}
