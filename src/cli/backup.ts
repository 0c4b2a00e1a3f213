import { basename } from 'node:path'
import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { hasCluster } from '#embedded-postgres/folders.ts'
import { type Config, readConfig } from '../config.ts'
import { refuseTakenPath } from '../platform/backup/archive.ts'
import { auditCell } from '../platform/backup/audit-cell.ts'
import { type BackedUp, backUp } from '../platform/backup/back-up.ts'
import { type CellSecret, isSameSecret, secretThatIsSet } from '../platform/backup/manifest.ts'
import { type Restored, readManifest, restore } from '../platform/backup/restore.ts'
import { openStore } from '../platform/files/files.ts'
import { findKeptSecret, keepSecret } from '../platform/kept-secret.ts'
import { UserError } from '../platform/user-error.ts'
import { operator } from './command.ts'
import { withDatabase } from './with-database.ts'

export function registerBackup(program: Command): void {
  objectCommand(
    program
      .command('backup')
      .argument('<file>', 'path of a new file')
      .description('write the whole cell to a file, while it runs'),
    async (_: object, path = '') => {
      const config = readConfig(process.env)
      const secret = secretOfCell(config)
      const store = config.bucket === null ? openStore(config) : null
      const made = await withDatabase(config, async (connection) => {
        await refuseTakenPath(path)
        await auditCell(connection, operator(), 'cell.backup_begun', { file: basename(path) })
        return backUp(connection, { store, secret }, path)
      })
      return { file: path, ...made, bucket: store === null, secret: 'kept' in secret }
    },
    backupText,
  )
}

export function registerRestore(program: Command): void {
  objectCommand(
    program
      .command('restore')
      .argument('<file>', 'file written by npx backdesk backup')
      .description('restore a backup into an empty database and file folder'),
    async (_: object, path = '') => {
      const config = readConfig(process.env)
      const manifest = await readManifest(path)
      const keep = secretChange(manifest.secret, config)
      const made = await withDatabase(config, async (connection) => {
        keep()
        const restored = await restore(connection, openStore(config), path, manifest)
        const details = { file: basename(path), made_at: restored.made_at }
        await auditCell(connection, operator(), 'cell.restored', details)
        return restored
      })
      return { ...made, bucket: manifest.files === 'bucket' }
    },
    restoredText,
  )
}

/** Refuses a folder without a cell, since opening it would create one. */
function secretOfCell({ databaseUrl, dataDir, secret }: Config): CellSecret {
  const found = secret ?? findKeptSecret(dataDir)
  if (found === null || (databaseUrl === null && !hasCluster(dataDir)))
    throw new UserError('invalid_configuration', `${dataDir} contains no cell. Set DATA_DIR to the folder of the cell.`)
  return secret === null ? { kept: found } : secretThatIsSet(secret)
}

/** Refuses a secret that cannot decrypt the backup. Returns how to store the secret that the backup contains. */
function secretChange(of: CellSecret, { secret, dataDir }: Config): () => void {
  const given = secret ?? findKeptSecret(dataDir)
  if (given !== null && isSameSecret(of, given)) return () => {}
  if (given === null && 'kept' in of) return () => keepSecret(dataDir, of.kept)
  const own = secret === null ? `${dataDir} has` : 'SECRET is'
  throw new UserError(
    'wrong_secret',
    given === null
      ? 'The cell of this backup had SECRET set. Set the same SECRET; otherwise encrypted data cannot be read.'
      : `${own} another secret than the backup, so its encrypted data could not be read. ${
          'kept' in of
            ? 'Restore into an empty DATA_DIR without SECRET, or set SECRET to the content of the file secret in the old DATA_DIR.'
            : 'Set SECRET to its former value.'
        }`,
  )
}

type Beside = { readonly bucket: boolean }

const backupText = (made: BackedUp & Beside & { file: string; secret: boolean }): string =>
  [
    `Wrote ${made.rows} rows of ${made.tables} tables and ${made.files} files to ${made.file}.`,
    made.missing > 0 &&
      `${made.missing} files are missing from the file storage. Check that DATA_DIR is the folder of the cell.`,
    made.bucket && 'The files in the bucket of STORAGE_URL are not included. Back up the bucket separately.',
    made.secret
      ? 'The backup contains the secret of the cell and all customer data. Store it as securely as the cell.'
      : 'SECRET is not included. Store it as well; without it, encrypted data is lost.',
  ]
    .filter(Boolean)
    .join('\n')

const restoredText = ({ rows, tables, files, made_at, migrated, bucket }: Restored & Beside): string =>
  [
    `Restored ${rows} rows of ${tables} tables and ${files} files, as of ${made_at}.`,
    migrated.length > 0 && `Applied the migrations ${migrated.join(', ')}.`,
    bucket && 'The files are in a bucket. Set STORAGE_URL to the bucket, or to a copy of it.',
  ]
    .filter(Boolean)
    .join('\n')
