import { auditOwn, type Operator } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { withdrawNotifications } from '../../../platform/notify.ts'
import { cancelPending } from '../delivery-log.store.ts'
import { deleteStored } from '../webhooks.store.ts'

/** Ends a subscription, and what is on its way to it; false where there is none. */
export async function deleteWebhook(tx: AccountTx, id: string, operator: Operator): Promise<boolean> {
  takeChangeNumber(tx) // changes under way know it still, and what they add to it is cancelled too
  if (!(await tx.one(deleteStored, { id }))) return false
  tx.later(cancelPending, { webhook: id })
  withdrawNotifications(tx, 'Webhook', id)
  auditOwn(tx, operator, { action: 'webhook.deleted', subjectType: 'webhook', subjectId: id })
  return true
}
