import { basename } from 'node:path'
import type { Command } from 'commander'
import { hasCluster } from '#embedded-postgres/folders.ts'
import { type Config, readConfig } from '../config.ts'
import { refuseTakenPath } from '../platform/backup/archive.ts'
import { auditCell } from '../platform/backup/audit-cell.ts'
import { type BackedUp, backUp } from '../platform/backup/back-up.ts'
import { type CellSecret, isSameSecret, secretThatIsSet } from '../platform/backup/manifest.ts'
import { type Restored, readManifest, restore } from '../platform/backup/restore.ts'
import { openStore } from '../platform/files/files.ts'
import { findKeptSecret, keepSecret } from '../platform/kept-secret.ts'
import { answering, operator } from './command.ts'
import { withDatabase } from './with-database.ts'

export function registerBackup(program: Command): void {
  answering(
    program
      .command('backup')
      .argument('<file>', 'a file that is not there yet')
      .description('write the whole cell to a file, while it works'),
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
    tellBackup,
  )
}

export function registerRestore(program: Command): void {
  answering(
    program
      .command('restore')
      .argument('<file>', 'what npx backdesk backup wrote')
      .description('fill an empty database, and the folder of files, from a backup'),
    async (_: object, path = '') => {
      const config = readConfig(process.env)
      const manifest = await readManifest(path)
      const keep = settleSecret(manifest.secret, config)
      const made = await withDatabase(config, async (connection) => {
        keep()
        const restored = await restore(connection, openStore(config), path, manifest)
        const details = { file: basename(path), made_at: restored.made_at }
        await auditCell(connection, operator(), 'cell.restored', details)
        return restored
      })
      return { ...made, bucket: manifest.files === 'bucket' }
    },
    tellRestored,
  )
}

/** Refuses a folder that has no cell: to open it would make one there. */
function secretOfCell({ databaseUrl, dataDir, secret }: Config): CellSecret {
  const found = secret ?? findKeptSecret(dataDir)
  if (found === null || (databaseUrl === null && !hasCluster(dataDir)))
    throw new Error(`There is no cell in ${dataDir}. Set DATA_DIR to the one that it has.`)
  return secret === null ? { kept: found } : secretThatIsSet(secret)
}

/** Refuses a secret by which what the backup holds could not be read; answers how to keep the one that it brings. */
function settleSecret(of: CellSecret, { secret, dataDir }: Config): () => void {
  const given = secret ?? findKeptSecret(dataDir)
  if (given !== null && isSameSecret(of, given)) return () => {}
  if (given === null && 'kept' in of) return () => keepSecret(dataDir, of.kept)
  throw new Error(
    given === null
      ? 'The cell of this backup had its SECRET set. Set the same one, or nothing that it sealed can be read.'
      : `${secret === null ? `${dataDir} holds` : 'SECRET is'} another secret than that of the backup, with which nothing that it sealed could be read. ${
          'kept' in of
            ? 'Restore into an empty DATA_DIR without SECRET, or set SECRET to what the file secret in the old DATA_DIR says.'
            : 'Set SECRET to what it was.'
        }`,
  )
}

type Beside = { readonly bucket: boolean }

const tellBackup = (made: BackedUp & Beside & { file: string; secret: boolean }): string =>
  [
    `Wrote ${made.rows} rows of ${made.tables} tables and ${made.files} files to ${made.file}.`,
    made.missing > 0 && `${made.missing} files have no bytes: see whether DATA_DIR is the cell's.`,
    made.bucket && 'Files are in the bucket of STORAGE_URL, which is no part of it: back it up by itself.',
    made.secret
      ? "It holds the cell's secret and everything about customers: keep it as you keep the cell."
      : 'SECRET is no part of it: keep it as well, or what it sealed is lost.',
  ]
    .filter(Boolean)
    .join('\n')

const tellRestored = ({ rows, tables, files, made_at, migrated, bucket }: Restored & Beside): string =>
  [
    `Restored ${rows} rows of ${tables} tables and ${files} files, as they were at ${made_at}.`,
    migrated.length > 0 && `Applied ${migrated.join(', ')}.`,
    bucket && 'Its files are in a bucket: set STORAGE_URL to it, or to a copy of it.',
  ]
    .filter(Boolean)
    .join('\n')
