import { audit } from '../../../platform/audit.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'

const revoke = statement(
  { account: pg.integer, id: pg.text },
  { name: pg.text },
  `
  update api_keys set revoked_at = now() where account_id = $account and id::text = $id and revoked_at is null returning name`,
)

/** Revokes a key for good; every process refuses it within a second. */
export async function revokeKey(tx: SystemTx, account: number, id: string, operator: Operator): Promise<void> {
  const revoked = await tx.one(revoke, { account, id })
  if (!revoked) throw new Error('No active key with this id exists in this account. See: npx backdesk key list')
  await audit(tx, account, operator, {
    action: 'api_key.revoked',
    subjectType: 'api_key',
    subjectId: id,
    details: { name: revoked.name },
  })
}
