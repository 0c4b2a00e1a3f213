import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { RecordNotFound } from '../../../platform/user-error.ts'
import { deleteBilling } from '../billings.store.ts'

export type RemovedBilling = { readonly id: string; readonly filename: string; readonly documents: number }

/** Removes a billing with all its documents. Data of an older billing about them becomes current again. */
export async function removeBilling(tx: AccountTx, id: string): Promise<RemovedBilling> {
  const removed = await tx.one(deleteBilling, { id })
  if (!removed) throw new RecordNotFound('bsp_billing', `No billing ${id} exists in this account.`)
  auditOwn(tx, { action: 'bsp_billing.removed', subjectType: 'bsp_billing', subjectId: id, details: removed })
  return { id, ...removed }
}
