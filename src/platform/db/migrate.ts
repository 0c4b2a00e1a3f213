import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'pg'
import { type Connection, withClient } from './client.ts'

const FOLDER = join(import.meta.dirname, '../../../migrations')
/** Held by whoever changes the tables, and shared by those for whom they have to stay. */
const LOCK = `hashtext('backdesk migrate')`

/** Applies what is missing, each file in its own transaction, one process at a time. Answers the names applied. */
export function migrate(connection: Connection): Promise<string[]> {
  return withClient(connection, async (client) => {
    if (await isUpToDate(client)) return [] // and waits for nobody
    await holdMigrations(client)
    await makeMigrationsTable(client)
    const applied = new Set(await appliedMigrations(client))
    const missing = migrationNames().filter((name) => !applied.has(name))
    for (const name of missing) {
      await client.query('begin')
      await applyMigration(client, name)
      await client.query('commit')
    }
    return missing
  })
}

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
 * Until the connection ends, the tables stay as they are, for who reads all of them: one that a migration writes anew is
 * empty to a transaction that began before. Who would change them waits here, where it holds up nobody.
 */
export async function keepVersion(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared(${LOCK})`)
}

/** Until the connection ends, nobody else changes the tables. */
export async function holdMigrations(client: Client): Promise<void> {
  await client.query(`select pg_advisory_lock(${LOCK})`)
  const { rows: version } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::integer as number`,
  )
  if ((version[0]?.number ?? 0) < 180_000) throw new Error('Backdesk needs PostgreSQL 18 or newer.')
}

/** Makes the table of their names where there is none. */
export async function makeMigrationsTable(client: Client): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
}

/** The names of those that a database has, in their order: its version. */
export async function appliedMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

export async function applyMigration(client: Client, name: string): Promise<void> {
  await client.query(readFileSync(join(FOLDER, name), 'utf8'))
  await client.query('insert into migrations (name) values ($1)', [name])
}
