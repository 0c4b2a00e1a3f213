import type { AccountTx } from '../../../platform/db/account-tx.ts'
import type { OutboxOf } from '../../../platform/db/database.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import { turns } from '../../../platform/db/turns.ts'
import { jobFailures } from '../../../platform/jobs/workers.ts'
import type { Log } from '../../../platform/log.ts'
import { type KeptEvents, keepEvents, limitLockWait, noteFormerDigests, readListening } from '../outbox.store.ts'
import { FAN_OUT_QUEUE, WEBHOOK_QUEUE } from '../webhook-queue.ts'
import type { FanOut } from './fan-out.ts'

/** How long a change waits for the fan-out of the one before. The database ends a transaction that idles for 15 s. */
const PATIENCE_MS = 5_000

/** Fan-outs that the changes of all accounts do at once: the other connections of the system look up keys. */
const AT_ONCE = 2
const ALL = 0

/**
 * Stores the events of a transaction, if a subscription receives them, for the fan-out worker. Their content is read
 * after the commit: the records stay unchanged until then, since the next change of the account waits for this fan-out.
 */
export function eventsOutbox(
  fanOut: FanOut,
  log: Pick<Log, 'warn'>,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): OutboxOf {
  const keep = keepEvents(fanOut.firing)
  const inTurn = turns(AT_ONCE)
  return ({ askSystem, asSystem }) => {
    /** The running or waiting step of an account: one each, so that no account takes the turns of others. */
    const steps = new Map<number, Promise<boolean>>()
    /**
     * The previous state of a record is read outside of the transaction, whose change number locks out other changes.
     */
    async function keepFormer(tx: AccountTx, { entity, ids }: KeptEvents['updated'][number]): Promise<void> {
      const reason = 'read records as they were before a change'
      const former = await askSystem(reason, fanOut.digests(entity), { account: tx.account, ids })
      tx.later(noteFormerDigests, {
        entity,
        ids: former.map(({ id }) => id),
        digests: former.map(({ digest }) => digest),
      })
    }
    /**
     * Returns whether events may be left. A failure is logged here, because the change that needed the step may have
     * ended.
     */
    function step(account: number): Promise<boolean> {
      const known = steps.get(account)
      if (known) return known.then(() => true) // it may have begun before the last commit
      const run = async (system: SystemTx) => {
        const [, left] = await Promise.all([
          system.all(limitLockWait, { ms: patienceMs }),
          fanOut.step(system, account),
        ])
        return left
      }
      const made = inTurn
        .take(ALL, () => asSystem('fan out the events of an earlier change', run))
        .catch((error: unknown) => {
          jobFailures.add([FAN_OUT_QUEUE])
          log.warn({ err: error, queue: FAN_OUT_QUEUE, account }, 'could not fan out webhook events; retrying later')
          return false
        })
        .finally(() => steps.delete(account))
      steps.set(account, made)
      return made
    }
    /**
     * If the fan-out fails or is slow, the worker continues, and so does this change: the account must not be blocked.
     */
    async function fanOutEarlier(tx: AccountTx): Promise<void> {
      const { promise: tooLong, resolve } = Promise.withResolvers<boolean>()
      const timer = setTimeout(resolve, patienceMs, false)
      while (await Promise.race([step(tx.account), tooLong]));
      clearTimeout(timer)
      tx.wake(WEBHOOK_QUEUE)
    }

    return (tx) => {
      // Sent at once, so that its answer is not awaited at the end.
      const asked = tx.one(readListening, {})
      asked.catch(() => {}) // it fails with the transaction, whose error is reported
      return async () => {
        if (!(await asked)?.listening) return
        const { kept, earlier, updated } = (await tx.one(keep, {})) as KeptEvents
        if (kept) tx.wake(FAN_OUT_QUEUE)
        await Promise.all([...updated.map((batch) => keepFormer(tx, batch)), earlier && fanOutEarlier(tx)])
      }
    }
  }
}
