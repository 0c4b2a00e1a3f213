import { writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** A tenth of what one at the usual priority gets. */
const LOWER = constants.priority.PRIORITY_BELOW_NORMAL

/**
 * Lets a process of the embedded server have what the others leave of the processors. Linux shares them out among sessions
 * first, of which each backend has its own. Where the system refuses, the process runs like all others.
 */
export function runInBackground(pid: number): void {
  try {
    setPriority(pid, LOWER)
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(LOWER))
  } catch {
    // The process has gone, or the system knows no such thing.
  }
}
