import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationNames } from '../../src/platform/db/migrate.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
const SUM_LENGTH = 64

type File = { readonly name: string; readonly sql: string }

/** The migrations of this version, in their order. */
export const migrationFiles = (): File[] =>
  migrationNames().map((name) => ({ name, sql: readFileSync(join(FOLDER, name), 'utf8') }))

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
      `migrations/${name} has landed and may not change: databases have applied it as it was. Restore it, and write a new migration. If it has not landed yet, remove its line from migrations/SHA256SUMS.`,
    )
  }
  return [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('')
}
