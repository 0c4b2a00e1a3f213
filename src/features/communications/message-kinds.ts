/** The channel of a message. The program sends on the deliverable ones. */
export const MESSAGE_CHANNELS = ['email', 'sms', 'whatsapp', 'phone', 'meeting', 'web_chat', 'other'] as const
export type Channel = (typeof MESSAGE_CHANNELS)[number]
export const DELIVERABLE = ['email', 'sms', 'whatsapp'] as const satisfies readonly Channel[]
export type Deliverable = (typeof DELIVERABLE)[number]
export const isDeliverable = (channel: string): channel is Deliverable =>
  (DELIVERABLE as readonly string[]).includes(channel)

/** `internal` is a note of a conversation, or about a customer or trip; it is never sent. */
export const DIRECTIONS = ['inbound', 'outbound', 'internal'] as const

/**
 * The status of a message. The statuses of a sent message go from left to right and never back; `received` and
 * `recorded` are final.
 */
export const MESSAGE_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'failed',
  'received',
  'recorded',
] as const

/** Why a message did not reach its recipient. */
export const FAILURE_REASONS = [
  'invalid_recipient',
  'unsubscribed',
  'no_active_session',
  'provider_rejected',
  'timeout',
  'bounced',
  'not_configured',
] as const
export type FailureReason = (typeof FAILURE_REASONS)[number]

/** The purpose of a message. Marketing is sent only to customers who opted in, and contains an unsubscribe link. */
export const PURPOSES = ['conversation', 'service', 'marketing'] as const
export type Purpose = (typeof PURPOSES)[number]
