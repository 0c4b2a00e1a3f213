import type { ImapFlow, ImapFlowError, MailboxObject } from 'imapflow'
import type { ImapBox } from '../../../platform/net/imap-box.ts'
import { BEGINNING_BYTES } from './received-mail.ts'

/** What is fetched of one mail. */
const MAIL_MAXIMUM_BYTES = 25 * 1024 * 1024
const CONNECT_MS = 20_000
const SILENCE_MS = 60_000
/** The longest response: a mail with its protocol overhead. */
const ANSWER_BYTES = MAIL_MAXIMUM_BYTES + 1024 * 1024
/** Folders with the user's own mails. */
const OWN = ['\\Sent', '\\Drafts']

/** A mail in a mailbox. */
export type ListedMail = { readonly uid: number; readonly at: Date; readonly isWhole: boolean }
/** A box that is open to be read. Nothing in it is marked, moved or deleted. */
export type Mailbox = {
  /** As `user@host/folder`. */
  readonly name: string
  /** Another one means that the server has numbered all mails anew. */
  readonly uidValidity: number
  /** The mails with higher numbers, oldest first, and the number beyond the limit. */
  mailsAfter(uid: number, limit: number): Promise<{ mails: ListedMail[]; left: number }>
  /** The beginning of a mail that is too large. Null if it no longer exists. */
  read(mail: ListedMail): Promise<Buffer | null>
  close(): Promise<void>
}

/** Opens a mailbox, or throws the reason why it cannot; the text never contains the password. */
export async function openMailbox(box: ImapBox): Promise<Mailbox> {
  const { ImapFlow } = await import('imapflow')
  const { host, port, secure, user, password } = box
  const client = new ImapFlow({
    ...{ host, port, secure, auth: { user, pass: password } },
    ...{ logger: false, disableAutoIdle: true, clientInfo: { name: 'backdesk' } },
    ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    ...{ maxLiteralSize: ANSWER_BYTES, maxLineLength: ANSWER_BYTES, maxResponseSize: 2 * ANSWER_BYTES },
    tls: { rejectUnauthorized: true }, // overrides the environment
  })
  client.on('error', () => {}) // the caller receives the error
  try {
    await client.connect()
    const opened = await openFolder(client, box.folder)
    return {
      name: `${user}@${host}/${opened.path}`,
      uidValidity: Number(opened.uidValidity),
      mailsAfter: (uid, limit) => withRefusals(box, client, () => mailsAfter(client, uid, limit)),
      read: (mail) => withRefusals(box, client, () => read(client, mail)),
      close: () => client.logout().catch(() => client.close()),
    }
  } catch (error) {
    client.close()
    throw error instanceof MailboxRefusal ? error : refusalOf(box, error as ImapFlowError)
  }
}

/** Why a mailbox cannot be read, as a message for the operator. */
class MailboxRefusal extends Error {}

async function openFolder(client: ImapFlow, folder: string): Promise<MailboxObject> {
  const folders = await client.list()
  // Case counts in all names but this one.
  const named = folder.toUpperCase() === 'INBOX' ? 'INBOX' : folder
  const found = folders.find(({ path }) => path === named)
  if (!found)
    throw new MailboxRefusal(
      `The mailbox has no folder ${folder}. Its folders are: ${folders.map(({ path }) => path).join(', ')}. Set one of them in IMAP_URL.`,
    )
  if (found.specialUse !== undefined && OWN.includes(found.specialUse))
    throw new MailboxRefusal(
      `The folder ${found.path} contains sent or draft mails. Set a folder in IMAP_URL that mails arrive in.`,
    )
  return client.mailboxOpen(found.path, { readOnly: true })
}

async function mailsAfter(
  client: ImapFlow,
  last: number,
  limit: number,
): Promise<{ mails: ListedMail[]; left: number }> {
  // A range with a star holds the newest mail in any case.
  const found = await client.search({ uid: `${last + 1}:*` }, { uid: true })
  if (!found) throw new Error('the server did not list the mails')
  const uids = found.filter((uid) => uid > last).toSorted((one, other) => one - other)
  const next = uids.slice(0, limit)
  const known = next.length > 0 ? await client.fetchAll(next, { size: true, internalDate: true }, { uid: true }) : []
  const mails = known.map(({ uid, size = 0, internalDate }) => ({
    uid,
    at: timeOf(internalDate),
    isWhole: size <= MAIL_MAXIMUM_BYTES,
  }))
  return { mails: mails.toSorted((one, other) => one.uid - other.uid), left: uids.length - next.length }
}

function timeOf(date: Date | string | undefined): Date {
  const time = new Date(date ?? Number.NaN)
  return Number.isNaN(time.getTime()) ? new Date() : time
}

async function read(client: ImapFlow, { uid, isWhole }: ListedMail): Promise<Buffer | null> {
  const source = { start: 0, maxLength: isWhole ? MAIL_MAXIMUM_BYTES : BEGINNING_BYTES }
  const mail = await client.fetchOne(String(uid), { source }, { uid: true })
  return mail ? (mail.source ?? null) : null
}

/** The client returns nothing if its connection is lost, just as for a missing mail. */
async function withRefusals<T>(box: ImapBox, client: ImapFlow, ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await ask()
    if (!client.mailbox) throw new Error('the connection was lost')
    return answer
  } catch (error) {
    throw refusalOf(box, error as ImapFlowError)
  }
}

function refusalOf({ host, port, secure, password }: ImapBox, error: ImapFlowError): MailboxRefusal {
  const serverText = (error.responseText ?? error.message).replaceAll(password, '…').slice(0, SERVER_TEXT_LENGTH)
  const server = `${host}:${port}`
  if (error.authenticationFailed)
    return new MailboxRefusal(`${server} rejected the user or the password of IMAP_URL: ${serverText}`)
  if (isTls(error))
    return new MailboxRefusal(
      `Could not establish a secure connection to ${server}: ${serverText}. ${secure ? 'The certificate must be valid for this name. Use imap:// for ports without TLS.' : 'The certificate must be valid for this name.'}`,
    )
  if (error.responseStatus) return new MailboxRefusal(`${server} refuses: ${serverText}`)
  return new MailboxRefusal(`Could not connect to ${server}: ${serverText}`)
}
const SERVER_TEXT_LENGTH = 300

const isTls = ({ code = '', tlsFailed }: ImapFlowError): boolean =>
  tlsFailed === true || /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_)/.test(code)
