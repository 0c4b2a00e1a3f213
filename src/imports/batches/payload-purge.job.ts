import type { Database } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'

const purge = statement(
  {},
  {},
  `
  with due as (update import_batches set purge_at = null where purge_at <= now() returning account_id, id)
  update import_chunks c set rows = null from due where c.account_id = due.account_id and c.batch_id = due.id`,
)

/** Forgets the rows of batches that finished long ago. Their outcomes and counts stay. */
export const payloadPurge: ScheduledJob<{ db: Database }> = {
  name: 'import payloads',
  dueAgain: every('1 hour'),
  leaseMs: 60_000,
  run: ({ db }) => db.askSystem('purge the payloads of all accounts', purge, {}),
}
