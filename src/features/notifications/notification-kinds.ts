/** The kinds of notifications that the contract names; some belong to features that do not exist yet. */
export const NOTIFICATION_KINDS = [
  'task_assigned',
  'task_due',
  'lead_assigned',
  'message_received',
  'message_failed',
  'option_expiring',
  'booking_unfiled',
  'import_finished',
  'webhook_disabled',
  'ticket_captured',
  'ticket_capture_failed',
  'report_ready',
  'report_paused',
  'survey_detractor',
] as const
