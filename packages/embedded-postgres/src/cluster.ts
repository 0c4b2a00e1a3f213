import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Folders, makePrivateFolder } from './folders.ts'
import { type Programs, programOptions } from './programs.ts'
import { assertNamed } from './server-user.ts'

const run = promisify(execFile)
const DRAFT = 'postgres.new-'

/**
 * Every program connects as this role: it owns the tables, may create tables and roles, and is subject to row-level
 * security. CREATEDB is for the tests, which clone a migrated database.
 */
const FIRST_STATEMENTS = [
  'create role backdesk login nosuperuser nobypassrls createrole createdb',
  'create database backdesk owner backdesk',
]

/**
 * PostgreSQL's built-in locale sorts and folds by code point on every system, and system updates do not change it under
 * an index. `lc-ctype` is the system's; pg_trgm uses it to recognise letters.
 */
const INITDB_OPTIONS = [
  '--username=postgres',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
  '--auth-local=trust', // only the server's user can enter the folder of the socket
  '--auth-host=reject',
]

/**
 * Creates the cluster on first use, and refuses one that these programs cannot open. The folder's lock must be held.
 */
export async function ensureCluster(folders: Folders, programs: Programs): Promise<void> {
  removeDrafts(folders)
  const versionFile = join(folders.cluster, 'PG_VERSION')
  if (existsSync(versionFile)) return assertMajorVersion(readFileSync(versionFile, 'utf8').trim(), folders, programs)
  if (existsSync(folders.cluster) && readdirSync(folders.cluster).length > 0) {
    throw new Error(`${folders.cluster} is not a PostgreSQL data directory. Move it away, or choose another DATA_DIR.`)
  }
  await makeCluster(folders, programs)
}

function assertMajorVersion(found: string, { cluster }: Folders, { version }: Programs): void {
  const major = version.split('.')[0]
  if (found === major) return
  throw new Error(
    `${cluster} was created by PostgreSQL ${found}. This is PostgreSQL ${major}, which cannot open it. ` +
      'Start the version of Backdesk that created it, or choose another DATA_DIR.',
  )
}

/** Under another name until it is whole, so that what a killed process leaves behind never passes for a cluster. */
async function makeCluster({ dataDir, cluster, user }: Folders, { root }: Programs): Promise<void> {
  assertNamed(user)
  const draft = join(dataDir, DRAFT + randomUUID()) // the initdb of a killed process may still be writing to its own
  makePrivateFolder(draft, user)
  try {
    await run(join(root, 'bin', 'initdb'), ['-D', draft, ...INITDB_OPTIONS], programOptions(user))
    const options = ['--single', '-D', draft, '-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', 'postgres']
    const session = run(join(root, 'bin', 'postgres'), options, programOptions(user))
    session.child.stdin?.end(`${FIRST_STATEMENTS.join('\n')}\n`)
    await session
    renameSync(draft, cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    const { message, stderr } = error as { message: string; stderr?: string }
    throw new Error(`PostgreSQL could not create its files in ${dataDir}: ${stderr?.trim() || message}`, {
      cause: error,
    })
  }
}

function removeDrafts({ dataDir }: Folders): void {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(DRAFT))) {
    try {
      rmSync(join(dataDir, name), { recursive: true, force: true })
    } catch {
      // An initdb that outlived its process still writes there; the next start tries again.
    }
  }
}
