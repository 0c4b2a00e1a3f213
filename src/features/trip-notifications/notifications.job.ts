import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { type DueRows, dueRowsQueue } from '../../platform/jobs/due-rows.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { noteNotified, takeDueNotifications } from './notifications.store.ts'
import type { Sender, SendOutcome } from './sender.ts'

/** Sends the claimed notifications of an account and records their outcomes, in one transaction. */
async function handOver(tx: AccountTx, sender: Sender, lease: string, ids: readonly string[]): Promise<void> {
  const held = await tx.all(takeDueNotifications, { lease, ids })
  const refused = held.flatMap(({ id, refused: reason }): [string, SendOutcome][] =>
    reason === null ? [] : [[id, { status: 'skipped', reason }]],
  )
  const due = held.flatMap(({ refused: reason, ...notification }) => (reason === null ? [notification] : []))
  const sent = due.length > 0 ? await sender(tx, due) : new Map<string, SendOutcome>()
  const outcomes = [...refused, ...sent].map(([id, outcome]) => ({ id, ...outcome }))
  if (outcomes.length > 0) await tx.all(noteNotified, { outcomes: JSON.stringify(outcomes) })
}

const NOTIFICATIONS: DueRows = {
  name: 'trip notifications',
  table: 'trip_notifications',
  key: ['id'],
  waiting: `status = 'scheduled'`,
  pollMs: 5_000,
}

/** The notifications of all accounts that are due. */
export const notificationQueue = (
  needs: { readonly db: Database; readonly log: Pick<Log, 'error'> },
  sender: Sender,
  leaseMs?: number,
): Queue => dueRowsQueue(needs, NOTIFICATIONS, (tx, lease, ids) => handOver(tx, sender, lease, ids), leaseMs)
