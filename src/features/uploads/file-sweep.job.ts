import type { Database } from '../../platform/db/database.ts'
import { notMovedSql } from '../../platform/db/not-moved.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'

const AT_ONCE = 100
/** Longer than any transaction, so that none is left that took the file while it could still be taken. */
const GRACE = '1 hour'
const LEASE_MS = 15 * 60_000

const expired = statement(
  {},
  { account: pg.integer, id: pg.uuid },
  `
  select account_id as account, id from files
  where expires_at < now() - interval '${GRACE}' and ${notMovedSql('account_id')} order by expires_at limit ${AT_ONCE}`,
)
const forget = statement(
  { accounts: pg.list(pg.integer), ids: pg.list(pg.uuid) },
  {},
  `
  delete from files f using unnest($accounts::integer[], $ids::uuid[]) as gone(account_id, id)
  where f.account_id = gone.account_id and f.id = gone.id`,
)

/**
 * Removes the files that nothing took in time, or holds any longer: the bytes, and then the rows. Nobody can take such a
 * file. What cannot be removed stays for the next sweep, and is thrown.
 */
async function sweep(db: Database, store: FileStore, stopping: AbortSignal): Promise<void> {
  for (;;) {
    stopping.throwIfAborted()
    const files = await db.askSystem('find expired files of all accounts', expired, {})
    const removed = await Promise.allSettled(files.map((file) => store.remove(file)))
    const gone = files.filter((_, at) => removed[at]?.status === 'fulfilled')
    const input = { accounts: gone.map(({ account }) => account), ids: gone.map(({ id }) => id) }
    if (gone.length > 0) await db.askSystem('forget expired files of all accounts', forget, input)
    const failed = removed.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    if (files.length < AT_ONCE) return
  }
}

export const fileSweep: ScheduledJob<{ db: Database; files: { store: FileStore } }> = {
  name: 'expired files',
  dueAgain: every('1 hour'),
  leaseMs: LEASE_MS,
  run: ({ db, files }, stopping) => sweep(db, files.store, stopping),
}
