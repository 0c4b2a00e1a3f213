import type { Command } from 'commander'
import { objectCommand, SOME_FAILED } from '#client/command.ts'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import { type Fetched, fetchMailbox } from '../features/communications/commands/fetch-mailbox.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, limitUpTo, type OfAccount } from './command.ts'
import { withCell } from './with-cell.ts'

const READ = 500
const MOST = 5_000

export function registerMail(program: Command): void {
  const mail = program.command('mail').description('read the mailbox that customers write to')
  objectCommand(
    mail
      .command('fetch')
      .description('store new mails of the mailbox in IMAP_URL as messages of an account; the mailbox is not changed')
      .requiredOption(...ACCOUNT)
      .option('--limit <n>', `maximum number of mails, up to ${MOST}`, limitUpTo(MOST), READ),
    ({ account, limit }: OfAccount & { limit: number }) =>
      withCell(async ({ deps: { db, files, log, config } }) => {
        const box = config.imapBox
        if (box === null)
          throw new UserError(
            'invalid_configuration',
            'IMAP_URL is not set. Set it to the mailbox: imaps://USER:PASSWORD@HOST/FOLDER.',
          )
        await db.asSystem('an operator fetches mail', (tx) => requireAccount(tx, account))
        const ownAddress = config.mailFrom.address
        const fetched = await fetchMailbox({ db, files, log, account, ownAddress, box, limit })
        if (fetched.failed > 0) process.exitCode = SOME_FAILED
        return fetched
      }),
    fetchedText,
  )
}

function fetchedText({ mailbox, read, filed, known, own, reports, failed, left }: Fetched): string {
  const also = Object.entries({
    'already stored': known,
    'sent from this account': own,
    'report of deliveries': reports,
    unreadable: failed,
  }).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
  const rest = left > 0 ? `\n${left} are left: fetch again.` : ''
  return `Read ${read} new mails of ${mailbox}: ${[`${filed} filed`, ...also].join(', ')}.${rest}`
}
