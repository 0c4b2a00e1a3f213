import type { Entity } from '../../catalogue/entity.ts'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import { HEADS_DUE, leasedHeads, lockHead, makeHeads, numberEvents, purgeEvents, releaseHead } from './stream.store.ts'
import { NUMBERED, STREAM_QUEUE } from './stream-queue.ts'

const LEASE_MS = 60_000
const BATCH = 200

/** Numbers the events of one account at a time. */
export function streamQueue(entities: readonly Entity[]) {
  const number = numberEvents(entities)
  return ({ db }: { readonly db: Database }): Queue =>
    leasedQueue(
      { db },
      {
        name: STREAM_QUEUE,
        rows: leasedHeads,
        due: HEADS_DUE,
        leaseMs: LEASE_MS,
        given: {},
        before: makeHeads,
        async work([{ account }], lease, stopping) {
          const step = async (tx: AccountTx) => {
            if (!(await tx.one(lockHead, { lease }))) return 0
            return (await tx.one(number, { most: BATCH }))?.taken ?? 0
          }
          for (let taken = BATCH; taken === BATCH && !stopping.aborted; ) {
            taken = await db.inAccount(account, step)
            db.wake(NUMBERED)
          }
          await db.inAccount(account, async (tx) => tx.later(releaseHead, { lease }))
        },
      },
    )
}

/** Deletes events that no client will ask for. */
export const streamPurge: ScheduledJob<{ db: Database }> = {
  name: 'stream events',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge stream events of all accounts', purgeEvents, {}),
}
