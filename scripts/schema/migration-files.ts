import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationNames } from '../../src/platform/db/migrate.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const SUM_LENGTH = 64
const NUMBER_LENGTH = 4

type File = { readonly name: string; readonly sql: string }

/** The migrations of this version, in their order. */
export const migrationFiles = (): File[] =>
  migrationNames().map((name) => ({ name, sql: readFileSync(join(FOLDER, name), 'utf8') }))

/** The checksums of the migrations that have landed: those of the commit at which this branch left the main one. */
export function landedSums(): string | null {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: FOLDER, encoding: 'utf8' })
  for (const main of ['origin/main', 'main']) {
    const { status, stdout } = git('merge-base', 'HEAD', main)
    if (status === 0) return git('show', `${stdout.trim()}:./SHA256SUMS`).stdout
  }
  return null // no repository, or a part of one
}

/**
 * The checksum file with the new migrations added. Listed migrations have landed and were applied elsewhere, so a
 * listed file that was changed, renamed or removed is refused.
 */
export function migrationSums(current: string, files: readonly File[] = migrationFiles()): string {
  const sums = new Map(files.map(({ name, sql }) => [name, createHash('sha256').update(sql).digest('hex')]))
  for (const line of current.split('\n').filter(Boolean)) {
    const [sum, name] = [line.slice(0, SUM_LENGTH), line.slice(SUM_LENGTH).trim()]
    if (sums.get(name) === sum) continue
    throw new Error(
      `migrations/${name} has landed and may not change: databases have applied it as it was. Restore it, and write a new migration.`,
    )
  }
  for (const same of Map.groupBy(sums.keys(), (name) => name.slice(0, NUMBER_LENGTH)).values())
    if (same.length > 1)
      throw new Error(
        `migrations/ has ${same.join(' and ')}. Rename the one that has not landed to the next free number.`,
      )
  return [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('')
}
