import type { Command } from 'commander'
import { listSeats } from '../features/accounts/accounts.store.ts'
import { createSeat } from '../features/accounts/commands/create-seat.ts'
import { BUILT_IN_ROLES } from '../platform/access/policies.ts'
import { ACCOUNT, answering, asOperator, type OfAccount } from './command.ts'
import { listOfAccount } from './list-of-account.ts'

export function registerSeats(program: Command): void {
  const seat = program.command('seat').description('make and list seats (users) of an account')
  answering(
    seat
      .command('create')
      .description('make a seat')
      .requiredOption(...ACCOUNT)
      .requiredOption('--email <email>', 'e-mail')
      .requiredOption('--role <role>', `${Object.keys(BUILT_IN_ROLES).join(', ')}, or a role of the account`)
      .option('--name <name>', 'name')
      .option('--branch <id>', 'id of the home branch'),
    ({ account, email, role, name = null, branch = null }: Given) =>
      asOperator(async (tx) => ({ id: await createSeat(tx, account, { name, email, role, branchId: branch }) })),
    ({ id }: { id: string }) => `Made ${id}.`,
  )
  listOfAccount(seat, 'seats', listSeats)
}
type Given = OfAccount & { email: string; role: string; name?: string | null; branch?: string | null }
