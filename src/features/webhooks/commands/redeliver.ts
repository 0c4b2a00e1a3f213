import { randomUUIDv7 } from 'node:crypto'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { noSuch } from '../../../platform/http/by-id.ts'
import { ApiError } from '../../../platform/http/errors.ts'
import { copyDelivery, copyFailed, findPending, insertPing } from '../delivery-log.store.ts'
import { WEBHOOK_QUEUE } from '../webhook-queue.ts'
import { lockWebhookRow } from '../webhooks.store.ts'

const conflict = (message: string) => new ApiError('conflict', message)

/** Holds a subscription that something is to be sent to. To an inactive one it would never go out. */
async function lockActive(tx: AccountTx, webhook: string): Promise<void> {
  const held = await tx.one(lockWebhookRow, { id: webhook })
  if (!held) throw noSuch('webhook')
  if (!held.active) throw conflict('This webhook is inactive. Activate it first.')
}

/** Sends an event again, with the same bytes. Returns the new delivery's id. */
export async function redeliver(tx: AccountTx, webhook: string, id: string): Promise<string> {
  await lockActive(tx, webhook)
  const found = await tx.one(findPending, { webhook, id })
  if (!found) throw noSuch('delivery')
  if (found.pending) throw conflict('A delivery of this event is pending. Wait until it has finished.')
  const copy = randomUUIDv7()
  tx.later(copyDelivery, { webhook, id, copy })
  tx.wake(WEBHOOK_QUEUE)
  return copy
}

/** Sends once more what failed from `since` on and before `until`, or to this day. Answers how much that is. */
export async function redeliverFailed(
  tx: AccountTx,
  webhook: string,
  span: { readonly since: string; readonly until: string | null },
): Promise<number> {
  await lockActive(tx, webhook)
  const { redelivered } = (await tx.one(copyFailed, { webhook, ...span })) as { redelivered: number }
  if (redelivered > 0) tx.wake(WEBHOOK_QUEUE)
  return redelivered
}

/** Sends a test by the way of everything else. Answers the delivery's id. */
export async function sendPing(tx: AccountTx, webhook: string): Promise<string> {
  await lockActive(tx, webhook)
  const id = randomUUIDv7()
  tx.later(insertPing, { webhook, id, event: randomUUIDv7() })
  tx.wake(WEBHOOK_QUEUE)
  return id
}
