import type { Files } from '../../../platform/files/files.ts'
import type { Mail, MailOutcome, MailTransport } from '../../../platform/mail/mail.ts'
import type { MailAddress } from '../../../platform/mail/mail-address.ts'
import type { FailureReason } from '../message-kinds.ts'
import { type Unsubscribing, unsubscribeUrl } from '../unsubscribe.ts'
import { type AttemptOutcome, failedFor } from './attempt-outcome.ts'
import { mailOf } from './mail-of.ts'
import type { OutgoingMessage } from './outgoing.store.ts'

export type MailNeeds = Unsubscribing & {
  readonly mail: MailTransport | null
  readonly files: Files
  readonly config: { readonly mailFrom: MailAddress }
}

const REFUSALS: Readonly<Record<'recipients' | 'login' | 'mail', FailureReason>> = {
  recipients: 'invalid_recipient',
  login: 'not_configured',
  mail: 'provider_rejected',
}

/** Sends a message by e-mail, once. */
export async function sendMail(
  needs: MailNeeds,
  account: number,
  message: OutgoingMessage,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { mail, files, config } = needs
  const { messageId, customer, purpose } = message
  if (mail === null || messageId === null) return failedFor('not_configured')
  const unsubscribe = purpose === 'marketing' && customer !== null ? unsubscribeUrl(needs, account, customer) : null
  const whole = mailOf(message, messageId, { account, files, cell: config.mailFrom, unsubscribe })
  return outcomeOf(whole, await mail.send(whole, signal))
}

/** The outcome of an attempt, for the message. */
export function outcomeOf({ messageId }: Pick<Mail, 'messageId'>, tried: MailOutcome): AttemptOutcome {
  const metadata = tried.response === null ? null : { response: tried.response }
  switch (tried.outcome) {
    case 'sent': {
      const refused = tried.refused.length > 0 ? { refused: tried.refused } : null
      return { ended: { status: 'sent', externalId: messageId, metadata: { ...metadata, ...refused } } }
    }
    case 'refused':
      return failedFor(REFUSALS[tried.what], metadata)
    case 'later':
      // If the connection broke, the server may have accepted it. The repeated Message-ID lets the reader's program
      // detect the duplicate.
      return { later: tried.what === 'connection' ? 'timeout' : 'provider_rejected', unknown: false, metadata }
  }
}
