import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { PASSPHRASE_MINIMUM } from '../features/accounts/commands/move/account-manifest.ts'
import { type Exported, exportAccount } from '../features/accounts/commands/move/export-account.ts'
import { type Imported, importAccount } from '../features/accounts/commands/move/import-account.ts'
import { reopenAccount } from '../features/accounts/commands/move/leave-cell.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount, operator } from './command.ts'
import { withCell } from './with-cell.ts'

/** The move of an account from one cell to another: out, in, and back. */
export function registerMoves(account: Command): void {
  objectCommand(
    account
      .command('export')
      .argument('<file>', 'path of a new file')
      .description('close an account in this cell and write it to a file, encrypted with EXPORT_PASSPHRASE')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount, path = '') => {
      const passphrase = readPassphrase()
      return withCell(async ({ deps, connection }) => ({
        file: path,
        ...(await exportAccount(deps, connection, { account, path, passphrase }, operator())),
      }))
    },
    exportedText,
  )
  objectCommand(
    account
      .command('import')
      .argument('<file>', 'file written by npx backdesk account export')
      .description('import an account from another cell, with its number, keys and all data'),
    (_: object, path = '') => {
      const passphrase = readPassphrase()
      return withCell(({ deps, connection }) => importAccount(deps, connection, { path, passphrase }, operator()))
    },
    ({ account, name, tables, rows, files }: Imported) =>
      `Imported account ${account}, ${name}: ${rows} rows of ${tables} tables and ${files} files. The account is now active in this cell.`,
  )
  objectCommand(
    account
      .command('reopen')
      .description('undo the export of an account, unless another cell has imported it')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      withCell(async ({ deps: { db } }) => {
        await reopenAccount(db, account, operator())
        return { account: { id: account } }
      }),
    ({ account: { id } }: { account: { id: number } }) => `Account ${id} is active in this cell again.`,
  )
}

/** From the environment, since all users of the machine can see arguments. */
function readPassphrase(): string {
  const given = process.env.EXPORT_PASSPHRASE ?? ''
  if (given.length >= PASSPHRASE_MINIMUM) return given
  throw new UserError(
    'wrong_passphrase',
    `Set EXPORT_PASSPHRASE to at least ${PASSPHRASE_MINIMUM} characters, the same for export and import.`,
  )
}

const exportedText = ({ account, tables, rows, files, missing, file }: Exported & { file: string }): string =>
  [
    `Wrote ${rows} rows of ${tables} tables and ${files} files of account ${account} to ${file}.`,
    missing > 0 && `${missing} files are missing from the file storage.`,
    'The account is closed in this cell. Next, in the other cell: npx backdesk account import FILE',
    `To undo the export: npx backdesk account reopen --account ${account}`,
  ]
    .filter(Boolean)
    .join('\n')
