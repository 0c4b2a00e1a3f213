import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import { restrictTag } from '../features/customers/commands/restrict-tag.ts'
import { ACCOUNT, type OfAccount, operator } from './command.ts'
import { asOperator } from './with-cell.ts'

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
        asOperator(async (tx) => {
          await requireAccount(tx, account)
          return { tag: named, restricted, changed: await restrictTag(tx, account, named, restricted, operator()) }
        }),
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
