import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { listBranches } from '../features/accounts/accounts.store.ts'
import { createBranch } from '../features/accounts/commands/create-branch.ts'
import { updateBranch } from '../features/accounts/commands/update-branch.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount, operator, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { asOperator } from './with-cell.ts'

export function registerBranches(program: Command): void {
  const branch = program.command('branch').description('create, update and list branches of an account')
  objectCommand(
    branch
      .command('create')
      .description('create a branch of a company')
      .requiredOption(...ACCOUNT)
      .requiredOption('--company <id>', 'id of the company')
      .requiredOption('--name <name>', 'name')
      .option('--code <code>', 'short code'),
    (o: OfAccount & { company: string; name: string; code?: string }) =>
      asOperator(async (tx) => ({
        id: await createBranch(tx, o.account, { companyId: o.company, name: o.name, code: o.code ?? null }, operator()),
      })),
    ({ id }: { id: string }) => `Created ${id}.`,
  )
  objectCommand(
    branch
      .command('update')
      .description('update the GDS offices and IATA numbers by which ticket files are assigned to a branch')
      .argument('<id>', 'id of the branch')
      .requiredOption(...ACCOUNT)
      .option('--office <ids>', 'GDS offices (office ids and pseudo city codes), separated by commas', several)
      .option('--iata <numbers>', '8-digit IATA numbers, separated by commas', several),
    ({ account, office, iata }: OfAccount & { office?: string[]; iata?: string[] }, id: string) =>
      asOperator(async (tx) => {
        if (!office && !iata) throw new UserError('invalid_value', 'Nothing to update. Use --office, --iata or both.')
        const codes = await updateBranch(
          tx,
          account,
          id,
          { offices: office ?? null, iataNumbers: iata ?? null },
          operator(),
        )
        return { id, ...codes }
      }),
    ({ id }: { id: string }) => `Updated ${id}.`,
  )
  listOfAccount(branch, 'branches', listBranches)
}
