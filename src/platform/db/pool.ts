import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Connection } from './client.ts'
import { isDatabaseUnavailable, toDatabaseError } from './failures.ts'
import type { Session } from './session.ts'
import { type Waits, waits } from './waits.ts'

/**
 * Every statement of a request finds its rows by an index. Plans are cached while tables grow, and one made for an
 * empty table would scan a full one; the same is true of foreign key checks.
 */
export const SESSION_OPTIONS = [
  'TimeZone=UTC',
  'DateStyle=ISO',
  'enable_seqscan=off',
  'plan_cache_mode=force_generic_plan',
  'jit=off', // compiling takes longer than short queries
  'client_connection_check_interval=500ms',
  'idle_in_transaction_session_timeout=15s',
  'statement_timeout=30s',
  'lock_timeout=10s',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')
/**
 * Reports read a lot and write nothing; each is planned for its own window, and slow ones are cancelled. They use one
 * processor: parallel workers would take the others from writers.
 */
export const REPORT_OPTIONS = [
  SESSION_OPTIONS,
  ...[
    'default_transaction_read_only=on',
    'plan_cache_mode=force_custom_plan',
    'max_parallel_workers_per_gather=0',
    'work_mem=64MB',
  ].map((setting) => `-c ${setting}`),
].join(' ')
/** Dates and times stay what PostgreSQL printed: a JavaScript Date would lose the microseconds and invent a zone. */
const AS_PRINTED = new Set<number>([
  types.builtins.DATE,
  types.builtins.TIMESTAMP,
  types.builtins.TIMESTAMPTZ,
  types.builtins.INT8,
])
/**
 * When an unanswered statement is given up: the connection to the server is stalled. Longer than the server's own
 * statement timeout plus the transfer.
 */
const ANSWER_TIMEOUT_MS = 40_000
const TIMEOUTS = { connectionTimeoutMillis: 5_000, query_timeout: ANSWER_TIMEOUT_MS }
/** A pool that knows who waits for its connections. */
export type WatchedPool = Pool & { readonly waits: Waits }

export const parsers = {
  getTypeParser: (oid: number, format: 'text') => (AS_PRINTED.has(oid) ? String : types.getTypeParser(oid, format)),
} as unknown as NonNullable<PoolConfig['types']>

/** Opens up to `max` connections of a role. `lost` is called for idle ones that break. */
export function openPool(
  connection: Connection,
  role: 'backdesk_app' | 'backdesk_system',
  max: number,
  lost: (error: Error) => void,
  settings = SESSION_OPTIONS,
  timeouts: Pick<PoolConfig, 'connectionTimeoutMillis' | 'query_timeout'> = TIMEOUTS,
): WatchedPool {
  const pool = new Pool({
    ...connection,
    ...(connection.host?.startsWith('/') && { ssl: false }), // sockets have no TLS, whatever PGSSLMODE says
    max,
    pipeline: true,
    idleTimeoutMillis: 0,
    ...timeouts,
    types: parsers,
    application_name: 'backdesk',
    options: `${settings} -c role=${role}`,
  } as PoolConfig)
    .on('error', lost)
    .on('connect', (client) => client.on('error', lost)) // the pool itself listens only while a connection is idle
  return Object.assign(pool, { waits: waits() })
}

/** The process id of the backend that serves a connection. */
export const backendOf = (client: PoolClient): number => (client as unknown as { processID: number }).processID

/** Lends a connection to `fn`, and does not return a broken one to the pool. */
export async function withSession<T>(pool: WatchedPool, fn: (session: Session) => Promise<T>): Promise<T> {
  let session: Session | undefined
  let broken = false
  try {
    session = (await pool.waits.until(pool.connect())) as Session
    return await fn(session)
  } catch (thrown) {
    const error = toDatabaseError(thrown)
    broken = isDatabaseUnavailable(error) // its socket may close only a turn later
    throw error
  } finally {
    session?.release(broken)
  }
}
