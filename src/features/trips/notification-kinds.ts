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
