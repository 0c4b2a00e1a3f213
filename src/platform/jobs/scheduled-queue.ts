import type { Database } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import type { Queue } from './workers.ts'

/** Milliseconds. The lease is longer than the work may take. */
type Schedule = { readonly name: string; readonly everyMs: number; readonly leaseMs: number }
type Lease = { readonly leased_until: string }

const claimRun = statement<{ name: string; ms: number }, Lease>(`
  update scheduled_runs set leased_until = now() + $ms * interval '1 millisecond'
  where name = $name and due_at <= now() and (leased_until is null or leased_until <= now())
  returning leased_until`)
const finish = statement<Lease & { name: string; ms: number }, never>(`
  update scheduled_runs
  set due_at = now() + $ms * interval '1 millisecond', leased_until = null, last_finished_at = now(), last_error = null
  where name = $name and leased_until = $leased_until`)
const noteError = statement<Lease & { name: string; error: string }, never>(
  'update scheduled_runs set last_error = $error where name = $name and leased_until = $leased_until',
)

/**
 * Work of the cell that is due again some time after it was done, as a queue of one job. A process that dies or fails at
 * it leaves it to whoever comes when the lease has run out.
 */
export function scheduledQueue(
  db: Database,
  { name, everyMs, leaseMs }: Schedule,
  work: () => Promise<unknown>,
): Queue {
  async function run(lease: Lease): Promise<void> {
    try {
      await work()
    } catch (error) {
      await db.askSystem('the run is the cell’s', noteError, { name, ...lease, error: (error as Error).message })
      throw error
    }
    await db.askSystem('the run is the cell’s', finish, { name, ...lease, ms: everyMs })
  }
  return {
    name,
    async claim() {
      const [lease] = await db.askSystem('the run is the cell’s', claimRun, { name, ms: leaseMs })
      return lease ? () => run(lease) : null
    },
  }
}
