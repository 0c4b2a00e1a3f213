import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** Whom PostgreSQL runs as where that is not the user of this process. */
export type ServerUser = { readonly name: string; readonly uid: number; readonly gid: number } | null

const run = promisify(execFile)
const PREFERRED = ['postgres', 'nobody']

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the data that is already there, else as `postgres`
 * where that user exists, else as `nobody`. No user is ever made on the host.
 */
export function chooseServerUser(clusterFolder: string): ServerUser {
  const self = process.getuid?.()
  const owner = statSync(clusterFolder, { throwIfNoEntry: false })
  const users = readUsers()
  if (self !== 0) {
    if (owner === undefined || owner.uid === self) return null
    const name = users.find(({ uid }) => uid === owner.uid)?.name ?? `the user with the number ${owner.uid}`
    throw new Error(`${clusterFolder} belongs to ${name}. Run as that user, or choose another DATA_DIR.`)
  }
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find(({ uid }) => uid === owner.uid)?.name ?? `user ${owner.uid}`
    return { name, uid: owner.uid, gid: owner.gid }
  }
  for (const preferred of PREFERRED) {
    const user = users.find(({ name }) => name === preferred)
    if (user) return user
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody. ' +
      'Run as an ordinary user, or set DATABASE_URL.',
  )
}

/** The options of a child process that runs as the server's user. */
export const asUser = (user: ServerUser): { uid?: number; gid?: number } =>
  user === null ? {} : { uid: user.uid, gid: user.gid }

/** Throws what to do where the server's user cannot reach `folder`. */
export async function assertReachable(folder: string, user: ServerUser): Promise<void> {
  if (user === null || (await mayEnter(folder, user))) return
  let blocked = folder
  for (
    let above = dirname(folder);
    above !== dirname(above) && !(await mayEnter(above, user));
    above = dirname(above)
  ) {
    blocked = above
  }
  throw new Error(
    `PostgreSQL refuses to run as root, so it runs as ${user.name}, which may not pass through ${blocked}. ` +
      `Choose another DATA_DIR, such as /var/lib/backdesk, run as an ordinary user, or: chmod o+x ${blocked}`,
  )
}

/** Asks the system itself: permission bits alone would not know of access lists and mount options. */
async function mayEnter(folder: string, user: NonNullable<ServerUser>): Promise<boolean> {
  try {
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...asUser(user), cwd: '/' })
    return true
  } catch (error) {
    const { code } = error as { code?: string | number }
    if (code === 'ENOENT') return true // no shell to ask with; the server itself will tell
    if (code !== 'EPERM') return false
    throw new Error(
      `PostgreSQL refuses to run as root, and this root may not start a program as ${user.name}. ` +
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
