import addressparser from 'nodemailer/lib/addressparser'
import { StorageAway } from '../../../platform/files/file-store.ts'
import type { Files } from '../../../platform/files/files.ts'
import type { Attachment, Mail } from '../../../platform/mail/mail.ts'
import { domainOf, type MailAddress } from '../../../platform/mail/mail-address.ts'
import { plainOf } from '../clean-html.ts'
import type { SeatMail } from '../commands/queue-messages.ts'
import type { OutgoingMessage } from './outgoing.store.ts'

const MESSAGE_ID = /^<[^<>\s]+>$/
/** Suppresses automatic replies (RFC 3834). */
const WRITTEN_BY_ITSELF = { 'Auto-Submitted': 'auto-generated' }

/** What of a message’s mail is not in the message. */
type MailContext = {
  readonly account: number
  readonly files: Files
  readonly cell: MailAddress
  /** Address of the one-click unsubscribe; null if the mail needs none. */
  readonly unsubscribe: string | null
}

type SeatMailContext = Omit<MailContext, 'unsubscribe'> & {
  readonly id: string
  readonly written: number
  readonly agency: string
}

/** The mail of a message. */
export function mailOf(message: OutgoingMessage, messageId: string, context: MailContext): Mail {
  const { account, files, cell, unsubscribe } = context
  return {
    messageId,
    date: new Date(message.written),
    sender: cell.address,
    ...fromOf(message, cell),
    to: message.to,
    cc: message.cc,
    subject: message.subject ?? '',
    plain: message.plain ?? (message.html === null ? null : plainOf(message.html)),
    html: message.html,
    ...threadOf(message),
    headers: {
      ...(message.purpose !== 'conversation' && WRITTEN_BY_ITSELF),
      ...(unsubscribe !== null && unsubscribeHeaders(unsubscribe)),
    },
    attachments: message.files.map((file) => attachmentOf(files, account, file)),
  }
}

/** A mail to a seat, not a reply. */
export const mailToSeat = (
  { to, subject, plain, html, file }: SeatMail,
  { id, written, agency, account, files, cell }: SeatMailContext,
): Mail => ({
  messageId: `<${id}@${domainOf(cell.address)}>`,
  date: new Date(written),
  sender: cell.address,
  from: { name: agency, address: cell.address },
  replyTo: null,
  to: [to],
  cc: [],
  subject,
  plain,
  html,
  inReplyTo: null,
  references: [],
  headers: WRITTEN_BY_ITSELF,
  attachments: file ? [attachmentOf(files, account, file)] : [],
})

/**
 * Sends from the agency, by its own address if the account may use it; otherwise replies go to that address. The
 * account's reply address is the default.
 */
function fromOf(
  { agency, domains, from, replyTo, answers }: OutgoingMessage,
  cell: MailAddress,
): Pick<Mail, 'from' | 'replyTo'> {
  if (from === null) return { from: { name: agency, address: cell.address }, replyTo: replyTo ?? answers }
  const { name = '', address = '' } = addressparser(from, { flatten: true })[0] ?? {}
  const isOwn = domains.some((domain) => domain.toLowerCase() === domainOf(address))
  if (isOwn) return { from: { name: name || agency, address }, replyTo }
  return { from: { name: agency, address: cell.address }, replyTo: replyTo ?? from }
}

/** The answered message: the one it names, or the last one of its thread. */
function threadOf({ inReplyTo, answered, before }: OutgoingMessage): Pick<Mail, 'inReplyTo' | 'references'> {
  const named = answered ?? (inReplyTo !== null && MESSAGE_ID.test(inReplyTo) ? inReplyTo : null)
  const parent = named ?? before.at(-1) ?? null
  const references = parent === null || before.includes(parent) ? before : [...before, parent]
  return { inReplyTo: parent, references }
}

/** RFC 8058: the mail program posts to this address without further questions. */
const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

const attachmentOf = (
  { store }: Files,
  account: number,
  { id, name, type }: OutgoingMessage['files'][number],
): Attachment => ({
  name,
  type,
  async open() {
    const bytes = await store.read({ account, id })
    if (!bytes) throw new StorageAway('An attachment of the message is missing from the file storage')
    return bytes
  },
})
