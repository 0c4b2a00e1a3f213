import type { AccountTx } from '../db/account-tx.ts'
import type { Database } from '../db/database.ts'
import * as pg from '../db/pg-types.ts'
import type { Log } from '../log.ts'
import { leasedQueue } from './leased-queue.ts'
import { leasedRows } from './leased-rows.ts'
import { jobFailures, type Queue } from './workers.ts'

/** Rows that one process takes at once. */
const CLAIMED = 100
/** Working on them takes well under that. */
const LEASE_MS = 60_000

/** Rows with a due time, `next_attempt_at`, and a lease, `leased_by`. */
export type DueRows = {
  /** What the queue is called, and its rows. */
  readonly name: string
  readonly table: string
  /** The columns that identify its rows within an account; the work receives the first of them. */
  readonly key: readonly [string, ...string[]]
  /** SQL of which rows wait, whether they are due or not. */
  readonly waiting: string
  readonly pollMs: number
}

type Row = { account: number; id: string }

/**
 * A queue of rows that are due, some at a time, whatever their account: `work` does those of one account, in one
 * transaction. It looks first for which of them are still held by the lease, since others may have been moved, dropped or
 * taken over since the claim. The rows of an account where it fails wait for another claim.
 */
export function dueRowsQueue(
  { db, log }: { readonly db: Database; readonly log: Pick<Log, 'error'> },
  { name, table, key, waiting, pollMs }: DueRows,
  work: (tx: AccountTx, lease: string, ids: readonly string[]) => Promise<void>,
  leaseMs = LEASE_MS,
): Queue {
  const [id] = key
  const rows = leasedRows({
    table,
    key,
    waiting,
    most: CLAIMED,
    gives: { id: pg.uuid },
    columns: { id: `q.${id}` },
  })

  async function workOn(rows: readonly Row[], lease: string): Promise<void> {
    for (const [account, theirs] of Map.groupBy(rows, (row) => row.account)) {
      const ids = theirs.map(({ id }) => id)
      await db
        .inAccount(account, (tx) => work(tx, lease, ids))
        .catch((error: unknown) => {
          jobFailures.add([name])
          log.error({ err: error, account }, `${name} of one account failed; retrying after the lease expires`)
        })
    }
  }
  return leasedQueue({ db }, { name, rows, leaseMs, given: {}, pollMs, work: workOn })
}
