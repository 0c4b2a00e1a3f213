import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 10
const SQLITE_BUSY = 5

/**
 * Runs `fn` while no other process of this machine holds the same lock; throws after waiting for `waitMs`.
 *
 * SQLite is used only for its file locks, the only kernel locks available in Node; the file stays empty. The kernel
 * releases a lock when its process ends, for any reason. A file with a process id would outlive its owner, and in
 * containers, where ids repeat, look as if the owner were alive.
 */
export async function withFolderLock<T>(file: string, waitMs: number, fn: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    for (const deadline = performance.now() + waitMs; !take(lock); await sleep(RETRY_MS)) {
      if (performance.now() < deadline) continue
      throw new Error(`Another process has held the lock ${file} for more than ${waitMs / 1_000} s.`)
    }
    return await fn()
  } finally {
    lock.close()
  }
}

function take(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}
