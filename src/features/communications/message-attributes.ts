import { type Field, type Kind, Refusal, refuse } from '../../catalogue/kind.ts'
import { oneOf, string, uuid } from '../../catalogue/kinds.ts'
import { textList } from '../../catalogue/lists.ts'
import { SIGNED_ID_MAXIMUM } from '../../platform/files/files.ts'
import { cleanHtml } from './clean-html.ts'
import { DIRECTIONS, MESSAGE_CHANNELS, PURPOSES } from './message-kinds.ts'

export const SUBJECT_MAXIMUM = 300
export const BODY_MAXIMUM = 100_000
/** To and copies together. */
export const RECIPIENTS_MAXIMUM = 50
const ADDRESS_MAXIMUM = 320
/** Length of a Message-ID and of a provider's id. */
const NAME_MAXIMUM = 500

const LINE_BREAK = /[\n\r\v\f\u0085\u2028\u2029]/
/** Text that becomes a header of a mail: with a line break in it, it would be two. */
const line = (maximum: number): Kind<string> => {
  const kind = string(maximum)
  return {
    ...kind,
    read(cell, context) {
      const text = kind.read(cell, context)
      return typeof text === 'string' && LINE_BREAK.test(text)
        ? refuse('invalid_string', 'Line breaks are not allowed here. Send one line.')
        : text
    },
    bad: [...kind.bad, 'One\nTwo', 'One\r\nBcc: two@example.com'],
  }
}

const addressList: Kind<string[]> = (() => {
  const kind = textList(line(ADDRESS_MAXIMUM))
  const tooMany = refuse('too_long', `Send at most ${RECIPIENTS_MAXIMUM} addresses.`)
  return {
    ...kind,
    pg: 'text[]',
    schema: { ...kind.schema, maxItems: RECIPIENTS_MAXIMUM },
    read(cell, context) {
      if (Array.isArray(cell) && cell.length > RECIPIENTS_MAXIMUM) return tooMany
      const read = kind.read(cell, context)
      if (read instanceof Refusal) return read
      const empty = read.indexOf('')
      return empty < 0 ? read : new Refusal([{ at: `[${empty}]`, code: 'invalid_string', message: 'Send an address.' }])
    },
    bad: [...kind.bad, [''], Array.from({ length: RECIPIENTS_MAXIMUM + 1 }, (_, nth) => `${nth}@example.com`)],
  }
})()

const html: Kind<string> = (() => {
  const kind = string(BODY_MAXIMUM)
  return {
    ...kind,
    read(cell, context) {
      const text = kind.read(cell, context)
      return text instanceof Refusal ? text : cleanHtml(text)
    },
    example: '<p>Text</p>',
  }
})()

const MESSAGE_ID = /^<?([^\s<>]+@[^\s<>]+)>?$/
/** The Message-ID with its angle brackets, which many programs omit; null if it is not one. */
export function messageIdIn(text: string): string | null {
  const [, name] = MESSAGE_ID.exec(text) ?? []
  return name ? `<${name}>` : null
}
/** One of our messages by id, or any by Message-ID, stored with its brackets. */
const messageName: Kind<string> = (() => {
  const kind = line(NAME_MAXIMUM - '<>'.length)
  return {
    ...kind,
    read(cell, context) {
      const text = kind.read(cell, context)
      if (text instanceof Refusal) return text
      const id = uuid.read(text, context)
      if (typeof id === 'string') return id
      return (
        messageIdIn(text) ??
        refuse('invalid_type', 'Send the id of a message, or a Message-ID such as <name@example.com>.')
      )
    },
    example: '<name@example.com>',
    bad: [...kind.bad, 'x', '<name>', '<a@b> <c@d>'],
  }
})()

/** What a write of a message may hold. */
export const messageAttributes = {
  direction: { ...oneOf(...DIRECTIONS), default: 'internal' },
  channel: { ...oneOf(...MESSAGE_CHANNELS), required: true },
  purpose: {
    ...oneOf(...PURPOSES),
    default: 'conversation',
    note: 'Purpose of an outbound message. `marketing` is sent only to customers who agreed to it; e-mails then carry a List-Unsubscribe header.',
  },
  customer_id: uuid,
  trip_id: uuid,
  subject: line(SUBJECT_MAXIMUM),
  body_plain: string(BODY_MAXIMUM),
  body_html: html,
  from_address: line(ADDRESS_MAXIMUM),
  reply_to: line(ADDRESS_MAXIMUM),
  to_addresses: { ...addressList, default: [] as string[] },
  cc_addresses: { ...addressList, default: [] as string[] },
  in_reply_to: messageName,
  thread_id: uuid,
  external_id: line(NAME_MAXIMUM),
  attachment_ids: { ...textList(string(SIGNED_ID_MAXIMUM)), default: [] as string[] },
} satisfies Record<string, Field>
