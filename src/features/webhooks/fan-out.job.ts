import type { Database } from '../../platform/db/database.ts'
import type { SystemTx } from '../../platform/db/system-tx.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { FanOut } from './commands/fan-out.ts'
import { claimOutbox, DUE } from './outbox.store.ts'
import { FAN_OUT_QUEUE, WEBHOOK_QUEUE } from './webhook-queue.ts'

/** A second worker that comes too early waits for the first, and finds what is left. */
const LEASE_MS = 10_000

/** The events that wait for their deliveries, of one account at a time. */
export function fanOutQueue(
  { db }: { readonly db: Database },
  fanOut: FanOut,
  { leaseMs = LEASE_MS }: { leaseMs?: number } = {},
): Queue {
  return {
    name: FAN_OUT_QUEUE,
    due: DUE,
    async claim() {
      const [due] = await db.askSystem('claim an account with events to fan out', claimOutbox, { ms: leaseMs })
      if (!due) return null
      const step = (tx: SystemTx) => fanOut.step(tx, due.account)
      return async (stopping) => {
        while (!stopping.aborted && (await db.asSystem('fan out webhook events', step))) db.wake(WEBHOOK_QUEUE)
      }
    },
  }
}
