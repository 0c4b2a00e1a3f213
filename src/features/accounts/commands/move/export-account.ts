import type { AccountSecrets } from '../../../../platform/account-secrets.ts'
import { type ArchivePart, refuseTakenPath, writeArchive } from '../../../../platform/backup/archive.ts'
import { filePartsOf, type Missing } from '../../../../platform/backup/file-parts.ts'
import { withSnapshot } from '../../../../platform/backup/snapshot.ts'
import { type BackupTable, listAccountTables, tableColumns } from '../../../../platform/backup/tables.ts'
import type { Connection, SingleClient } from '../../../../platform/db/client.ts'
import { CopyOut } from '../../../../platform/db/copy.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { appliedMigrations } from '../../../../platform/db/migrate.ts'
import type { FileStore } from '../../../../platform/files/file-store.ts'
import type { Operator } from '../../../../platform/operator.ts'
import type { Seal } from '../../../../platform/seal.ts'
import { accountManifest, newSalt, transferOf } from './account-manifest.ts'
import { leaveCell } from './leave-cell.ts'
import { type CellSeals, SEALED_COLUMNS, sealAnew } from './sealed-columns.ts'

/** What of a cell moves accounts, or takes them in. */
export type Mover = CellSeals & {
  readonly db: Database
  readonly files: { readonly store: FileStore }
  readonly accountSecrets: AccountSecrets
}
export type Exported = Missing & { readonly account: number; readonly tables: number; readonly rows: number }

/**
 * Stops an account and writes all of it to a new file: the rows of every table with accounts, found in the database
 * catalogue, and its files. Values that the cell sealed are sealed again with the passphrase, which also authenticates
 * them.
 */
export async function exportAccount(
  cell: Mover,
  connection: Connection,
  given: { readonly account: number; readonly path: string; readonly passphrase: string },
  operator: Operator,
): Promise<Exported> {
  const { account } = given
  await refuseTakenPath(given.path) // while the account is still at work
  await leaveCell(cell.db, account, operator)
  const salt = newSalt()
  const { seal, key } = transferOf(given.passphrase, salt)
  const made = { account, tables: 0, rows: 0, files: 0, missing: 0 }

  async function* parts(client: SingleClient): AsyncGenerator<ArchivePart> {
    const migrations = await appliedMigrations(client)
    await client.query('set local role backdesk_system') // row security lets this role see all rows
    const { name, former } = await nameAndSecrets(client, account)
    const opened = former.map((secret) => cell.accountSecrets.open(secret)).filter((secret) => secret !== null)
    await cell.db.loadKeys(account)
    const { acceptsFirstVersion, ofFirstVersion } = cell.accountSecrets
    const secrets = [...(acceptsFirstVersion(account) ? [ofFirstVersion(account)] : []), ...opened]
    yield { head: accountManifest({ account, name, migrations }, salt, seal, secrets) }
    for (const table of await listAccountTables(client)) {
      const from = await sealedForTransfer(client, cell, seal, table, account)
      const copy = new CopyOut(client, `copy (select ${tableColumns(table)} from ${from}) to stdout`)
      yield { head: { table: table.name, columns: table.columns }, bytes: copy, foot: () => ({ rows: copy.rows }) }
      made.tables += 1
      made.rows += copy.rows
    }
    yield* filePartsOf(client, cell.files.store, account, made)
  }
  await withSnapshot(connection, (client) => writeArchive(given.path, parts(client), key))
  return made
}

/** What the account is called, and what signed for it in other cells, sealed. */
async function nameAndSecrets(client: SingleClient, account: number): Promise<{ name: string; former: Buffer[] }> {
  const { rows } = await client.query<{ name: string; former: Buffer[] }>(
    'select name, former_secrets as former from accounts where account_id = $1',
    [account],
  )
  return rows[0] ?? { name: '', former: [] }
}

/** SQL of the account's rows of a table, with what the cell sealed under the seal of the transfer. */
async function sealedForTransfer(
  client: SingleClient,
  cell: CellSeals,
  seal: Seal,
  table: BackupTable,
  account: number,
): Promise<string> {
  const rows = `${table.name} where account_id = ${account}`
  const sealed = SEALED_COLUMNS[table.name]
  if (sealed === undefined) return rows
  const leaving = `leaving_${table.name}`
  await client.query(`create temporary table ${leaving} on commit drop as select ${tableColumns(table)} from ${rows}`)
  await sealAnew(client, leaving, sealed.columns, cell[sealed.by], seal)
  return leaving
}
