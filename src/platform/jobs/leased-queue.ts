import { randomUUID } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type * as pg from '../db/pg-types.ts'
import type { Statement } from '../db/statement.ts'
import type { LeasedRows } from './leased-rows.ts'
import type { Queue } from './workers.ts'

type Claimed<G extends pg.Columns> = pg.RowOf<G> & { account: number }

type LeasedWork<T extends pg.Columns, G extends pg.Columns> = Omit<Queue, 'claim' | 'due'> & {
  readonly rows: LeasedRows<T, G>
  /**
   * If the due rows differ from those that a claim may take: several rows of an account, of which one is taken at a
   * time.
   */
  readonly due?: string
  /** Longer than the work takes, unless that extends its lease. */
  readonly leaseMs: number
  /** The parameters of the claim besides the lease. */
  readonly given: pg.InputOf<T>
  /** Makes rows that are missing, before each claim. */
  readonly before?: Statement<Record<never, never>>
  /** If false, this process claims nothing for now. */
  mayClaim?(): boolean
  work(claimed: readonly [Claimed<G>, ...Claimed<G>[]], lease: string, stopping: AbortSignal): Promise<void>
}

/** A queue of rows of any account, each claimed by a lease. */
export function leasedQueue<T extends pg.Columns, G extends pg.Columns>(
  { db }: { readonly db: Pick<Database, 'askSystem'> },
  { rows, due = rows.due, leaseMs, given, before, mayClaim, work, ...queue }: LeasedWork<T, G>,
): Queue {
  return {
    ...queue,
    due,
    async claim() {
      if (mayClaim && !mayClaim()) return null
      const lease = randomUUID()
      const reason = `claim of the ${queue.name} of any account`
      if (before) await db.askSystem(reason, before, {})
      const claimed = await db.askSystem(reason, rows.claim, {
        ...given,
        lease,
        ms: leaseMs,
      })
      const [first, ...others] = claimed
      return first ? (stopping) => work([first, ...others], lease, stopping) : null
    },
  }
}
