/** Notifications before, during and after a trip. */
export const TRIP_NOTIFICATION_KINDS = [
  'payment_due',
  'documents_due',
  'passport_check',
  'online_check_in',
  'pre_departure',
  'bon_voyage',
  'welcome_home',
  'survey',
] as const

/** All kinds in the schedule of a trip: the published ones, and those sent long after the trip. */
export const SCHEDULED_KINDS = [...TRIP_NOTIFICATION_KINDS, 'anniversary', 'rebook'] as const
export type ScheduledKind = (typeof SCHEDULED_KINDS)[number]
