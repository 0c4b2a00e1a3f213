import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { restrictTag } from '../features/customers/commands/restrict-tag.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { atAccount } from './trips/on-trip.ts'

export function registerTags(program: Command): void {
  const tag = program
    .command('tag')
    .description('restrict tags, to hide the identity of their customers from some roles')
  const restricting = (name: string, restricted: boolean, description: string) =>
    objectCommand(
      tag
        .command(name)
        .description(description)
        .argument('<name>', 'the tag of the customers')
        .requiredOption(...ACCOUNT),
      ({ account }: OfAccount, named = '') =>
        atAccount({ account }, async (tx) => ({
          tag: named,
          restricted,
          changed: await restrictTag(tx, named, restricted),
        })),
      (answer: { tag: string; changed: boolean }) =>
        `${answer.tag} is ${answer.changed ? 'now' : 'already'} ${restricted ? 'restricted' : 'open'}.`,
    )
  restricting(
    'restrict',
    true,
    'hide the identity of customers with a tag from roles without view_restricted_customers',
  )
  restricting('release', false, 'show the identity of customers with a tag to all roles again')
}
