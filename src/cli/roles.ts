import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { listRoles } from '../features/accounts/accounts.store.ts'
import { saveRole } from '../features/accounts/commands/edit-role.ts'
import { SERVER_OPERATOR } from '../features/accounts/commands/seat-rules.ts'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import { BUILT_IN_ROLES, POLICIES } from '../platform/access/policies.ts'
import { ACCOUNT, type OfAccount, several } from './command.ts'
import { atAccount } from './trips/on-trip.ts'
import { asOperator } from './with-cell.ts'

export function registerRoles(program: Command): void {
  const role = program.command('role').description('create, update and list roles of an account')
  objectCommand(
    role
      .command('create')
      .description('create a role, or change its policies')
      .requiredOption(...ACCOUNT)
      .requiredOption('--name <name>', 'name, e.g. night_desk')
      .requiredOption('--policies <names>', POLICIES.join(', '), several),
    (o: OfAccount & { name: string; policies: string[] }) =>
      atAccount({ account: o.account }, async (tx) => {
        await saveRole(tx, SERVER_OPERATOR, o.name, o.policies)
        return { name: o.name, policies: o.policies }
      }),
    ({ name }: { name: string }) => `Saved role ${name}.`,
  )
  objectCommand(
    role
      .command('list')
      .description('list the built-in roles and those of an account')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        const builtIn = Object.entries(BUILT_IN_ROLES).map(([name, policies]) => ({
          name,
          built_in: true,
          policies: [...policies],
        }))
        const own = (await tx.all(listRoles, { account })).map(({ name, policies }) => ({
          name,
          built_in: false,
          policies,
        }))
        return { roles: [...builtIn, ...own] }
      }),
    ({ roles }: { roles: object[] }) => table(roles),
  )
}
