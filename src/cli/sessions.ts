import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { SERVER_OPERATOR } from '../features/accounts/commands/seat-rules.ts'
import { signOutPerson } from '../features/people/commands/deactivate-person.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { atAccount } from './trips/on-trip.ts'

export function registerSessions(program: Command): void {
  const session = program.command('session').description('end sessions of the console')
  objectCommand(
    session
      .command('revoke')
      .description('sign the person of a seat out everywhere, and withdraw the links of the seat')
      .argument('<seat>', 'id or e-mail of the seat')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount, named = '') =>
      atAccount({ account }, async (tx) => ({ ended: await signOutPerson(tx, SERVER_OPERATOR, named) })),
    ({ ended }: { ended: number }) => `Ended sessions: ${ended}.`,
  )
}
