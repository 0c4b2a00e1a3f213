import { type ReadContext, Refusal } from '../../catalogue/kind.ts'
import { complete } from '../../catalogue/read-cells.ts'
import type { Actor, Company } from '../../platform/access/actor.ts'
import { homeCompany } from '../../platform/access/places.ts'
import { demandPolicy } from '../../platform/http/demand-policy.ts'
import type { Reasons } from '../../platform/http/reasons.ts'
import { readAttributes } from '../../records/attributes.ts'
import { readAddress, readAnyAddress } from './addresses.ts'
import { plainOf } from './clean-html.ts'
import { messageDetail } from './communications.view.ts'
import { BODY_MAXIMUM, messageAttributes } from './message-attributes.ts'
import { type Channel, type DIRECTIONS, isDeliverable, type Purpose } from './message-kinds.ts'

/** A message as a client wrote it. */
export type MessageInput = {
  readonly direction: (typeof DIRECTIONS)[number]
  readonly channel: Channel
  readonly purpose: Purpose
  readonly customer_id: string | null
  readonly trip_id: string | null
  readonly subject: string | null
  readonly body_plain: string | null
  readonly body_html: string | null
  readonly from_address: string | null
  readonly reply_to: string | null
  readonly to_addresses: readonly string[]
  readonly cc_addresses: readonly string[]
  readonly in_reply_to: string | null
  readonly thread_id: string | null
  readonly external_id: string | null
  readonly attachment_ids: readonly string[]
}
/** The source and the target of a message. */
export type Addresses = Pick<MessageInput, 'from_address' | 'reply_to' | 'to_addresses' | 'cc_addresses'>

/** Validates a message without any look-up. An outbound message requires the policy to send. */
export function readMessage(actor: Actor, given: Record<string, unknown>, reasons: Reasons): MessageInput {
  const values = readAttributes(messageAttributes, given, {
    company: homeCompany(actor),
    timeZone: actor.timeZone,
    creates: true,
    others: ['company_id'],
    shows: messageDetail,
    reasons,
  })
  if (values.direction === 'outbound') demandPolicy(actor.policies, 'send_messages')
  const read = complete(messageAttributes, values) as MessageInput
  const body_html = read.body_html || null // it may be empty then
  const derived = body_html === null ? null : plainOf(body_html).slice(0, BODY_MAXIMUM).toWellFormed()
  const body_plain = read.body_plain ?? (derived || null)
  return { ...read, body_html, body_plain }
}

const sends = ({ channel, direction }: MessageInput): boolean => direction === 'outbound' && isDeliverable(channel)

/**
 * Reads the addresses of a message; numbers without a prefix are in the company's country. A message to be sent needs
 * deliverable addresses; addresses of a recorded message are kept unchanged if they are not valid.
 */
export function readAddresses(
  message: MessageInput,
  { country, currency }: Company,
  timeZone: string,
  reasons: Reasons,
): Addresses {
  const { channel, direction } = message
  const isUnknown = reasons.has('channel') // then an address is refused if no channel could send to it
  const maySend = direction === 'outbound' || reasons.has('direction')
  const isStrict = isUnknown ? maySend : channel === 'email' || sends(message)
  const context: ReadContext = { decimalSeparator: null, country, currency, timeZone }
  const read = (at: string, text: string): string => {
    const address = isUnknown ? readAnyAddress(text, context) : readAddress(channel, text, context)
    if (!(address instanceof Refusal)) return address
    if (isStrict) reasons.add(...address.issues.map(({ message }) => [at, message] as const))
    return text
  }
  const one = (at: 'from_address' | 'reply_to') => (message[at] === null ? null : read(at, message[at]))
  const list = (at: 'to_addresses' | 'cc_addresses') => [
    ...new Set(message[at].map((text, nth) => read(`${at}[${nth}]`, text))),
  ]
  return {
    from_address: one('from_address'),
    reply_to: one('reply_to'),
    to_addresses: list('to_addresses'),
    cc_addresses: list('cc_addresses'),
  }
}
