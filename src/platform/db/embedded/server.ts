import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, chmodSync, chownSync, constants, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries, type Identity, serverIdentity } from './binaries.ts'

const run = promisify(execFile)
const MAJOR = '18'
/** The length of `sun_path` less its terminating zero. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107
const PORT = 5432
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(PORT),
  max_connections: '100',
  shared_buffers: '128MB',
  client_connection_check_interval: '500ms',
  statement_timeout: '30s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '15s',
  log_min_messages: 'warning',
  autovacuum_naptime: '15s',
  jit: 'off', // the statements are short, and compiling them takes longer than running them
}

/** The server of one data folder: where it lies, and how it is started. */
export type Site = {
  /** Folder of the database files. */
  readonly folder: string
  /** Folder of the unix socket, which nobody but the server's user and root may enter. */
  readonly host: string
  readonly port: number
  readonly identity: Identity
  readonly log: string
  readonly lockFile: string
  readonly cache: string
}

export function siteOf(dataDir: string): Site {
  if (process.platform === 'win32') {
    throw new Error('The cell’s own PostgreSQL runs on Linux and macOS. On Windows use WSL, or set DATABASE_URL to a PostgreSQL server.')
  }
  const folder = join(dataDir, 'postgres')
  const fits = Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES
  const short = join(tmpdir(), `backdesk-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  return {
    folder,
    host: fits ? folder : short,
    port: PORT,
    identity: serverIdentity(),
    log: join(dataDir, 'postgres.log'),
    lockFile: join(dataDir, 'starting.pid'),
    cache: join(dataDir, 'server'),
  }
}

/** Makes what is missing and starts the server; it may still be starting when this returns. */
export async function startServer(site: Site, settings: Readonly<Record<string, string>>): Promise<void> {
  const dataDir = dirname(site.folder)
  makeFolder(dataDir, 0o711, {})
  if ('uid' in site.identity) chmodSync(dataDir, statSync(dataDir).mode | 0o011) // the server's user must pass through it
  const bin = await findBinaries(site.identity, site.cache)
  if (!existsSync(join(site.folder, 'PG_VERSION'))) await initialise(site, bin)
  refuseOtherMajor(site.folder)
  if (site.host !== site.folder) makeFolder(site.host, 0o700, site.identity)
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(site.log, 'a', 0o600)
  // Detached: a Ctrl-C for this process must not reach the server before the last transaction has ended.
  spawn(join(bin, 'postgres'), ['-D', site.folder, '-k', site.host, ...flags], {
    ...site.identity,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LANG: 'C.UTF-8' },
    detached: true,
    stdio: ['ignore', log, log],
  }).unref()
}

/** Made beside its place and moved there when it is whole, so that one that was interrupted is made again. */
async function initialise({ folder, identity }: Site, bin: string): Promise<void> {
  const half = `${folder}.half`
  rmSync(half, { recursive: true, force: true })
  rmSync(folder, { recursive: true, force: true })
  makeFolder(half, 0o700, identity)
  const options = { ...identity, cwd: '/', env: { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C.UTF-8' } }
  try {
    await run(join(bin, 'initdb'), ['-D', half, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8'], options)
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? String(error)
    throw new Error(`PostgreSQL could not make its files in ${half}: ${said}\nChoose another DATA_DIR, or run as a user who owns this one.`)
  }
  renameSync(half, folder)
}

function makeFolder(path: string, mode: number, identity: Identity): void {
  try {
    mkdirSync(path, { recursive: true, mode })
    if ('uid' in identity) chownSync(path, identity.uid, identity.gid)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`${path} cannot be made or written (${(error as NodeJS.ErrnoException).code}). Choose another DATA_DIR.`)
  }
  if (process.getuid?.() === 0) refuseClosedParents(path)
}

/** As root the server runs as another user, who has to pass through every folder above its own. */
function refuseClosedParents(path: string): void {
  for (let parent = dirname(path); ; parent = dirname(parent)) {
    if ((statSync(parent).mode & 0o001) === 0) {
      throw new Error(
        `As root, PostgreSQL runs as another user, who cannot enter ${parent}. Choose a DATA_DIR elsewhere (DATA_DIR=/var/lib/backdesk), or run as an ordinary user.`,
      )
    }
    if (parent === dirname(parent)) return
  }
}

function refuseOtherMajor(folder: string): void {
  const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  if (version !== MAJOR) {
    throw new Error(`${folder} was made by PostgreSQL ${version}; this cell runs ${MAJOR}. Move its data with pg_dump, or choose another DATA_DIR.`)
  }
}

/** The server's process, as its own file says; null where there is none. */
export function postmasterPid({ folder }: Site): number | null {
  try {
    return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]) || null
  } catch {
    return null
  }
}
