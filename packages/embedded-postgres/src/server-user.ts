import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** The user of PostgreSQL if it differs from the user of this process. */
export type ServerUser = { readonly name: string; readonly uid: number; readonly gid: number } | null

const run = promisify(execFile)
const ROOT_UID = 0

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the data, or of the data directory, or as
 * `postgres` if that user exists, or as `nobody`. No user is created on the host.
 */
export function chooseServerUser(dataDir: string, cluster: string): ServerUser {
  const users = readUsers()
  const owner = statSync(cluster, { throwIfNoEntry: false })
  const ownerName = users.find(({ uid }) => uid === owner?.uid)?.name ?? `user ${owner?.uid}`
  const self = process.getuid?.()
  if (self !== ROOT_UID) {
    if (owner === undefined || owner.uid === self) return null
    throw new Error(`${cluster} belongs to ${ownerName}. Run as that user, or choose another DATA_DIR.`)
  }
  if (owner !== undefined && owner.uid !== ROOT_UID) return { name: ownerName, uid: owner.uid, gid: owner.gid }

  const host = statSync(dataDir).uid
  const user =
    users.find(({ uid }) => uid === host && uid !== ROOT_UID) ??
    users.find(({ name }) => name === 'postgres') ??
    users.find(({ name }) => name === 'nobody')
  if (user) return user
  throw new Error(
    'PostgreSQL refuses to run as root, and neither a user postgres nor a user nobody exists. ' +
      'Run as an ordinary user, or set DATABASE_URL.',
  )
}

/** initdb asks the system for the name of its user, which may be missing in a container. */
export function assertNamed(user: ServerUser): void {
  if (user !== null) return
  try {
    userInfo()
  } catch (error) {
    throw new Error(
      `PostgreSQL cannot create its files as user id ${process.getuid?.()}, which has no name on this system. ` +
        'Add the user to /etc/passwd, run as another user, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

/** The options of a child process that runs as the server's user. */
export const asUser = (user: ServerUser): { uid?: number; gid?: number } =>
  user === null ? {} : { uid: user.uid, gid: user.gid }

/** Throws what to do where the server's user cannot reach `folder`. */
export async function assertReachable(folder: string, user: ServerUser): Promise<void> {
  if (user === null || (await mayEnter(folder, user))) return
  let blocked = folder
  while (dirname(blocked) !== blocked && !(await mayEnter(dirname(blocked), user))) blocked = dirname(blocked)
  throw new Error(
    `PostgreSQL refuses to run as root, so it runs as ${user.name}, which has no access to ${blocked}. ` +
      `Choose another DATA_DIR, such as /var/lib/backdesk, run as an ordinary user, or: chmod o+x ${blocked}`,
  )
}

/** Asks the system: permission bits do not include access lists and mount options. */
async function mayEnter(folder: string, user: NonNullable<ServerUser>): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...asUser(user), cwd: '/' })
    return true
  } catch (error) {
    const { code } = error as { code?: string | number }
    if (code === 'ENOENT') return true // no shell to ask with; the server itself will report it
    if (code !== 'EPERM') return false
    throw new Error(
      `PostgreSQL refuses to run as root, and this root user is not allowed to start a program as ${user.name}. ` +
        'Run as an ordinary user, or set DATABASE_URL.',
      { cause: error },
    )
  }
}

function readUsers(): NonNullable<ServerUser>[] {
  try {
    const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
    return lines
      .map((line) => line.split(':'))
      .flatMap(([name, , uid, gid]) => (name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []))
  } catch {
    return []
  }
}
