import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { BILLING_STATUSES, listAccounts } from '../features/accounts/accounts.store.ts'
import { createAccount, type NewAccount } from '../features/accounts/commands/create-account.ts'
import { type AccountChange, SECOND_FACTOR_RULES } from '../features/accounts/commands/read-account-change.ts'
import { updateAccount } from '../features/accounts/commands/update-account.ts'
import { PLANS } from '../platform/access/plans.ts'
import { UserError } from '../platform/user-error.ts'
import { registerMoves } from './account-moves.ts'
import { ACCOUNT, type OfAccount, operator, several } from './command.ts'
import { atAccount } from './trips/on-trip.ts'
import { asOperator } from './with-cell.ts'

export function registerAccounts(program: Command): void {
  const account = program.command('account').description('create and update accounts (agencies)')
  objectCommand(
    account
      .command('create')
      .description('create an account with its company, headquarters and owner')
      .requiredOption('--name <name>', 'name of the agency')
      .requiredOption('--plan <plan>', Object.keys(PLANS).join(', '))
      .requiredOption('--time-zone <zone>', 'IANA time zone, e.g. Europe/Istanbul')
      .requiredOption('--currency <code>', 'currency of the company, e.g. TRY')
      .requiredOption('--country <code>', 'country of the company, e.g. TR')
      .requiredOption('--owner-email <email>', 'e-mail of the owner')
      .option('--owner-name <name>', 'name of the owner')
      .option('--locale <language>', 'default language of messages, e.g. tr; that of the country if omitted'),
    (o: Omit<NewAccount, 'ownerName'> & { ownerName?: string }) =>
      asOperator((tx, { config }) =>
        createAccount(tx, config.accountNumbers, { ...o, ownerName: o.ownerName ?? null }, operator()),
      ),
    ({ account: { id } }: { account: { id: number } }) =>
      `Created account ${id}. Next: npx backdesk key create --account ${id} --name "My integration" --scopes full`,
  )
  objectCommand(
    account
      .command('update')
      .description(
        'update the plan, time zone, language, billing status, owner, mail, look, key lifetime or sign-in rules of an account',
      )
      .requiredOption(...ACCOUNT)
      .option('--plan <plan>', Object.keys(PLANS).join(', '))
      .option('--time-zone <zone>', 'IANA time zone')
      .option('--billing-status <status>', BILLING_STATUSES.join(', '))
      .option('--owner-email <email>', 'e-mail of the seat that owns the account')
      .option('--locale <language>', 'default language of messages, e.g. tr')
      .option('--daily-messages <n>', 'daily limit of messages', wholeNumber)
      .option(
        '--mail-domains <domains>',
        'domains that mail may be sent from, separated by commas; "" for none',
        several,
      )
      .option('--accent <color>', 'color of public pages and mails, e.g. "#11606a"; "" for the default')
      .option('--logo <file>', 'PNG, JPEG, WebP or SVG file of up to 64 KB for public pages; "" for none', readLogoFile)
      .option('--key-life <days>', 'lifetime in days of new API keys without an expiry; 0 for no limit', wholeNumber)
      .option(
        '--second-factor <rule>',
        `whether everybody needs a second factor to sign in: ${SECOND_FACTOR_RULES.join(', ')}`,
      )
      .option('--answer-address <email>', 'default reply address of mail; "" for MAIL_FROM'),
    ({ account, json: _, answerAddress, ...change }: Change) =>
      atAccount({ account }, async (tx) => {
        await updateAccount(tx, { ...change, answer_address: answerAddress })
        return { account: { id: account } }
      }),
    ({ account: { id } }: { account: { id: number } }) => `Updated account ${id}.`,
  )
  registerMoves(account)
  objectCommand(
    account.command('list').description('list the accounts of the cell'),
    () => asOperator(async (tx) => ({ accounts: await tx.all(listAccounts, {}) })),
    ({ accounts }: { accounts: object[] }) => table(accounts),
  )
}

type Change = OfAccount & AccountChange & { readonly answerAddress?: string; readonly json?: boolean }

function readLogoFile(path: string): Uint8Array {
  if (path === '') return new Uint8Array()
  try {
    return readFileSync(path)
  } catch {
    throw new UserError('invalid_path', `--logo takes the path of a picture, but ${path} cannot be read.`)
  }
}
/** `Number` makes a zero of an empty text, and nothing would be sent any more. */
const wholeNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN)
