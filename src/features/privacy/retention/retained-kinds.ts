import { emptyOldCaptures, removeOldLeads, removeOldMessages, removeOldRequests } from './retained.store.ts'

const MONTH = 30
/** A ticket can be exchanged or refunded for more than a year, by what its file said. */
const LIFE_OF_A_TICKET = 400
const CENTURY = 36_500

/**
 * What an account keeps for a number of days. The minimum is as long as people work with it; the maximum of the
 * request log is how long the cell keeps it anyway.
 */
export const RETAINED_KINDS = {
  messages_days: { label: 'messages', minimum: MONTH, maximum: CENTURY, purge: removeOldMessages, publishes: false },
  ticket_captures_days: {
    label: 'ticket files',
    minimum: LIFE_OF_A_TICKET,
    maximum: CENTURY,
    purge: emptyOldCaptures,
    publishes: false,
  },
  request_log_days: { label: 'requests', minimum: 1, maximum: MONTH, purge: removeOldRequests, publishes: false },
  leads_days: { label: 'leads', minimum: MONTH, maximum: CENTURY, purge: removeOldLeads, publishes: true },
} as const
export type RetainedKind = keyof typeof RETAINED_KINDS
export const RETAINED = Object.keys(RETAINED_KINDS) as readonly RetainedKind[]
export type RetentionRules = Readonly<Record<RetainedKind, number | null>>
