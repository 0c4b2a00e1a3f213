import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { listBranches } from '../features/accounts/accounts.store.ts'
import { createBranch, updateBranch } from '../features/accounts/commands/save-branch.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

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
      atAccount({ account: o.account }, async (tx) => ({
        id: await createBranch(tx, idOf('company', o.company), { name: o.name, code: o.code }),
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
    ({ account, office, iata }: OfAccount & { office?: string[]; iata?: string[] }, named: string) =>
      atAccount({ account }, async (tx) => {
        const id = idOf('branch', named)
        if (!office && !iata) throw new UserError('invalid_value', 'Nothing to update. Use --office, --iata or both.')
        const codes = { office_ids: office, iata_numbers: iata }
        const { office_ids, iata_numbers } = await updateBranch(tx, id, codes)
        return { id, office_ids, iata_numbers }
      }),
    ({ id }: { id: string }) => `Updated ${id}.`,
  )
  listOfAccount(branch, 'branches', listBranches)
}
