import type { Database } from '../../../platform/db/database.ts'
import { statement } from '../../../platform/db/statement.ts'
import { fetchRates } from './fetch-rates.ts'
import type { ImportedRates } from './import-rates.ts'

type Lease = { readonly leased_until: string }
type Run = { readonly name: string }

const RUN: Run = { name: 'exchange rates' }
/** Longer than a download and the saving of it may take, shorter than the time to the next question. */
const LEASE = '5 minutes'

const claim = statement<Run & { lease: string }, Lease>(`
  insert into scheduled_runs as r (name, leased_until) values ($name, now() + $lease::interval)
  on conflict (name) do update set leased_until = excluded.leased_until
    where r.due_at <= now() and (r.leased_until is null or r.leased_until <= now())
  returning leased_until`)
const finish = statement<Run & Lease, never>(`
  update scheduled_runs
  set due_at = date_trunc('day', now(), 'UTC') + interval '1 day', leased_until = null, last_finished_at = now(), last_error = null
  where name = $name and leased_until = $leased_until`)
const giveBack = statement<Run & Lease & { error: string }, never>(`
  update scheduled_runs set leased_until = null, last_error = $error
  where name = $name and leased_until = $leased_until`)

/**
 * Fetches the rates unless that was done on this day, UTC, or another process is at it; then the answer is null. After a
 * failure, or when the process is killed, it stays due.
 */
export async function fetchWhenDue(db: Database, url: string, stopping?: AbortSignal): Promise<ImportedRates | null> {
  const [lease] = await db.askSystem('the fetch is the cell’s', claim, { ...RUN, lease: LEASE })
  if (!lease) return null
  try {
    const imported = await fetchRates(db, url, stopping)
    await db.askSystem('the fetch is the cell’s', finish, { ...RUN, ...lease })
    return imported
  } catch (error) {
    await db.askSystem('the fetch is the cell’s', giveBack, { ...RUN, ...lease, error: (error as Error).message })
    throw error
  }
}
