import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'

const revoke = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid, name: pg.text },
  `
  update api_keys set revoked_at = now(), version = version + 1
  where account_id = $account and id = $id and revoked_at is null returning id, name`,
)

/** Revokes a key for good; every process refuses it within a second. */
export async function revokeKey(tx: AccountTx, named: string): Promise<void> {
  const revoked = await tx.one(revoke, { id: named })
  if (!revoked) throw new RecordNotFound('key', 'No active key with this id exists in this account.')
  const { id, ...details } = revoked
  auditOwn(tx, { action: 'api_key.revoked', subjectType: 'api_key', subjectId: id, details })
}
