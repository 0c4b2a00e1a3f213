import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { refuseValues } from '../../../platform/invalid-values.ts'
import { lockAccount, writeAccount } from '../account-row.store.ts'
import { noSuchAccount } from '../reads/require-account.ts'
import { type Editor, lockSeat } from './seat-rules.ts'

/** Makes an active seat with the role of an owner the one that API keys without a role act as. */
export async function setOwner(tx: AccountTx, editor: Editor, named: string): Promise<void> {
  const { stored: seat } = await lockSeat(tx, editor, named)
  refuseValues([
    (seat.role !== 'owner' || !seat.active) && [
      'seat_id',
      'This seat is not an active owner. Give its person the role owner first.',
    ],
  ])
  const stored = await tx.one(lockAccount, {})
  if (!stored) throw noSuchAccount(tx.account)
  const { uuid, version: _, ...row } = stored
  if (row.owner_id === seat.id) return
  tx.later(writeAccount, { ...row, owner_id: seat.id })
  const [before, after] = [{ owner_id: row.owner_id }, { owner_id: seat.id }]
  auditOwn(tx, { action: 'account.updated', subjectType: 'account', subjectId: uuid, before, after })
}
