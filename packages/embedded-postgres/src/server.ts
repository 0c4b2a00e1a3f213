import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureCluster } from './cluster.ts'
import { type Folders, openForServerUser, PORT, removeSocketFolder } from './folders.ts'
import { findPrograms, programOptions } from './programs.ts'
import { assertReachable } from './server-user.ts'

export type Settings = Readonly<Record<string, string>>
/** A server that was started here. */
export type Started = {
  /** Null while it runs; then its last output, and whether a retry may succeed. */
  ended(): { readonly reason: string; readonly mayPass: boolean } | null
}

const SETTINGS: Settings = {
  listen_addresses: '',
  // A request whose client has gone, or that hangs, gives its locks back.
  client_connection_check_interval: '500ms',
  statement_timeout: '30s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
  max_connections: '100',
  shared_buffers: '128MB', // only used pages take memory
  random_page_cost: '1.1', // a disk without moving parts
  // This server has no replicas, so it writes and keeps the least WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '512MB',
  autovacuum_max_workers: '2',
  autovacuum_naptime: '15s', // plans should know of an import soon after it
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse', // details would quote the data of customers
}
const LOG_BYTES = 16 * 1024 * 1024
const REASON_CHARACTERS = 4_000
/** PostgreSQL's words for another server of the same folder that has not quite gone. */
const PREDECESSOR = /lock file ".*" already exists|is still in use/
const STOP_TIMEOUT_MS = 30_000
const EXIT_TIMEOUT_MS = 500
const POLL_MS = 10

/** Starts the server of a data directory, which is made on first use. The folder's lock must be held. */
export async function startServer(folders: Folders, settings: Settings): Promise<Started> {
  await assertReachable(folders.dataDir, folders.user)
  await assertReachable(dirname(folders.socket), folders.user)
  const programs = await findPrograms(folders)
  await ensureCluster(folders, programs)
  forgetAnotherProgram(folders)
  rotateLog(folders.log)

  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const path = ['-D', folders.cluster, '-p', String(PORT), '-k', asListItem(folders.socket)]
  const log = openForServerUser(folders.log, folders.user)
  const logged = fstatSync(log).size
  const child = spawn(join(programs.root, 'bin', 'postgres'), [...path, ...flags], {
    ...programOptions(folders.user),
    detached: true, // a Ctrl-C for this process must not reach the server before the last transaction has ended
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.unref()
  return { ended: endOf(child, () => readFileSync(folders.log).subarray(logged).toString()) }
}

/** Stops the server, rolling open transactions back, and waits until it has gone. The folder's lock must be held. */
export async function stopServer(folders: Folders): Promise<void> {
  const pid = serverPid(folders)
  if (pid === null || !send('SIGINT', pid)) return
  if (!(await holdsWithin(STOP_TIMEOUT_MS, () => serverPid(folders) !== pid || !send(0, pid)))) {
    throw new Error(`PostgreSQL did not stop within ${STOP_TIMEOUT_MS / 1_000} s; see ${folders.log}`)
  }
  // An adopted server that has ended stays a zombie until the system's init reaps it, which may be never.
  await holdsWithin(EXIT_TIMEOUT_MS, () => !send(0, pid))
  removeSocketFolder(folders)
}

async function holdsWithin(timeoutMs: number, condition: () => boolean): Promise<boolean> {
  for (const deadline = performance.now() + timeoutMs; !condition(); await sleep(POLL_MS)) {
    if (performance.now() >= deadline) return false
  }
  return true
}

/** False if there is no such process; signal 0 only checks. */
function send(signal: NodeJS.Signals | 0, pid: number): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** The pid in the server's own lock file, be it alive or not. */
function serverPid(folders: Folders): number | null {
  try {
    const pid = Number(readFileSync(pidFile(folders), 'utf8').split('\n')[0])
    return pid > 0 ? pid : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const pidFile = ({ cluster }: Folders): string => join(cluster, 'postmaster.pid')

/**
 * In a container that was killed and restarted, the pid in PostgreSQL's lock file may belong to another program, and
 * PostgreSQL would refuse to start. The program of a pid is known only on Linux.
 */
function forgetAnotherProgram(folders: Folders): void {
  const pid = serverPid(folders)
  const program = pid === null ? null : programOf(pid)
  if (program !== null && program !== 'postgres') rmSync(pidFile(folders), { force: true })
}

function programOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return null
  }
}

function rotateLog(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) renameSync(file, `${file}.1`)
}

/** Socket folders are a list; quotes protect commas and spaces. */
const asListItem = (path: string): string => `"${path.replaceAll('"', '""')}"`

function endOf(child: ChildProcess, outputOf: () => string): Started['ended'] {
  let end: ReturnType<Started['ended']> = null
  child.once('error', (error) => {
    end = { reason: error.message, mayPass: false }
  })
  child.once('exit', (code, signal) => {
    const reason = outputOf().trim().slice(-REASON_CHARACTERS) || `it ended with ${signal ?? code}`
    const wasStopped = signal !== null || code === 0 // by another process
    end = { reason, mayPass: wasStopped || PREDECESSOR.test(reason) }
  })
  return () => end
}
