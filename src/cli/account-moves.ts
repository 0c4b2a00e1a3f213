import type { Command } from 'commander'
import { PASSPHRASE_MINIMUM } from '../features/accounts/commands/move/account-manifest.ts'
import { type Exported, exportAccount } from '../features/accounts/commands/move/export-account.ts'
import { type Imported, importAccount } from '../features/accounts/commands/move/import-account.ts'
import { reopenAccount } from '../features/accounts/commands/move/leave-cell.ts'
import { ACCOUNT, answering, type OfAccount, operator } from './command.ts'
import { withCell } from './with-cell.ts'

/** The move of an account from one cell to another: out, in, and back. */
export function registerMoves(account: Command): void {
  answering(
    account
      .command('export')
      .argument('<file>', 'a file that is not there yet')
      .description('bring an account to rest for good and write all of it to a file, sealed by EXPORT_PASSPHRASE')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount, path = '') => {
      const passphrase = readPassphrase()
      return withCell(async ({ deps, connection }) => ({
        file: path,
        ...(await exportAccount(deps, connection, { account, path, passphrase }, operator())),
      }))
    },
    tellExported,
  )
  answering(
    account
      .command('import')
      .argument('<file>', 'what npx backdesk account export wrote')
      .description('take in an account of another cell, with its number, keys and everything'),
    (_: object, path = '') => {
      const passphrase = readPassphrase()
      return withCell(({ deps, connection }) => importAccount(deps, connection, { path, passphrase }, operator()))
    },
    ({ account, name, tables, rows, files }: Imported) =>
      `Took in account ${account}, ${name}: ${rows} rows of ${tables} tables and ${files} files. It is at work here.`,
  )
  answering(
    account
      .command('reopen')
      .description('take the export of an account back, unless another cell has taken it in')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      withCell(async ({ deps: { db } }) => {
        await reopenAccount(db, account, operator())
        return { account: { id: account } }
      }),
    ({ account: { id } }: { account: { id: number } }) => `Account ${id} is at work here again.`,
  )
}

/** From the environment, since arguments are seen by everybody on the machine. */
function readPassphrase(): string {
  const given = process.env.EXPORT_PASSPHRASE ?? ''
  if (given.length >= PASSPHRASE_MINIMUM) return given
  throw new Error(`Set EXPORT_PASSPHRASE to ${PASSPHRASE_MINIMUM} characters or more, the same for export and import.`)
}

const tellExported = ({ account, tables, rows, files, missing, file }: Exported & { file: string }): string =>
  [
    `Wrote ${rows} rows of ${tables} tables and ${files} files of account ${account} to ${file}.`,
    missing > 0 && `${missing} files have no bytes.`,
    'It answers nothing here any more. Next, in the other cell: npx backdesk account import FILE',
    `Or, to take it back: npx backdesk account reopen --account ${account}`,
  ]
    .filter(Boolean)
    .join('\n')
