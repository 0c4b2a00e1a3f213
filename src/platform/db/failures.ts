import { DatabaseError } from 'pg'

/** serialization_failure, deadlock_detected */
const SERIALIZATION_FAILURES = new Set(['40001', '40P01'])
/** lock_not_available, query_canceled by the statement timeout */
const TIMEOUTS = new Set(['55P03', '57014'])
/**
 * admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, too_many_connections, the timeouts of idle
 * sessions and long transactions, and read_only_sql_transaction, from a server that is no longer the primary; and class
 * 08, connection exceptions.
 */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '57P04', '53300', '25P03', '57P05', '25P04', '25006'])
/** disk_full, out_of_memory, io_error */
const FULL = new Set(['53100', '53200', '58030'])
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])

/** A broken or refused connection to the database. The driver's own error does not name the connection that failed. */
export class ConnectionLost extends Error {
  constructor(cause: Error) {
    super('The connection to the database was lost', { cause })
  }
}
/** What the database driver throws: its errors without an SQLSTATE are those of the socket, marked as such. */
export const toDatabaseError = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof DatabaseError) && isConnectionError(error)
    ? new ConnectionLost(error)
    : error

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** Another transaction won; the same work may be done again. */
export const isSerializationFailure = (error: unknown): boolean =>
  error instanceof DatabaseError && SERIALIZATION_FAILURES.has(codeOf(error))
/** A lock or the work itself took longer than it may. */
export const isDatabaseTimeout = (error: unknown): boolean =>
  error instanceof DatabaseError && TIMEOUTS.has(codeOf(error))
/** The server is not there, or went while it was asked. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? UNAVAILABLE.has(codeOf(error)) || codeOf(error).startsWith('08')
    : error instanceof ConnectionLost
const isConnectionError = (error: Error): boolean =>
  CONNECTION_ERRORS.has(codeOf(error)) ||
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/.test(error.message)
/** The server is up, but has no room for new data; reads still work. */
export const isDatabaseFull = (error: unknown): boolean => error instanceof DatabaseError && FULL.has(codeOf(error))
/** A value that the database refuses: data exceptions (22) and violated constraints (23). */
export const isDataError = (error: unknown): boolean => error instanceof DatabaseError && /^2[23]/.test(codeOf(error))
/** Its account is at work in another cell: `refuse_moved()`. */
export const isAccountMoved = (error: unknown): boolean => codeOf(error) === 'BD001'
/** in_failed_sql_transaction: an earlier statement is to blame. */
export const isTransactionAborted = (error: unknown): boolean => codeOf(error) === '25P02'
