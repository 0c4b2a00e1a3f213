import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { notify } from '../../notifications/commands/notify.ts'
import { FAILING_TOO_LONG_SQL } from '../delivery-queue.store.ts'

/** Characters of a notification's label. */
const LABEL = 200
const deactivate = statement(
  { account: pg.integer, id: pg.uuid },
  { url: pg.text, failed: pg.integer, owner: pg.nullable(pg.uuid) },
  `
  update webhooks w set active = false, updated_at = now()
  where w.account_id = $account and w.id = $id and w.active and w.deleted_at is null and ${FAILING_TOO_LONG_SQL}
  returning w.url, w.failed, (select a.owner_id from accounts a where a.account_id = w.account_id) as owner`,
)

/**
 * Deactivates a subscription whose receiver has been failing for long, and notifies the owner. Pending deliveries wait
 * until it is active again.
 */
export async function deactivateWebhook(tx: AccountTx, id: string): Promise<void> {
  const ended = await tx.one(deactivate, { id })
  if (!ended) return
  const { url, failed, owner } = ended
  const { host } = new URL(url) // the rest may hold what only the receiver should know
  auditOwn(tx, { action: 'webhook.disabled', subjectType: 'webhook', subjectId: id, details: { host, failed } })
  if (owner === null) return
  notify(tx, {
    seat: owner,
    kind: 'webhook_disabled',
    title: 'A webhook was deactivated',
    body: `No delivery to ${host} has succeeded for five days, and ${failed} deliveries failed for good. Activate the webhook again when the receiver works.`,
    priority: 'high',
    subjectType: 'Webhook',
    subjectId: id,
    subjectLabel: host.slice(0, LABEL),
  })
}
