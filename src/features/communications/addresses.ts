import addressparser from 'nodemailer/lib/addressparser'
import { type ReadContext, Refusal, refuse } from '../../catalogue/kind.ts'
import { email, phone } from '../../catalogue/kinds.ts'
import { namedAddress } from '../../platform/mail/mail-address.ts'
import { type Channel, DELIVERABLE, type Deliverable } from './message-kinds.ts'

const NUMBERED: ReadonlySet<string> = new Set<Channel>(['sms', 'whatsapp', 'phone'])
/** How providers write a number that is reached by WhatsApp. */
const BY_WHATSAPP = /^whatsapp:/i

/**
 * An address as stored: for e-mail `Name <name@example.com>` or the plain address, for numbers E.164, on other channels
 * unchanged.
 */
export function readAddress(channel: Channel, text: string, context: ReadContext): string | Refusal {
  if (channel === 'email') return readMailbox(text, context)
  return NUMBERED.has(channel) ? (phone.read(text.replace(BY_WHATSAPP, ''), context) as string | Refusal) : text
}

/** Reads the address of a message with an unknown channel: it must be valid for at least one deliverable channel. */
export function readAnyAddress(text: string, context: ReadContext): string | Refusal {
  const read = DELIVERABLE.map((channel) => readAddress(channel, text, context))
  return (
    read.find((address) => !(address instanceof Refusal)) ??
    refuse(
      'invalid_type',
      'Send an e-mail address, or a telephone number with its country code, such as +902121234567.',
    )
  )
}

function readMailbox(text: string, context: ReadContext): string | Refusal {
  const [mailbox, ...others] = addressparser(text, { flatten: true })
  if (others.length > 0 || (mailbox?.name && !text.endsWith('>')))
    return refuse('invalid_email', 'Send one address, with a name as Name <name@example.com>.')
  const address = email.read(mailbox?.address ?? '', context)
  return address instanceof Refusal ? address : namedAddress(mailbox?.name ?? '', address as string)
}

const E164 = /^\+\d+$/
const ANYWHERE: ReadContext = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'UTC' }
/** A stored address, if mail can be sent to it. */
export function reachable(channel: Deliverable, address: string): string | null {
  if (channel !== 'email') return E164.test(address) ? address : null
  const read = readMailbox(address, ANYWHERE)
  return read instanceof Refusal ? null : read
}

/** The key by which a customer with this address is found: the mailbox without its name, or the number. */
export const bareAddress = (channel: Channel, address: string): string =>
  channel === 'email' ? (addressparser(address, { flatten: true })[0]?.address ?? '') : address.replace(BY_WHATSAPP, '')
