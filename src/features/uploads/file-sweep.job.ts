import type { Database } from '../../platform/db/database.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { every, type ScheduledJob } from '../../platform/jobs/schedule.ts'
import { FILES_AT_ONCE, findExpiredFiles, forgetFile } from './file-sweep.store.ts'

const LEASE_MS = 15 * 60_000

/**
 * Deletes files that were not claimed in time, or that no record holds any longer: the bytes, then the rows. Such a
 * file cannot be claimed any more. Files that cannot be deleted stay for the next sweep, and the error is thrown.
 */
async function sweep(db: Database, store: FileStore, stopping: AbortSignal): Promise<void> {
  for (;;) {
    stopping.throwIfAborted()
    const files = await db.askSystem('find expired files of all accounts', findExpiredFiles, {})
    const removed = await Promise.allSettled(files.map((file) => store.remove(file)))
    const gone = files.filter((_, at) => removed[at]?.status === 'fulfilled')
    const input = { accounts: gone.map(({ account }) => account), ids: gone.map(({ id }) => id) }
    if (gone.length > 0) await db.askSystem('delete expired files of all accounts', forgetFile, input)
    const failed = removed.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
    if (files.length < FILES_AT_ONCE) return
  }
}

export const fileSweep: ScheduledJob<{ db: Database; files: { store: FileStore } }> = {
  name: 'expired files',
  dueAgain: every('1 hour'),
  leaseMs: LEASE_MS,
  run: ({ db, files }, stopping) => sweep(db, files.store, stopping),
}
