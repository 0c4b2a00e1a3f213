import type { Database } from '../../platform/db/database.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { purgePayloads } from './batches.store.ts'

/** Forgets the rows of batches that finished long ago. Their outcomes and counts stay. */
export const payloadPurge: ScheduledJob<{ db: Database }> = {
  name: 'import payloads',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge the payloads of all accounts', purgePayloads, {}),
}
