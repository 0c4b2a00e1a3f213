import type { Connection, SingleClient } from '../db/client.ts'
import { CopyOut } from '../db/copy.ts'
import { appliedMigrations } from '../db/migrate.ts'
import type { FileStore } from '../files/file-store.ts'
import { type ArchivePart, writeArchive } from './archive.ts'
import { filePartsOf, type Missing } from './file-parts.ts'
import { BACKUP, type CellSecret, type Manifest } from './manifest.ts'
import { withSnapshot } from './snapshot.ts'
import { listTables, tableColumns } from './tables.ts'

export type BackedUp = Missing & { readonly tables: number; readonly rows: number }

/**
 * The parts of a cell outside of its database. `store` is null if files are in a bucket, which is backed up separately.
 */
type Beside = { readonly store: FileStore | null; readonly secret: CellSecret }

/** Writes a consistent copy of the whole cell to a new file while the cell continues to work. */
export async function backUp(connection: Connection, { store, secret }: Beside, path: string): Promise<BackedUp> {
  const made = { tables: 0, rows: 0, files: 0, missing: 0 }
  async function* parts(client: SingleClient): AsyncGenerator<ArchivePart> {
    await client.query('set transaction read only')
    const head: Manifest = {
      kind: BACKUP,
      made_at: new Date().toISOString(),
      migrations: await appliedMigrations(client),
      files: store === null ? 'bucket' : 'here',
      secret,
    }
    yield { head }
    await client.query('set local role backdesk_system') // behind the wall the owner of the tables sees no rows
    for (const table of await listTables(client)) {
      const copy = new CopyOut(client, `copy (select ${tableColumns(table)} from ${table.name}) to stdout`)
      yield { head: { table: table.name, columns: table.columns }, bytes: copy, foot: () => ({ rows: copy.rows }) }
      made.tables += 1
      made.rows += copy.rows
    }
    if (store !== null) yield* filePartsOf(client, store, null, made)
  }
  await withSnapshot(connection, (client) => writeArchive(path, parts(client)))
  return made
}
