import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { UserError } from '../user-error.ts'
import { type Connection, withClient } from './client.ts'
import { FOLDED } from './folded-migrations.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
/** Held exclusively by migrations, and shared by work that needs the tables unchanged. */
const LOCK = `hashtext('backdesk migrate')`

/**
 * Applies missing migrations, one process at a time: the baseline in one transaction, each later file in its own.
 * Returns the names of the files applied.
 */
export function migrate(connection: Connection): Promise<string[]> {
  return withClient(connection, async (client) => {
    if (await isUpToDate(client)) return [] // without waiting for a lock
    await lockMigrations(client)
    await makeMigrationsTable(client)
    await stampBaseline(client)
    const applied = new Set(await appliedMigrations(client))
    const missing = migrationNames().filter((name) => !applied.has(name))
    const transactions = [
      missing.filter(isBaseline),
      ...missing.filter((name) => !isBaseline(name)).map((name) => [name]),
    ]
    for (const names of transactions.filter(({ length }) => length > 0)) {
      await client.query('begin')
      await applyMigrations(client, names)
      await client.query('commit')
    }
    return missing
  })
}

/** Records the baseline in a database that has its tables by the migrations that it replaces. */
async function stampBaseline(client: Client): Promise<void> {
  const recorded = await appliedMigrations(client)
  refuseTooOld(recorded, 'The database')
  await record(client, currentNames(recorded))
}

/** The files that make the tables of the first version that can be migrated. */
const isBaseline = (name: string): boolean => /^\d{4}_baseline_/.test(name)

/** The names of the migrations that this version has, in their order. */
export const migrationNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()

async function isUpToDate(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ made: boolean }>(`select to_regclass('migrations') is not null as made`)
  if (!rows[0]?.made) return false
  const applied = new Set(await appliedMigrations(client))
  return migrationNames().every((name) => applied.has(name))
}

/**
 * Until the connection ends, no migration starts, for readers of all tables: a table that a migration rewrites looks
 * empty to an older transaction. Migrations wait here, where they block nothing else.
 */
export async function shareMigrationsLock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`)
}

/** Until the connection ends, no one else migrates. */
export async function lockMigrations(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`)
  const { rows: version } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  )
  if ((version[0]?.number ?? 0) < 180_000)
    throw new UserError('invalid_configuration', 'Backdesk needs PostgreSQL 18 or newer.')
}

/** Creates the table of migration names if it is missing. */
export async function makeMigrationsTable(client: Client): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
}

/** The names recorded in a database, in their order. */
export async function appliedMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

/** Applies migrations and records them, in the transaction of the caller. */
export async function applyMigrations(client: Client, names: readonly string[]): Promise<void> {
  for (const name of names) await client.query(readFileSync(join(FOLDER, name), 'utf8'))
  await record(client, names.some(isBaseline) ? [...names, ...FOLDED] : names)
}

async function record(client: Client, names: readonly string[]): Promise<void> {
  await client.query('insert into migrations (name) select unnest($1::text[]) on conflict do nothing', [names])
}

/** The names recorded in a database or an archive, as this version has them: those of the baseline for those it replaces. */
export function currentNames(recorded: readonly string[]): string[] {
  if (!FOLDED.every((name) => recorded.includes(name))) return [...recorded].sort()
  const later = recorded.filter((name) => !FOLDED.includes(name))
  return [...new Set([...migrationNames().filter(isBaseline), ...later])].sort()
}

/** Refuses what a version recorded that came before all that the baseline replaces: nothing leads from there to here. */
export function refuseTooOld(recorded: readonly string[], what: string, first = ''): void {
  const folded = FOLDED.filter((name) => recorded.includes(name))
  if (folded.length === 0 || folded.length === FOLDED.length) return
  const oldest = FOLDED.at(-1)
  throw new UserError(
    'wrong_version',
    `${what} is at ${folded.at(-1)}, and this version of Backdesk needs ${oldest} or later. ${first}Start a version that has ${oldest} in migrations/ on that database, and then this one.`,
  )
}

/** Whether two lists of recorded names are versions with the same tables. Comments on them make no difference. */
export function isSameVersion(one: readonly string[], other: readonly string[]): boolean {
  const tablesOf = (recorded: readonly string[]) =>
    currentNames(recorded).filter((name) => !/_comments\.sql$/.test(name))
  return tablesOf(one).join() === tablesOf(other).join()
}
