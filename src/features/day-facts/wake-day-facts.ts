import type { BeforeCommit } from '../../platform/db/account-tx.ts'
import { FACT_KINDS, factQueueName } from './fact-provider.ts'

/** Triggers on these tables request facts again. */
export const wakeDayFacts: BeforeCommit = {
  tables: ['trips', 'trip_days', 'trip_segments'],
  run(tx) {
    for (const kind of FACT_KINDS) tx.wake(factQueueName(kind))
  },
}
