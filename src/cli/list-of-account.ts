import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import type { Statement } from '../platform/db/statement.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { asOperator } from './with-cell.ts'

/** The subcommand `list` of what an account has several of. */
export function listOfAccount(command: Command, name: string, statement: Statement<OfAccount, object>): void {
  objectCommand(
    command
      .command('list')
      .description(`list the ${name} of an account`)
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        return { [name]: await tx.all(statement, { account }) }
      }),
    (answer: Record<string, object[]>) => table(answer[name] ?? []),
  )
}
