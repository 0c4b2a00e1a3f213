import type { Command } from 'commander'
import { objectCommand, SOME_FAILED, table } from '#client/command.ts'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import { listChainedAccounts } from '../features/audit/chain.store.ts'
import { dropOldEntries } from '../features/audit/commands/drop-old-entries.ts'
import { type LoggedHead, type Verified, verifyChain } from '../features/audit/reads/verify-chain.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount, operator } from './command.ts'
import { asOperator, withCell } from './with-cell.ts'

const REASON = 'an operator verifies audit logs'

export function registerAudit(program: Command): void {
  const command = program.command('audit').description('verify the audit log, and drop its oldest entries')
  objectCommand(
    command
      .command('verify')
      .description('compare every entry of the audit log with its chain; ends with 2 if one does not fit')
      .option(...ACCOUNT)
      .option('--head <head>', 'head of the chain from the log of the program, with --account', headFrom),
    (options: Partial<OfAccount> & { head?: LoggedHead }) => verify(options),
    ({ accounts }: { accounts: Verified[] }) => table(accounts),
  )
  objectCommand(
    command
      .command('drop')
      .description('drop the entries before a month, at least a year old; a signed checkpoint stays')
      .requiredOption(...ACCOUNT)
      .requiredOption('--before <month>', 'first month to keep, e.g. 2025-01'),
    ({ account, before }: OfAccount & { before: string }) =>
      asOperator(async (tx, { accountSecrets, now }) => ({
        dropped: await dropOldEntries(tx, accountSecrets, { account, before, now: now() }, operator()),
      })),
    ({ dropped }: { dropped: number }) => `Dropped ${dropped} entries.`,
  )
}

const verify = ({ account, head }: Partial<OfAccount> & { head?: LoggedHead }) =>
  withCell(async ({ deps: { db, accountSecrets } }) => {
    if (head && account === undefined) throw new UserError('invalid_value', '--head needs --account.')
    if (account !== undefined) await db.asSystem(REASON, (tx) => requireAccount(tx, account))
    const asked = account === undefined ? await db.askSystem(REASON, listChainedAccounts, {}) : [{ account }]
    const accounts: Verified[] = []
    for (const one of asked) accounts.push(await verifyChain(db.reader(one.account), accountSecrets, head ?? null))
    if (accounts.some(({ problem }) => problem !== null)) process.exitCode = SOME_FAILED
    return { accounts }
  })

/** Reads a head as the log has it, `12:9f86…`. */
function headFrom(text: string): LoggedHead {
  const [, seq, mac] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  if (seq !== undefined && mac !== undefined) return { seq: BigInt(seq), mac }
  throw new UserError('invalid_value', `--head takes a head such as 12:9f86…, not ${text}.`)
}
