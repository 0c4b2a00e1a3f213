import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { residentMb } from '../cell.ts'
import { PARTS, type Tally } from './tally.ts'

/** Per part. */
const SAMPLES = 10
const MB = 1_048_576

/** How the cell was at a moment. */
export type Sample = {
  readonly part: number
  readonly residentMb: number
  readonly heapMb: number
  /** Rows of all queues that are due and not claimed. */
  readonly due: number
  readonly idleInTransaction: number
  readonly longestTransactionS: number
  readonly connections: number
  readonly deadPart: number
  readonly databaseMb: number
}

const sessions = `
  select count(*)::integer as connections,
    count(*) filter (where state like 'idle in transaction%' and now() - state_change > interval '1 second')::integer as "idleInTransaction",
    coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 as "longestTransactionS"
  from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
/** Tables that are large enough for vacuum. */
const tables = `
  select coalesce(max(n_dead_tup::float8 / (n_live_tup + n_dead_tup)) filter (where n_live_tup > 10000), 0) as "deadPart",
    pg_database_size(current_database())::float8 / ${MB} as "databaseMb"
  from pg_stat_user_tables`

type Watched = {
  readonly pid: number
  /** The path of its metrics. */
  readonly metrics: string
  readonly client: Client
  readonly tally: Tally
  readonly seconds: number
}

/** Watches a cell until stopped. */
export function watch({ pid, metrics, client, tally, seconds }: Watched) {
  const samples: Sample[] = []
  let stopped = false
  const look = async (): Promise<Sample> => {
    const text = await (await fetch(metrics)).text()
    const [session] = (await client.query(sessions)).rows
    const [table] = (await client.query(tables)).rows
    const heapMb = sumOf(text, 'nodejs_heap_size_used_bytes') / MB
    return { part: tally.part(), residentMb: residentMb(pid), heapMb, due: queued(text), ...session, ...table }
  }
  const looking = (async () => {
    for (; !stopped; await sleep((seconds * 1000) / PARTS / SAMPLES)) samples.push(await look())
  })()
  return {
    samples,
    async stop() {
      stopped = true
      await looking
    },
  }
}

/** The scheduled jobs of the hour and the day are queues as well: they come due and are done. */
const queued = (text: string): number => sumOf(text, 'backdesk_queue_due')

/** A figure over all its labels. */
function sumOf(text: string, name: string): number {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))
  return [...lines].reduce((sum, [, value]) => sum + Number(value), 0)
}
