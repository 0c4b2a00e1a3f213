import { type ReadPart, readArchive } from '../../../../platform/backup/archive.ts'
import { BadArchive } from '../../../../platform/backup/bad-archive.ts'
import { putFile } from '../../../../platform/backup/file-parts.ts'
import {
  type BackupTable,
  listAccountTables,
  prepareSession,
  sameTable,
  tableColumns,
} from '../../../../platform/backup/tables.ts'
import { type Connection, type SingleClient, withClient } from '../../../../platform/db/client.ts'
import { copyIn } from '../../../../platform/db/copy.ts'
import { appliedMigrations, isSameVersion, shareMigrationsLock } from '../../../../platform/db/migrate.ts'
import type { Operator } from '../../../../platform/operator.ts'
import { bandOf, isOf, type Region } from '../../../../platform/regions.ts'
import { UserError } from '../../../../platform/user-error.ts'
import { LOCK_NUMBERS } from '../create-account.ts'
import { type AccountManifest, type Opened, openExport } from './account-manifest.ts'
import type { Mover } from './export-account.ts'
import { SEALED_COLUMNS, sealAnew } from './sealed-columns.ts'

export type Imported = {
  readonly account: number
  readonly name: string
  readonly tables: number
  readonly rows: number
  readonly files: number
}

/**
 * Imports an account of another cell, with its number and all its data, in one transaction. It is active from the
 * commit on; work that was in progress in the other cell is claimed again when its lease expires.
 */
export async function importAccount(
  cell: Mover & { readonly config: { readonly region: Region } },
  connection: Connection,
  given: { readonly path: string; readonly passphrase: string },
  operator: Operator,
): Promise<Imported> {
  const opened = await openExport(given.path, given.passphrase)
  const { manifest, seal, secrets } = opened
  const { account, name } = manifest
  refuseRegion(account, cell.config.region)
  return withClient(connection, async (client) => {
    await prepareSession(client)
    await shareMigrationsLock(client)
    await client.query('begin')
    await refuseVersion(client, manifest)
    await client.query('set local role backdesk_system')
    await refuseTaken(client, account)
    const tables = await listAccountTables(client)
    await makeArriving(client, tables)
    const { files, rows } = await receive(client, cell, given.path, opened, tables)
    for (const [table, { columns, by }] of Object.entries(SEALED_COLUMNS))
      await sealAnew(client, arriving(table), columns, seal, cell[by])
    await keepSecrets(client, cell, secrets)
    await client.query(LOCK_NUMBERS)
    await refuseTaken(client, account) // it may have been taken while the file was read
    await insertAll(client, tables)
    await client.query(`set local app.as_it_is = 'off'`)
    await noteArrival(client, account, operator)
    await client.query('commit')
    return { account, name, tables: tables.length, rows, files }
  })
}

const arriving = (table: string): string => `arriving_${table}`

async function makeArriving(client: SingleClient, tables: readonly BackupTable[]): Promise<void> {
  const made = tables.map(
    (table) =>
      `create temporary table ${arriving(table.name)} on commit drop as select ${tableColumns(table)} from ${table.name} where false`,
  )
  await client.query(made.join(';'))
}

function refuseRegion(account: number, region: Region): void {
  if (isOf(bandOf(region), account)) return
  throw new UserError(
    'wrong_cell',
    `Account ${account} belongs to another region than this cell (${region}), and its data must stay in its region. Import it into a cell of that region. See CELL_REGION.`,
  )
}

async function refuseVersion(client: SingleClient, { migrations }: AccountManifest): Promise<void> {
  if (isSameVersion(await appliedMigrations(client), migrations)) return
  throw new UserError(
    'wrong_version',
    'The export was made by another version of Backdesk. Update both cells to the same version and export the account again.',
  )
}

async function refuseTaken(client: SingleClient, account: number): Promise<void> {
  const { rows } = await client.query('select from accounts where account_id = $1', [account])
  if (rows.length > 0)
    throw new UserError(
      'wrong_cell',
      `Account ${account} already exists in this cell, and account numbers never change. Import it into another cell.`,
    )
}

/** Rows into temporary tables, files into the storage. */
async function receive(
  client: SingleClient,
  cell: Mover,
  path: string,
  { key, manifest: { account } }: Opened,
  tables: readonly BackupTable[],
): Promise<{ rows: number; files: number }> {
  const known = new Map(tables.map((table) => [table.name, table]))
  const made = { rows: 0, files: 0 }
  const seen = new Set<string>()
  for await (const part of readArchive(path, key)) {
    if ('table' in part.head) {
      const table = sameTable(known, part.head)
      made.rows += await receiveTable(client, table, part, account)
      seen.add(table.name)
    } else if ('file' in part.head) {
      await putFile(cell.files.store, part, account)
      made.files += 1
    }
  }
  if (seen.size === known.size) return made
  throw new BadArchive(`The file has ${seen.size} tables, but an account has ${known.size}.`)
}

async function receiveTable(
  client: SingleClient,
  table: BackupTable,
  part: ReadPart,
  account: number,
): Promise<number> {
  const into = arriving(table.name)
  const rows = await copyIn(client, `copy ${into} (${tableColumns(table)}) from stdin`, part.bytes)
  const { rows: foreign } = await client.query(`select from ${into} where account_id <> $1 limit 1`, [account])
  if (rows === part.foot().rows && foreign.length === 0) return rows
  throw new BadArchive(`The rows of ${table.name} are not complete, or belong to another account.`)
}

/** What signed for the account elsewhere. */
async function keepSecrets(client: SingleClient, { accountSecrets }: Mover, secrets: readonly string[]): Promise<void> {
  const sealed = secrets.map((secret) => accountSecrets.seal(secret))
  await client.query(`update ${arriving('accounts')} set former_secrets = $1`, [sealed])
}

/** One statement inserts all, since foreign keys are looked at when a statement has ended: tables may name each other. */
async function insertAll(client: SingleClient, tables: readonly BackupTable[]): Promise<void> {
  await client.query(`set local app.as_it_is = 'on'`)
  const inserts = tables.map(
    (table, nth) =>
      `t${nth} as (insert into ${table.name} (${tableColumns(table)}) select ${tableColumns(table)} from ${arriving(table.name)})`,
  )
  await client.query(`with ${inserts.join(', ')} select`)
}

async function noteArrival(client: SingleClient, account: number, { name, source }: Operator): Promise<void> {
  await client.query(
    `insert into audit_log (account_id, actor, source, action, subject_type, subject_id)
     select account_id, $2, $3, 'account.moved_here', 'account', uuid::text from accounts where account_id = $1`,
    [account, name, source],
  )
}
