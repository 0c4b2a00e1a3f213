import type { Database } from '../../platform/db/database.ts'
import { ON_THE_NEXT_DAY_UTC, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import type { Log } from '../../platform/log.ts'
import { listHeads } from './chain.store.ts'

/**
 * Writes the head of each chain to the log of the program, which is kept outside of the database: `audit verify --head`
 * compares a chain with it, and so finds that its end was cut off.
 */
export const logChainHeads: ScheduledJob<{ db: Database; log: Pick<Log, 'info'> }> = {
  name: 'audit chain heads',
  dueAgain: ON_THE_NEXT_DAY_UTC,
  leaseMs: 60_000,
  run: async ({ db, log }) => {
    const heads = await db.askSystem('heads of the chains of all accounts', listHeads, {})
    for (const { account, seq, head } of heads) log.info({ account, head: `${seq}:${head}` }, 'audit chain head')
  },
}
