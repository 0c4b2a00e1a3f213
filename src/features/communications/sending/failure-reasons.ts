import type { SendStatus } from '../commands/record-send-status.ts'
import type { FailureReason } from '../message-kinds.ts'

/** What Twilio’s error codes mean for a message; any other is `provider_rejected`. */
const REASONS: Readonly<Record<FailureReason, readonly number[]>> = {
  invalid_recipient: [
    21211, // invalid number
    21214, // cannot be reached
    21217, // does not appear to be valid
    21265, // a short code
    21407, // this type of number takes no SMS
    21612, // not reachable from this sender
    21614, // no mobile number
    21635, // a landline
    30005, // unknown destination handset
    30006, // landline, or unreachable carrier
    63003, // the channel does not know the address
    63024, // the channel takes no such recipient
  ],
  unsubscribed: [
    21610, // the recipient has written STOP
    63014, // the recipient has blocked the sender
  ],
  no_active_session: [
    63016, // more than 24 hours after the customer’s last message, and no template
  ],
  timeout: [
    30003, // the handset is switched off, or out of reach
    30410, // the carrier did not answer in time
  ],
  not_configured: [
    20003, // wrong credentials
    20404, // no such account
    21603, // no sender
    21606, // the sender can send no SMS
    21659, // the sender number does not belong to the account
    21660, // the sender is another account’s
    30002, // the account is suspended
    63001, // the channel does not let us in
    63007, // the channel does not know the sender
  ],
  provider_rejected: [],
  bounced: [],
}
const BY_CODE = new Map(
  Object.entries(REASONS).flatMap(([reason, codes]) => codes.map((code) => [code, reason as FailureReason])),
)
/** Too many at once, of all or of one sender. */
const TEMPORARY: readonly number[] = [20429, 21611, 63018]

export const failureReasonOf = (errorCode: number | null): FailureReason =>
  BY_CODE.get(errorCode ?? Number.NaN) ?? 'provider_rejected'
export const isTemporaryError = (errorCode: number | null): boolean =>
  errorCode !== null && TEMPORARY.includes(errorCode)

/** The provider's statuses and ours; others are ignored. */
const STATUSES: Readonly<Record<string, SendStatus>> = {
  accepted: 'sending',
  scheduled: 'sending',
  queued: 'sending',
  sending: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
  bounced: 'failed', // of an e-mail, reported by a relay
}
export const textStatusOf = (word: string): SendStatus | undefined =>
  Object.hasOwn(STATUSES, word) ? STATUSES[word] : undefined
