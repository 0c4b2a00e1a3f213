import { TABLE_OWNERS } from '../../src/table-owners.ts'

/** Views and functions of the database, by the owner of the tables that they are about. */
const VIEWS_AND_FUNCTIONS: Partial<Record<keyof typeof TABLE_OWNERS, readonly string[]>> = {
  platform: [
    ...['wall', 'comes_as_it_is', 'change_number', 'stamp', 'count_version'],
    ...['transaction_operator', 'note_unlinking', 'audit_unlinking'],
    ...['fold', 'like_text', 'text_end', 'currency_digits', 'money_text'],
  ],
  'features/accounts': ['refuse_moved'],
  'features/audit': ['queue_audit_entries', 'begin_audit_chain', 'drop_audit_entries'],
  'features/customers': ['customers_like', 'find_customers', 'find_travelers'],
  'features/suppliers': ['suppliers_like', 'find_suppliers'],
  'features/bookings': ['booking_label', 'find_bookings', 'find_tickets', 'note_booking_imports'],
  'features/documents': [
    ...['document_number', 'settled_invoices', 'stay_as_posted', 'settle_invoices', 'complete_former_document'],
    'find_documents',
  ],
  'features/leads': ['lead_score', 'follow_lead', 'leads_like', 'find_leads'],
  'features/trips': [
    ...['trips_like', 'find_trips', 'trip_content', 'note_changed_trips', 'note_changes', 'count_changes'],
  ],
  'features/filing': ['refile_bookings'],
  'features/day-facts': ['request_day_facts'],
  'features/trip-notifications': ['request_schedules'],
  'features/communications': ['communications_like'],
  'features/webhooks': ['delete_deliveries'],
  'features/stream': ['note_stream_rows', 'note_stream_row', 'note_stream_notifications', 'stream_rows'],
  'features/reports': ['only_key', 'keep_schedule_owned'],
}

/** The tables, views and functions of the database, by the feature or mechanism that owns them. */
export const AREAS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(TABLE_OWNERS).map(([owner, tables]) => [
    owner.replace('features/', ''),
    [...tables, ...(VIEWS_AND_FUNCTIONS[owner as keyof typeof TABLE_OWNERS] ?? [])],
  ]),
)
