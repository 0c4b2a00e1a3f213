import { reachable } from './addresses.ts'
import type { MessagePlace, Parent } from './commands/place-message.ts'
import { SUBJECT_MAXIMUM } from './message-attributes.ts'
import { type Channel, isDeliverable } from './message-kinds.ts'
import type { MessageInput } from './read-message.ts'

/**
 * Completes a message with the defaults of a reply: values of the answered message, and the customer's address if none
 * is given. A reply about another customer takes nothing, since the role may not be allowed to know who the first one
 * is.
 */
export function withAnswerDefaults(message: MessageInput, place: MessagePlace): MessageInput {
  const { channel, to_addresses, subject } = message
  const { customer } = place
  const parent = place.parent && isAboutTheSame(place.parent, place) ? place.parent : null
  const own = channel === 'email' ? customer?.email : isDeliverable(channel) ? customer?.phone : null
  const to = [to_addresses, answerTo(parent, channel), own ? [own] : []].find(({ length }) => length > 0) ?? []
  return { ...message, to_addresses: to, subject: subject ?? (channel === 'email' ? answerOf(parent) : null) }
}

function isAboutTheSame(parent: Parent, { customer, trip }: MessagePlace): boolean {
  if (parent.customer !== null) return parent.customer === customer?.id
  return parent.trip === null || (customer === null && parent.trip === trip?.id)
}

/** The last sender or recipient on this channel who can be reached. */
function answerTo(parent: Parent | null, channel: Channel): readonly string[] {
  if (parent?.channel !== channel || !isDeliverable(channel)) return []
  const writer = parent.reply_to ?? parent.from
  const addresses = parent.direction !== 'inbound' ? parent.to : writer === null ? [] : [writer]
  return addresses.flatMap((address) => reachable(channel, address) ?? [])
}

const IS_ANSWER = /^(?:re|ynt|aw|sv)\s*:/i
function answerOf(parent: Parent | null): string | null {
  if (parent?.subject == null) return null
  const subject = IS_ANSWER.test(parent.subject) ? parent.subject : `Re: ${parent.subject}`
  return subject.slice(0, SUBJECT_MAXIMUM).toWellFormed()
}
