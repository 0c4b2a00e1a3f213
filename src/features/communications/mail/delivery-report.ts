import type { Email } from 'postal-mime'
import { cleanLine, messageIdsIn } from './mail-text.ts'
import type { DeliveryReport, ReportedRecipient } from './received-mail.ts'

const STATUS_TYPES = ['message/delivery-status', 'message/global-delivery-status']
/** The returned part of the message. */
const RETURNED_TYPES = [
  'message/rfc822',
  'text/rfc822-headers',
  'message/rfc822-headers',
  'message/global',
  'message/global-headers',
]
const FIELDS_BYTES = 64 * 1024
const RECIPIENTS = 100
const ADDRESS_LENGTH = 320
const STATUS_LENGTH = 20

type Fields = ReadonlyMap<string, string>

/** The delivery report in a mail (RFC 3464, 6522); null for any other mail. */
export function readReport({ headers, attachments, inReplyTo }: Email): DeliveryReport | null {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? ''
  const status = attachments.find(({ mimeType }) => STATUS_TYPES.includes(mimeType))
  if (!/^multipart\/report\b/i.test(type) || !status) return null
  const [message, ...recipients] = fieldGroups(textOf(status.content))
  const returned = attachments.filter(({ mimeType }) => RETURNED_TYPES.includes(mimeType))
  const named = [
    ...returned.map(({ content }) => fieldGroups(textOf(content))[0]?.get('message-id')),
    message?.get('x-original-message-id') ?? message?.get('original-message-id'),
    inReplyTo,
  ]
  return {
    about: [...new Set(named.flatMap(messageIdsIn))],
    recipients: recipients.slice(0, RECIPIENTS).map(recipientOf),
  }
}

const recipientOf = (fields: Fields): ReportedRecipient => ({
  address: addressOf(fields, 'original-recipient') ?? addressOf(fields, 'final-recipient'),
  action: cleanLine(fields.get('action'), STATUS_LENGTH)?.toLowerCase() ?? '',
  status: /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? null,
})

/** `rfc822; somebody@example.org` without its type, and without brackets. */
function addressOf(fields: Fields, name: string): string | null {
  const address = cleanLine(fields.get(name)?.replace(/^[^;]*;/, ''), ADDRESS_LENGTH)?.replace(/^<|>$/g, '')
  return address?.includes('@') ? address : null
}

/** Groups of header fields with blank lines between them, the first occurrence of each name. */
function fieldGroups(text: string): Fields[] {
  const unfolded = text.replaceAll('\r\n', '\n').replace(/\n[ \t]+(?=\S)/g, ' ')
  return unfolded
    .split(/\n\s*\n/)
    .map((group) => {
      const fields = new Map<string, string>()
      for (const line of group.split('\n')) {
        const colon = line.indexOf(':')
        const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
        if (name !== '' && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim())
      }
      return fields
    })
    .filter(({ size }) => size > 0)
}

function textOf(content: Email['attachments'][number]['content']): string {
  return typeof content === 'string'
    ? content.slice(0, FIELDS_BYTES)
    : Buffer.from(content as Uint8Array).toString('utf8', 0, FIELDS_BYTES)
}
