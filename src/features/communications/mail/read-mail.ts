import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import { namedAddress } from '../../../platform/mail/mail-address.ts'
import { BODY_KEPT, HTML_KEPT, LISTED_KEPT, NAME_KEPT, SUBJECT_KEPT } from '../message-limits.ts'
import { readReport } from './delivery-report.ts'
import { cleanLine, cleanText, endOfHeaders, inUtf8, messageIdsIn } from './mail-text.ts'
import { BEGINNING_BYTES, type MailFile, type ReceivedMail } from './received-mail.ts'

/** Limits of a mail: more than any program writes, and within what the parser can handle. */
const LINES = 450_000
const PARTS = 5_000
const NESTED = 50
const HEADER_BYTES = 512 * 1024
const DASH = 0x2d
const NAME_LENGTH = 150
const FILE_NAME_LENGTH = 500

/** When a mail arrived, its id if it has no Message-ID, and whether its end is missing. */
export type Arrival = { readonly at: Date; readonly unnamed: string; readonly cut: ReceivedMail['cut'] }

/**
 * Reads a mail from any bytes. Of a mail that is too large or fails to parse, only the beginning is read; if even that
 * fails, only the headers.
 */
export async function readMail(bytes: Buffer, arrival: Arrival): Promise<ReceivedMail> {
  const whole = isReadable(bytes) ? await parse(bytes) : null
  const beginning = bytes.subarray(0, BEGINNING_BYTES)
  const email =
    whole ?? (await parse(beginning)) ?? (await parse(beginning.subarray(0, endOfHeaders(beginning)))) ?? NOTHING
  const cut = arrival.cut ?? (whole ? null : 'unreadable')
  return { ...readContent(email, arrival), cut, files: cut ? [] : filesOf(email) }
}

const NOTHING: Email = { headers: [], headerLines: [], attachments: [] }

/** Null if the parser cannot handle it. */
async function parse(bytes: Buffer): Promise<Email | null> {
  try {
    const options = { forceRfc822Attachments: true, maxNestingDepth: NESTED, maxHeadersSize: HEADER_BYTES }
    return await PostalMime.parse(inUtf8(bytes), options)
  } catch {
    return null
  }
}

/** The parser allocates for each line and each part, so an extreme number of either is refused. */
function isReadable(bytes: Buffer): boolean {
  let lines = 0
  let parts = 0
  for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) {
    lines += 1
    if (bytes[at + 1] === DASH && bytes[at + 2] === DASH) parts += 1
    if (lines > LINES || parts > PARTS) return false
  }
  return true
}

function readContent(email: Email, arrival: Arrival): Omit<ReceivedMail, 'cut' | 'files'> {
  const sender = email.from ?? email.sender
  return {
    messageId: messageIdsIn(email.messageId)[0] ?? arrival.unnamed,
    inReplyTo: messageIdsIn(email.inReplyTo)[0] ?? null,
    references: messageIdsIn(email.references).slice(-LISTED_KEPT),
    from: addressesIn(sender && [sender])[0] ?? null,
    replyTo: addressesIn(email.replyTo)[0] ?? null,
    to: addressesIn(email.to),
    cc: addressesIn(email.cc),
    subject: cleanLine(email.subject, SUBJECT_KEPT),
    plain: cleanText(email.text, BODY_KEPT),
    html: cleanText(email.html, HTML_KEPT),
    sentAt: sentAt(email.date, arrival.at),
    isAutomatic: isAutomatic(email),
    report: readReport(email),
  }
}

/** `Name <name@example.com>`, or the plain address; members of a group separately. */
function addressesIn(given: readonly Address[] = []): string[] {
  const found = given
    .slice(0, LISTED_KEPT)
    .flatMap((each) => each.group?.slice(0, LISTED_KEPT) ?? [each])
    .map(({ name, address = '' }) =>
      ADDRESS.test(address) ? namedAddress(cleanLine(name, NAME_LENGTH) ?? '', address) : '',
    )
    .filter((written) => written !== '' && written.length <= NAME_KEPT)
  return [...new Set(found)].slice(0, LISTED_KEPT)
}
const ADDRESS = /^[^\s@<>,;\p{Cc}\p{Cs}]{1,64}@[^\s@<>,;\p{Cc}\p{Cs}]{1,255}$/u

/** The date of the mail, unless it is impossible. */
function sentAt(date: string | undefined, arrived: Date): string {
  const stated = Date.parse(date ?? '')
  const isPossible = stated > EARLIEST && stated < arrived.getTime() + CLOCKS_DIFFER_MS
  return (isPossible ? new Date(stated) : arrived).toISOString()
}
/** Before there was mail. */
const EARLIEST = Date.UTC(1971)
const CLOCKS_DIFFER_MS = 24 * 3_600_000

/** According to RFC 3834, and to older conventions. */
function isAutomatic({ headers }: Email): boolean {
  const value = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase()
  const declared = value('auto-submitted') ?? 'no'
  return (
    !/^no\b/.test(declared) ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => value(name) !== undefined) ||
    value('precedence') === 'auto_reply' ||
    value('return-path') === '<>'
  )
}

/** Attached files first, then the images of the text. */
function filesOf({ attachments }: Email): MailFile[] {
  return attachments
    .map((attachment) => ({
      name: cleanLine(attachment.filename ?? undefined, FILE_NAME_LENGTH) ?? nameless(attachment),
      bytes: Buffer.from(attachment.content as ArrayBuffer),
      isInline: attachment.related === true,
    }))
    .toSorted((one, other) => Number(one.isInline) - Number(other.isInline))
}

/** Names for parts without a name, by their type. */
const nameless = ({ mimeType }: Attachment): string | null => NAMELESS[mimeType] ?? null
const NAMELESS: Readonly<Record<string, string>> = {
  'message/rfc822': 'message.eml',
  'text/calendar': 'invitation.ics',
  'application/ics': 'invitation.ics',
}
