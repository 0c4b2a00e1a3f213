import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { OutboxOf } from '../../../platform/db/database.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { turns } from '../../../platform/db/turns.ts'
import { jobFailures } from '../../../platform/jobs/workers.ts'
import { type Kept, keepEvents, noteFormerDigests, readListening } from '../outbox.store.ts'
import { FAN_OUT_QUEUE, WEBHOOK_QUEUE } from '../webhook-queue.ts'
import type { FanOut } from './fan-out.ts'

/** That a change waits for the fan-out of the one before: less than the database lets its transaction idle. */
const PATIENCE_MS = 5_000

/** Fan-outs that the changes of all accounts do at once: the other connections of the system look up keys. */
const AT_ONCE = 2
const ALL = 0

/**
 * Keeps the events of a transaction, where a subscription listens to them, for the worker that fans them out. What they
 * say is read after the commit: the records stay as they are until then, since the next change of the account waits for
 * the fan-out of this one.
 */
export function eventsOutbox(fanOut: FanOut): OutboxOf {
  const keep = keepEvents(fanOut.firing)
  const inTurn = turns(AT_ONCE)
  return ({ askSystem, asSystem }) => {
    /** How a record looked before is read beside the transaction, whose change number keeps everybody else from changing it. */
    async function keepFormer(tx: AccountTx, { entity, ids }: Kept['updated'][number]): Promise<void> {
      const reason = 'read records as they were before a change'
      const former = await askSystem(reason, fanOut.digests(entity), { account: tx.account, ids })
      tx.later(noteFormerDigests, {
        entity,
        ids: former.map(({ id }) => id),
        digests: former.map(({ digest }) => digest),
      })
    }
    /** Where that fails or takes long, the worker goes on, and so does this change: its account must not stand still. */
    async function fanOutEarlier(tx: AccountTx): Promise<void> {
      const until = performance.now() + PATIENCE_MS
      const step = (system: SystemTx) => fanOut.step(system, tx.account)
      try {
        for (let left = true; left && performance.now() < until; )
          left = await inTurn.take(ALL, () => asSystem('fan out the events of an earlier change', step))
      } catch {
        jobFailures.add([FAN_OUT_QUEUE])
      }
      tx.wake(WEBHOOK_QUEUE)
    }

    return (tx) => {
      // Asked at once, so that nobody waits for the answer at the end.
      const asked = tx.one(readListening, {})
      asked.catch(() => {}) // it fails with the transaction, which says why
      return async () => {
        if (!(await asked)?.listening) return
        const { kept, earlier, updated } = (await tx.one(keep, {})) as Kept
        if (kept) tx.wake(FAN_OUT_QUEUE)
        await Promise.all([...updated.map((batch) => keepFormer(tx, batch)), earlier && fanOutEarlier(tx)])
      }
    }
  }
}
