import type { Command } from 'commander'
import { listBranches } from '../features/accounts/accounts.store.ts'
import { createBranch } from '../features/accounts/commands/create-branch.ts'
import { ACCOUNT, answering, asOperator, type OfAccount } from './command.ts'
import { listOfAccount } from './list-of-account.ts'

export function registerBranches(program: Command): void {
  const branch = program.command('branch').description('make and list branches of an account')
  answering(
    branch
      .command('create')
      .description('make a branch of a company')
      .requiredOption(...ACCOUNT)
      .requiredOption('--company <id>', 'id of the company')
      .requiredOption('--name <name>', 'name')
      .option('--code <code>', 'short code'),
    (o: OfAccount & { company: string; name: string; code?: string }) =>
      asOperator(async (tx) => ({
        id: await createBranch(tx, o.account, { companyId: o.company, name: o.name, code: o.code ?? null }),
      })),
    ({ id }: { id: string }) => `Made ${id}.`,
  )
  listOfAccount(branch, 'branches', listBranches)
}
