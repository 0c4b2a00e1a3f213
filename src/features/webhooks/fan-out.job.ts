import type { Database } from '../../platform/db/database.ts'
import type { SystemTx } from '../../platform/db/system-tx.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { FanOut } from './commands/fan-out.ts'
import { DUE, leasedOutbox } from './outbox.store.ts'
import { FAN_OUT_QUEUE, WEBHOOK_QUEUE } from './webhook-queue.ts'

/** A second worker that comes too early waits for the first, and continues with the rest. */
const LEASE_MS = 10_000

/** The events that wait for their deliveries, of one account at a time. */
export function fanOutQueue(
  { db }: { readonly db: Database },
  fanOut: FanOut,
  { leaseMs = LEASE_MS }: { leaseMs?: number } = {},
): Queue {
  return leasedQueue(
    { db },
    {
      name: FAN_OUT_QUEUE,
      rows: leasedOutbox,
      due: DUE,
      leaseMs,
      given: {},
      async work([{ account }], _lease, stopping) {
        const step = (tx: SystemTx) => fanOut.step(tx, account)
        while (!stopping.aborted && (await db.asSystem('fan out webhook events', step))) db.wake(WEBHOOK_QUEUE)
      },
    },
  )
}
