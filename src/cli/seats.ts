import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { listSeats } from '../features/accounts/accounts.store.ts'
import { createSeat } from '../features/accounts/commands/create-seat.ts'
import { updateSeat } from '../features/accounts/commands/update-seat.ts'
import { linkAddress, makeLink } from '../features/sign-in/commands/make-link.ts'
import { BUILT_IN_ROLES } from '../platform/access/policies.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount, operator, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { atAccount } from './trips/on-trip.ts'
import { asOperator } from './with-cell.ts'

export function registerSeats(program: Command): void {
  const seat = program
    .command('seat')
    .description('create, update and list seats (users) of an account, and sign them in')
  objectCommand(
    seat
      .command('create')
      .description('create a seat')
      .requiredOption(...ACCOUNT)
      .requiredOption('--email <email>', 'e-mail')
      .requiredOption('--role <role>', `${Object.keys(BUILT_IN_ROLES).join(', ')}, or a role of the account`)
      .option('--name <name>', 'name')
      .option('--branch <id>', 'id of the home branch'),
    ({ account, email, role, name = null, branch = null }: Given) =>
      asOperator(async (tx) => ({
        id: await createSeat(tx, account, { name, email, role, branchId: branch }, operator()),
      })),
    ({ id }: { id: string }) => `Created ${id}.`,
  )
  objectCommand(
    seat
      .command('update')
      .description('update the GDS agent signs, reminders and language of a seat')
      .argument('<id>', 'id of the seat')
      .requiredOption(...ACCOUNT)
      .option('--sign <signs>', 'GDS agent signs, separated by commas', several)
      .option('--reminder-mails <yes|no>', 'whether to send task reminders by e-mail as well', yesOrNo)
      .option('--locale <language>', 'language of messages to the seat, e.g. tr'),
    ({ account, sign, reminderMails, locale }: Change, id = '') =>
      asOperator(async (tx) => {
        if (sign === undefined && reminderMails === undefined && locale === undefined)
          throw new UserError('invalid_value', 'Nothing to update. Use --sign, --reminder-mails or --locale.')
        return {
          id,
          ...(await updateSeat(tx, account, id, { signs: sign, mailsReminders: reminderMails, locale }, operator())),
        }
      }),
    ({ id }: { id: string }) => `Updated ${id}.`,
  )
  objectCommand(
    seat
      .command('link')
      .description('print a link that signs the person of a seat in to the console, once, within an hour')
      .argument('<seat>', 'id or e-mail of the seat')
      .requiredOption(...ACCOUNT),
    (options: OfAccount, named = '') =>
      atAccount(options, async (tx, _desk, { publicUrl }) => {
        const { token, email, expires_at } = await makeLink(tx, named, 'sign_in')
        return { email, link: linkAddress(publicUrl, token), expires_at }
      }),
    ({ email, link }: { email: string; link: string }) => `Sign in as ${email}, once, within an hour:\n\n  ${link}\n`,
  )
  listOfAccount(seat, 'seats', listSeats)
}
type Change = OfAccount & { sign?: string[]; reminderMails?: boolean; locale?: string }

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UserError('invalid_value', `--reminder-mails takes yes or no, not ${text}.`)
}

type Given = OfAccount & { email: string; role: string; name?: string | null; branch?: string | null }
