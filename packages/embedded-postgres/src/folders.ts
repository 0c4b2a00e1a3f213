import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { chooseServerUser, type ServerUser } from './server-user.ts'

/** Names the socket's file; the server listens on no network. */
export const PORT = 5432
/** The length of `sun_path` less its terminating zero. */
const SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107
/** The server's user must pass through the data directory; it need not read it. */
const PASSABLE = 0o711
const PASS_BITS = 0o011

/** The folders and files of one data directory, and the user of its server. */
export type Folders = {
  readonly dataDir: string
  readonly user: ServerUser
  /** The PostgreSQL cluster. */
  readonly cluster: string
  /** Where the socket is: the cluster's folder, unless that path is too long. */
  readonly socket: string
  /** Held while a process enters, starts or stops the server. */
  readonly lock: string
  readonly log: string
  /** A copy of PostgreSQL's programs, where its user cannot reach the installed ones. */
  readonly programs: string
}

const CLUSTER = 'postgres'

/** Whether a cluster was made in a data directory. */
export const hasCluster = (dataDir: string): boolean => existsSync(join(dataDir, CLUSTER))

/** Creates the data directory if it is missing. */
export function openFolders(dataDir: string): Folders {
  const made = makeDataDir(resolve(dataDir))
  const cluster = join(made, CLUSTER)
  const user = chooseServerUser(made, cluster)
  if (user !== null) letPass(made)
  const folders = {
    dataDir: made,
    user,
    cluster,
    socket: socketFolder(cluster),
    lock: join(made, 'postgres.lock'),
    log: join(made, 'postgres.log'),
    programs: join(made, 'server'),
  }
  closeSync(openForServerUser(folders.lock, user))
  return folders
}

/** Opens a file to append to. It belongs to the server's user, so that this user may later start the program itself. */
export function openForServerUser(file: string, user: ServerUser): number {
  const descriptor = openSync(file, 'a', 0o600)
  if (user !== null) fchownSync(descriptor, user.uid, user.gid)
  return descriptor
}

/** A folder that only the server's user can enter. */
export function makePrivateFolder(folder: string, user: ServerUser): void {
  mkdirSync(folder, { mode: 0o700 })
  if (user !== null) chownSync(folder, user.uid, user.gid)
}

/**
 * Creates the socket's folder if it is outside of the data directory. In a temporary folder, anyone could have created
 * it with a server of their own, so a folder that others own or can enter is refused.
 */
export function secureSocketFolder({ socket, cluster, user }: Folders): void {
  if (socket === cluster) return
  try {
    makePrivateFolder(socket, user)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(socket)
  const expected = user?.uid ?? process.getuid?.()
  if (found.isDirectory() && found.uid === expected && (found.mode & 0o077) === 0) return
  throw new Error(`${socket} is not a private folder of the PostgreSQL user. Remove it, or choose a shorter DATA_DIR.`)
}

/** Takes the socket's folder away after the server, unless it is the cluster's. */
export function removeSocketFolder({ socket, cluster }: Folders): void {
  if (socket === cluster) return
  try {
    rmdirSync(socket)
  } catch {
    // An empty folder that remains does no harm.
  }
}

function makeDataDir(dataDir: string): string {
  try {
    const first = mkdirSync(dataDir, { recursive: true })
    // Not the mode of mkdir, which the process's umask would narrow.
    if (first !== undefined) for (const folder of pathBetween(first, dataDir)) chmodSync(folder, PASSABLE)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(dataDir) // one lock and one socket, whichever link leads here
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}. Choose another.`, {
      cause: error,
    })
  }
}

function pathBetween(first: string, last: string): string[] {
  return last === first || last === dirname(last) ? [last] : [...pathBetween(first, dirname(last)), last]
}

/**
 * An empty folder of root's was created for this, so it gets the permissions of a new one; other folders are left
 * unchanged.
 */
function letPass(dataDir: string): void {
  const { uid, mode } = statSync(dataDir)
  if (uid === 0 && readdirSync(dataDir).length === 0) chmodSync(dataDir, (mode & 0o777) | PASS_BITS)
}

function socketFolder(cluster: string): string {
  if (fits(cluster)) return cluster
  const name = createHash('sha256').update(cluster).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `backdesk-${name}`)
  if (fits(folder)) return folder
  throw new Error(
    `The paths of DATA_DIR and of the temporary folder are both too long for a socket: ${cluster}, ${tmpdir()}.`,
  )
}

const fits = (folder: string): boolean => Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES
