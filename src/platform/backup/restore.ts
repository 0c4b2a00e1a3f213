import { type Connection, type SingleClient, withClient } from '../db/client.ts'
import { copyIn } from '../db/copy.ts'
import {
  appliedMigrations,
  applyMigrations,
  currentNames,
  isSameVersion,
  lockMigrations,
  makeMigrationsTable,
  migrate,
  migrationNames,
  refuseTooOld,
} from '../db/migrate.ts'
import type { FileStore } from '../files/file-store.ts'
import { UserError } from '../user-error.ts'
import { type ReadPart, readArchive } from './archive.ts'
import { BadArchive } from './bad-archive.ts'
import { putFile } from './file-parts.ts'
import { BACKUP, type Manifest } from './manifest.ts'
import { restConstraints } from './rest-constraints.ts'
import { type BackupTable, listTables, prepareSession, sameTable, tableColumns } from './tables.ts'

/** The one table with initial rows. */
const MADE_BY_MIGRATIONS = 'scheduled_runs'

export type Restored = {
  readonly made_at: string
  readonly tables: number
  readonly rows: number
  readonly files: number
  /** Migrations that came after the backup. */
  readonly migrated: readonly string[]
}

/** Verifies the whole file and its manifest before anything is changed. */
export async function readManifest(path: string): Promise<Manifest> {
  let manifest: Manifest | null = null
  for await (const { head } of readArchive(path)) manifest ??= head as unknown as Manifest
  if (manifest?.kind !== BACKUP) throw new BadArchive(`${path} is not a backup of a cell.`)
  refuseTooOld(manifest.migrations, path, 'Restore it with the version that made it. ')
  const known = new Set(migrationNames())
  const unknown = currentNames(manifest.migrations).filter((name) => !known.has(name))
  if (unknown.length === 0) return manifest
  throw new UserError(
    'wrong_version',
    `${path} was made by a newer version of Backdesk, with the migrations ${unknown.join(', ')}. Restore it with that version or a later one.`,
  )
}

/**
 * Fills an empty database from a verified backup: the tables of its version, then their rows, all in one transaction,
 * so that an interrupted restore leaves nothing behind; then the later migrations.
 */
export async function restore(
  connection: Connection,
  store: FileStore,
  path: string,
  manifest: Manifest,
): Promise<Restored> {
  const loaded = await withClient(connection, async (client) => {
    await prepareSession(client)
    await lockMigrations(client)
    await client.query('begin')
    await makeTables(client, manifest)
    const made = await load(client, store, path)
    await client.query('commit')
    await client.query('analyze')
    return made
  })
  return { made_at: manifest.made_at, ...loaded, migrated: await migrate(connection) }
}

/** Makes the tables of the backup's version, where they are not there and empty already. */
async function makeTables(client: SingleClient, { migrations }: Manifest): Promise<void> {
  const { rows } = await client.query<{ fresh: boolean }>(
    `select not exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')) as fresh`,
  )
  await makeMigrationsTable(client)
  if (rows[0]?.fresh) {
    await applyMigrations(client, currentNames(migrations))
  } else if (!isSameVersion(await appliedMigrations(client), migrations) || !(await isEmpty(client))) {
    throw new UserError(
      'wrong_cell',
      'A backup can only be restored into an empty database. This database has data, or tables of another version.',
    )
  }
}

async function isEmpty(client: SingleClient): Promise<boolean> {
  const tables = (await listTables(client)).filter(({ name }) => name !== MADE_BY_MIGRATIONS)
  await client.query('set local role backdesk_system') // row security lets this role see all rows
  const { rows } = await client.query<{ empty: boolean }>(
    `select ${tables.map(({ name }) => `not exists (select from ${name})`).join(' and ')} as empty`,
  )
  await client.query('reset role')
  return rows[0]?.empty ?? false
}

type Loaded = { tables: number; rows: number; files: number }

async function load(client: SingleClient, store: FileStore, path: string): Promise<Loaded> {
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]))
  const resume = await restConstraints(client)
  await client.query(`truncate ${[...tables.keys()].join(', ')}`) // of what migrations put there, the file knows more
  const made = { tables: 0, rows: 0, files: 0 }
  for await (const part of readArchive(path)) {
    if ('table' in part.head) {
      made.rows += await loadTable(client, sameTable(tables, part.head), part)
      made.tables += 1
    } else if ('file' in part.head) {
      await putFile(store, part, null)
      made.files += 1
    }
  }
  await resume()
  if (made.tables === tables.size) return made
  throw new BadArchive(`The archive has ${made.tables} tables, but its version has ${tables.size}.`)
}

async function loadTable(client: SingleClient, table: BackupTable, part: ReadPart): Promise<number> {
  const rows = await copyIn(client, `copy ${table.name} (${tableColumns(table)}) from stdin`, part.bytes)
  if (rows === part.foot().rows) return rows
  throw new BadArchive(`The table ${table.name} has ${rows} rows, but the archive declares ${part.foot().rows}.`)
}
