import type { MessagePlace } from './commands/place-message.ts'
import { RECIPIENTS_MAXIMUM } from './message-attributes.ts'
import { type Deliverable, isDeliverable } from './message-kinds.ts'
import type { MessageInput } from './read-message.ts'

/** As long as providers carry one, in ten parts. */
const SMS_MAXIMUM = 1_600

type Reason = readonly [attribute: string, reason: string]

/** Why an outbound message cannot be sent; empty if it can. */
export function unsendable(message: MessageInput): Reason[] {
  const { channel } = message
  return [...bodiless(message), ...(isDeliverable(channel) ? undeliverable(channel, message) : [])]
}

/** Why an outbound message whose channel is unknown cannot go out by any that sends. */
export function unsendableByAny(message: MessageInput, { parent, customer }: MessagePlace): Reason[] {
  const isAddressed = message.to_addresses.length > 0 || parent !== null || customer?.email || customer?.phone
  return [...bodiless(message), ...(isAddressed ? [] : [addressless('e-mail address or number')])]
}

const bodiless = ({ body_plain, body_html }: MessageInput): Reason[] =>
  body_plain === null && body_html === null ? [['body_plain', 'Send body_plain or body_html.']] : []

/** Why a message cannot have its purpose. `customer`: whether it is about one, whose consent counts. */
export function unsuitedPurpose({ purpose, direction, channel }: MessageInput, customer: boolean): Reason[] {
  if (direction === 'inbound' && purpose !== 'conversation')
    return [['purpose', 'A message that was received is a conversation.']]
  return direction === 'outbound' && isDeliverable(channel) && purpose === 'marketing' && !customer
    ? [['purpose', 'Marketing needs a customer who agreed to it: send customer_id.']]
    : []
}

function undeliverable(channel: Deliverable, message: MessageInput): Reason[] {
  const { to_addresses: to, cc_addresses: cc } = message
  if (channel !== 'email') return untextable(channel, message)
  return [
    ...(to.length === 0 ? [addressless('e-mail address')] : []),
    ...(to.length + cc.length > RECIPIENTS_MAXIMUM
      ? [['cc_addresses', `Must have at most ${RECIPIENTS_MAXIMUM} recipients together with to_addresses.`] as const]
      : []),
  ]
}

/** Messages to a telephone are text to one number. */
function untextable(channel: 'sms' | 'whatsapp', message: MessageInput): Reason[] {
  const { body_plain, body_html, to_addresses: to, cc_addresses: cc, attachment_ids } = message
  const only = (what: string) => `Not possible on ${channel}: ${what}`
  return [
    ...(to.length === 0 ? [addressless('number')] : []),
    ...(to.length > 1 ? [['to_addresses', only('send one message to each number.')] as const] : []),
    ...(body_html === null ? [] : [['body_html', only('send plain text in body_plain.')] as const]),
    ...((body_plain?.length ?? 0) > SMS_MAXIMUM
      ? [['body_plain', `Must have at most ${SMS_MAXIMUM} characters on ${channel}.`] as const]
      : []),
    ...(cc.length > 0 ? [['cc_addresses', only('send to_addresses alone.')] as const] : []),
    ...(attachment_ids.length > 0 ? [['attachment_ids', only('leave this out, or send an e-mail.')] as const] : []),
  ]
}

const addressless = (what: string): Reason => [
  'to_addresses',
  `The message has no recipient with a known ${what}. Send an address.`,
]
