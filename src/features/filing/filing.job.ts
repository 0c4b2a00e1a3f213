import type { Database } from '../../platform/db/database.ts'
import {
  isDatabaseFull,
  isDatabaseTimeout,
  isDatabaseUnavailable,
  isSerializationFailure,
} from '../../platform/db/failures.ts'
import { leasedQueue } from '../../platform/jobs/leased-queue.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { fileBookings } from './file-bookings.ts'
import { type FileBookings, fileNext } from './file-next.ts'
import { addAccounts, leasedFilings, releaseAccount, UNFILED } from './filing-queue.store.ts'
import { FILING_QUEUE } from './filing-queue.ts'

/** Bookings that one transaction files. */
const MOST = 500
/** Accounts that one process files for at once. */
const AT_ONCE = 2
/** It looks through all accounts. */
const POLL_MS = 2_000
/** After that long another account has a turn. */
const TURN_MS = 20_000
/** Longer than a turn and its last transaction. */
const LEASE_MS = 60_000

/** Leaves a booking unchanged. */
const leaveOut = async () => {}

/**
 * Files the bookings of all accounts into their trips, in batches. After a failure smaller batches are tried; a single
 * booking that fails is skipped until it changes again.
 */
export function filingQueue(
  { db, log }: { readonly db: Database; readonly log: Pick<Log, 'error'> },
  {
    most = MOST,
    leaseMs = LEASE_MS,
    file = fileBookings,
  }: { most?: number; leaseMs?: number; file?: FileBookings } = {},
): Queue {
  async function work(account: number, lease: string, stopping: AbortSignal): Promise<void> {
    const until = performance.now() + TURN_MS
    const next = (some: number, how: FileBookings) => db.inAccount(account, (tx) => fileNext(tx, lease, some, how))
    let some = most
    for (let goesOn = true; goesOn && !stopping.aborted && performance.now() < until; ) {
      try {
        goesOn = await next(some, file)
        some = Math.min(most, some * 2)
      } catch (error) {
        const isAlone = some === 1
        const isNotItsFault = isDatabaseUnavailable(error) || isDatabaseFull(error)
        if (isNotItsFault || (isAlone && (isSerializationFailure(error) || isDatabaseTimeout(error)))) throw error
        some = Math.ceil(some / 8)
        if (!isAlone) continue
        log.error({ err: error, account }, 'could not file a booking into a trip; skipping it')
        goesOn = await next(1, leaveOut)
      }
    }
    await db.askSystem('release the lease of an account', releaseAccount, { account, lease })
  }
  return leasedQueue(
    { db },
    {
      name: FILING_QUEUE,
      rows: leasedFilings,
      due: UNFILED,
      leaseMs,
      given: {},
      atOnce: AT_ONCE,
      pollMs: POLL_MS,
      before: addAccounts,
      work: ([{ account }], lease, stopping) => work(account, lease, stopping),
    },
  )
}
