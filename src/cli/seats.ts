import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { listSeats } from '../features/accounts/accounts.store.ts'
import { createSeat } from '../features/accounts/commands/create-seat.ts'
import { SERVER_OPERATOR } from '../features/accounts/commands/seat-rules.ts'
import { updateSeat } from '../features/accounts/commands/update-seat.ts'
import { deactivatePerson } from '../features/people/commands/deactivate-person.ts'
import { invitePerson, type SeatInvitation } from '../features/people/commands/invite-person.ts'
import { linkAddress, makeLink } from '../features/sign-in/commands/make-link.ts'
import { resetFactors } from '../features/sign-in/commands/reset-factors.ts'
import { BUILT_IN_ROLES } from '../platform/access/policies.ts'
import { UserError } from '../platform/user-error.ts'
import { seatMoves } from '../registry.ts'
import { ACCOUNT, type OfAccount, several } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { atAccount } from './trips/on-trip.ts'

export function registerSeats(program: Command): void {
  const seat = program
    .command('seat')
    .description('create, update and list seats (users) of an account, and sign them in')
  const ofNewSeat = (name: string, about: string) =>
    seat
      .command(name)
      .description(about)
      .requiredOption(...ACCOUNT)
      .requiredOption('--email <email>', 'e-mail')
      .requiredOption('--role <role>', `${Object.keys(BUILT_IN_ROLES).join(', ')}, or a role of the account`)
      .option('--name <name>', 'name')
      .option('--branch <id>', 'id of the home branch')
  objectCommand(
    ofNewSeat('create', 'create a seat'),
    (given: Given) => atAccount(given, async (tx) => ({ id: await createSeat(tx, SERVER_OPERATOR, newSeatOf(given)) })),
    ({ id }: { id: string }) => `Created ${id}.`,
  )
  objectCommand(
    ofNewSeat('invite', 'create a seat, and send its person a link to choose a password, or print the link'),
    (given: Given) => atAccount(given, (tx, _desk, deps) => invitePerson(tx, deps, SERVER_OPERATOR, newSeatOf(given))),
    ({ id, invitation_link: link }: SeatInvitation) =>
      link === null
        ? `Created ${id} and sent the invitation.`
        : `Created ${id}. Hand this link on, which is good once within 72 hours:\n\n  ${link}\n`,
  )
  objectCommand(
    seat
      .command('deactivate')
      .description('deactivate a seat, and hand its open work to another one')
      .argument('<seat>', 'id or e-mail of the seat')
      .requiredOption(...ACCOUNT)
      .requiredOption('--to <id>', 'id of the seat that takes over open tasks, leads, trips and bookings'),
    ({ account, to }: OfAccount & { to: string }, named = '') =>
      atAccount({ account }, async (tx) => ({
        seat: named,
        moved: await deactivatePerson(tx, SERVER_OPERATOR, named, to, seatMoves),
      })),
    (answer: { seat: string }) => `Deactivated ${answer.seat}.`,
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
      atAccount({ account }, async (tx) => {
        if (sign === undefined && reminderMails === undefined && locale === undefined)
          throw new UserError('invalid_value', 'Nothing to update. Use --sign, --reminder-mails or --locale.')
        const change = { agent_sines: sign, mails_reminders: reminderMails, locale }
        const changed = await updateSeat(tx, SERVER_OPERATOR, id, change)
        const { agent_sines, mails_reminders } = changed
        return { id, agent_sines, mails_reminders, locale: changed.locale }
      }),
    ({ id }: { id: string }) => `Updated ${id}.`,
  )
  registerWaysIn(seat)
  listOfAccount(seat, 'seats', listSeats)
}

/** For people who cannot sign in. */
function registerWaysIn(seat: Command): void {
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
  objectCommand(
    seat
      .command('reset-second-factor')
      .description('remove the second factors of a seat whose person has lost them, and end its sessions')
      .argument('<seat>', 'id or e-mail of the seat')
      .requiredOption(...ACCOUNT),
    (options: OfAccount, named = '') =>
      atAccount(options, async (tx) => ({
        seat: named,
        ended: await resetFactors(tx, SERVER_OPERATOR, named, null),
      })),
    (answer: { seat: string; ended: number }) =>
      `Removed the second factors of ${answer.seat}. Ended sessions: ${answer.ended}.`,
  )
}
type Change = OfAccount & { sign?: string[]; reminderMails?: boolean; locale?: string }

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UserError('invalid_value', `--reminder-mails takes yes or no, not ${text}.`)
}

const newSeatOf = ({ email, role, name = null, branch = null }: Given) => ({ name, email, role, branchId: branch })

type Given = OfAccount & { email: string; role: string; name?: string | null; branch?: string | null }
