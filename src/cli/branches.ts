import type { Command } from 'commander'
import { listBranches } from '../features/accounts/accounts.store.ts'
import { createBranch } from '../features/accounts/commands/create-branch.ts'
import { updateBranch } from '../features/accounts/commands/update-branch.ts'
import { ACCOUNT, answering, type OfAccount, operator, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { asOperator } from './with-cell.ts'

export function registerBranches(program: Command): void {
  const branch = program.command('branch').description('make, change and list branches of an account')
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
        id: await createBranch(tx, o.account, { companyId: o.company, name: o.name, code: o.code ?? null }, operator()),
      })),
    ({ id }: { id: string }) => `Made ${id}.`,
  )
  answering(
    branch
      .command('update')
      .description('say by which offices and IATA numbers the files of the ticket printer are a branch’s')
      .argument('<id>', 'id of the branch')
      .requiredOption(...ACCOUNT)
      .option('--office <ids>', 'GDS offices: office ids and pseudo city codes, with commas', several)
      .option('--iata <numbers>', 'IATA numbers of 8 digits, with commas', several),
    ({ account, office, iata }: OfAccount & { office?: string[]; iata?: string[] }, id: string) =>
      asOperator(async (tx) => {
        if (!office && !iata) throw new Error('Say what to change: --office, --iata or both.')
        const codes = await updateBranch(
          tx,
          account,
          id,
          { offices: office ?? null, iataNumbers: iata ?? null },
          operator(),
        )
        return { id, ...codes }
      }),
    ({ id }: { id: string }) => `Changed ${id}.`,
  )
  listOfAccount(branch, 'branches', listBranches)
}
