/** What is said of a trip before, while and after it. */
export const NOTIFICATION_KINDS = [
  'payment_due',
  'documents_due',
  'passport_check',
  'online_check_in',
  'pre_departure',
  'bon_voyage',
  'welcome_home',
  'survey',
] as const

/** Everything that a trip's schedule has: those, which are published, and what is said when it is long over. */
export const SCHEDULED_KINDS = [...NOTIFICATION_KINDS, 'anniversary', 'rebook'] as const
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number]
