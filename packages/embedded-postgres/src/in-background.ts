import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** A tenth of what one at the usual priority gets. */
const LOWER = constants.priority.PRIORITY_BELOW_NORMAL

/**
 * Runs a process of the embedded server at the lowest priority. Linux distributes processor time by session first, and
 * each backend has its own session. If the system refuses, the process runs normally.
 */
export function runInBackground(pid: number): void {
  try {
    setPriority(pid, LOWER)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(LOWER))
  } catch {
    // The process has gone, or the system knows no such thing.
  }
}
