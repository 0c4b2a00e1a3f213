import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { withdrawNotifications } from '../../notifications/commands/notify.ts'
import { cancelPending } from '../delivery-log.store.ts'
import { deleteStored, lockToDelete } from '../webhooks.store.ts'

/** Deletes a subscription and its pending deliveries; false if it does not exist. */
export async function deleteWebhook(tx: AccountTx, id: string): Promise<boolean> {
  // The fan-out locks its subscriptions: deliveries that it has added are cancelled, and then it adds no more.
  if (!(await tx.one(lockToDelete, { id }))) return false
  tx.later(deleteStored, { id })
  tx.later(cancelPending, { webhook: id })
  withdrawNotifications(tx, 'Webhook', id)
  auditOwn(tx, { action: 'webhook.deleted', subjectType: 'webhook', subjectId: id })
  return true
}
