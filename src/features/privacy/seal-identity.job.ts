import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { asItIs, noteSealed, ROWS_AT_ONCE, SEALINGS } from './seal-identity.store.ts'

const LEASE_MS = 60 * 60_000

/** Seals identity numbers that were stored before they were sealed, once for each account and table. */
export const sealIdentity: ScheduledJob<{ db: Database }> = {
  name: 'seal identity numbers',
  dueAgain: every('10 minutes'),
  leaseMs: LEASE_MS,
  async run({ db }, stopping) {
    for (const sealing of SEALINGS) {
      const left = await db.askSystem('accounts with clear identity numbers', sealing.accountsLeft, {})
      for (const { account } of left)
        for (let done = false; !done; ) {
          stopping.throwIfAborted()
          done = await db.inAccount(account, (tx) => sealNext(tx, sealing))
        }
    }
  },
}

/** Returns whether no rows are left. */
async function sealNext(tx: AccountTx, { source, nextRows, sealRows }: (typeof SEALINGS)[number]): Promise<boolean> {
  tx.later(asItIs, {})
  const next = await tx.one(nextRows, {})
  const done = (next?.rows ?? 0) < ROWS_AT_ONCE
  if (next?.clear) tx.later(sealRows, { rows: JSON.stringify(next.clear) })
  tx.later(noteSealed, { source, after: next?.last ?? null, done })
  return done
}
