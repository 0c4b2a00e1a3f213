import type { Database } from '../db/database.ts'
import * as pg from '../db/pg-types.ts'
import { type RowFrom, statement } from '../db/statement.ts'
import type { Log } from '../log.ts'
import type { Queue } from './workers.ts'

/** Scheduled work of the cell. `D` are its dependencies. */
export type ScheduledJob<D> = {
  /** Its row in `scheduled_runs`, which the first claim makes. */
  readonly name: string
  /** SQL of when it is due again, once it was done. */
  readonly dueAgain: string
  /** Longer than the work may take. What failed, or died, is tried again when the lease has run out. */
  readonly leaseMs: number
  /** If false, this process skips the job. */
  isWanted?(deps: D): boolean
  /** Does no harm when it is done twice. It ends soon once `stopping` is aborted. */
  run(deps: D, stopping: AbortSignal): Promise<unknown>
}

export const every = (interval: string): string => `now() + interval '${interval}'`
export const ON_THE_NEXT_DAY_UTC = `date_trunc('day', now(), 'UTC') + interval '1 day'`

const POLL_MS = 5_000
/** So that a slow job does not delay others. */
const AT_ONCE = 2
const REASON = 'a scheduled run belongs to the cell'

type Lease = RowFrom<typeof claimNext>

/**
 * The job that has been due longest, or has never run. Of two concurrent calls, one gets it. Not `leasedRows`: the
 * claim creates the row, each job has its own lease, and a run belongs to the cell, not to an account.
 */
const claimNext = statement(
  { names: pg.list(pg.text), leases: pg.list(pg.integer) },
  { name: pg.text, leased_until: pg.filled(pg.instant) },
  `
  insert into scheduled_runs as r (name, leased_until)
  select job.name, now() + job.ms * interval '1 millisecond'
  from unnest($names::text[], $leases::integer[]) as job(name, ms) left join scheduled_runs known using (name)
  where known.name is null
    or known.due_at <= now() and (known.leased_until is null or known.leased_until <= now())
  order by known.due_at nulls first limit 1
  on conflict (name) do update set leased_until = excluded.leased_until
    where r.due_at <= now() and (r.leased_until is null or r.leased_until <= now())
  returning name, leased_until`,
)
const noteError = statement(
  { name: pg.text, leased_until: pg.instant, error: pg.text, gaveUp: pg.boolean },
  {},
  `
  update scheduled_runs set last_error = $error, leased_until = case when $gaveUp::boolean then null else leased_until end
  where name = $name and leased_until = $leased_until`,
)
const finish = (dueAgain: string) =>
  statement(
    { name: pg.text, leased_until: pg.instant },
    {},
    `
    update scheduled_runs set due_at = ${dueAgain}, leased_until = null, last_finished_at = now(), last_error = null
    where name = $name and leased_until = $leased_until`,
  )

/** The jobs of a cell as one queue. However many processes ask, one of them runs a due job. */
export function scheduleQueue<D extends { db: Database; log: Pick<Log, 'warn'> }>(
  deps: D,
  jobs: readonly ScheduledJob<D>[],
): Queue {
  const { db, log } = deps
  const wanted = jobs
    .filter((job) => job.isWanted?.(deps) ?? true)
    .map((job) => ({ ...job, finish: finish(job.dueAgain) }))
  const all = { names: wanted.map(({ name }) => name), leases: wanted.map(({ leaseMs }) => leaseMs) }

  async function run(job: (typeof wanted)[number], lease: Lease, stopping: AbortSignal): Promise<void> {
    try {
      await job.run(deps, stopping)
    } catch (error) {
      if (!stopping.aborted) log.warn({ err: error, job: job.name }, 'scheduled job failed; retrying')
      const { message } = error as Error
      await db.askSystem(REASON, noteError, { ...lease, error: message, gaveUp: stopping.aborted })
      return
    }
    await db.askSystem(REASON, job.finish, lease)
  }
  return {
    name: 'scheduled jobs',
    due: 'select due_at from scheduled_runs where due_at <= now() and (leased_until is null or leased_until <= now())',
    atOnce: AT_ONCE,
    pollMs: POLL_MS,
    async claim() {
      const [lease] = await db.askSystem(REASON, claimNext, all)
      const job = wanted.find(({ name }) => name === lease?.name)
      return lease && job ? (stopping) => run(job, lease, stopping) : null
    },
  }
}
