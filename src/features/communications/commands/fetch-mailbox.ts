import { isDataError } from '../../../platform/db/failures.ts'
import type { Log } from '../../../platform/log.ts'
import type { ImapBox } from '../../../platform/net/imap-box.ts'
import { type MailReader, openReader } from '../mail/mail-reader.ts'
import { advanceTo, findProgress } from '../mail/mailboxes.store.ts'
import { type ListedMail, type Mailbox, openMailbox } from '../mail/open-mailbox.ts'
import { fileMail, type MailFilingNeeds, type MailOutcomeKind } from './file-mail.ts'

/** What a fetch has found. */
export type Fetched = {
  readonly mailbox: string
  /** Mails that were looked at. */
  readonly read: number
  readonly filed: number
  /** Filed before. */
  readonly known: number
  /** Written by this cell. */
  readonly own: number
  /** Delivery reports. */
  readonly reports: number
  /** Unreadable; they stay in the mailbox. */
  readonly failed: number
  /** Left for the next fetch. */
  readonly left: number
}
type MailboxFetch = MailFilingNeeds & {
  readonly log: Log
  /** The text of the file; generated if not given. */
  readonly reader?: MailReader
  readonly box: ImapBox
  readonly limit: number
}

/**
 * Files the new mails of a mailbox, oldest first, and stores the position with each. Concurrent fetches do not file a
 * mail twice.
 */
export async function fetchMailbox(what: MailboxFetch): Promise<Fetched> {
  const mailbox = await openMailbox(what.box)
  const reader = what.reader ?? openReader()
  try {
    const place = { name: mailbox.name, validity: mailbox.uidValidity }
    const progress = await what.db.inAccount(what.account, (tx) => tx.one(findProgress, place))
    const { mails, left } = await mailbox.mailsAfter(progress?.last ?? 0, what.limit)
    const outcomes: (MailOutcomeKind | 'failed')[] = []
    for (const mail of mails) outcomes.push(await processMail({ ...what, reader }, mailbox, mail))
    const count = (fate: MailOutcomeKind | 'failed') => outcomes.filter((each) => each === fate).length
    return {
      mailbox: mailbox.name,
      read: outcomes.length - count('passed'),
      ...{ filed: count('filed'), known: count('known'), own: count('own') },
      ...{ reports: count('report'), failed: count('failed'), left },
    }
  } finally {
    if (!what.reader) await reader.close()
    await mailbox.close()
  }
}

/** Files one mail. A mail that fails because of its content is skipped and does not block later ones. */
async function processMail(
  what: MailboxFetch & { readonly reader: MailReader },
  mailbox: Mailbox,
  lying: ListedMail,
): Promise<MailOutcomeKind | 'failed'> {
  const { db, account, log, reader } = what
  const location = { name: mailbox.name, validity: mailbox.uidValidity, uid: lying.uid }
  const skip = () => db.inAccount(account, (tx) => tx.one(advanceTo, location))
  const bytes = await mailbox.read(lying)
  if (!bytes) {
    await skip() // it was deleted in the meantime
    return 'passed'
  }
  const mail = await reader.read(bytes, lying)
  try {
    if (mail) return await fileMail(what, location, mail)
  } catch (error) {
    if (!isDataError(error)) throw error
    log.warn({ uid: lying.uid, code: (error as { code?: string }).code }, 'the database refused the content of a mail')
  }
  log.warn({ mailbox: location.name, uid: lying.uid }, 'could not read a mail; it stays in the mailbox')
  await skip()
  return 'failed'
}
