/**
 * The folder below `src/` whose statements alone write a table. Every table of the database has one;
 * `test/contract/table-owners.test.ts` compares this list with the catalogue of PostgreSQL, and every statement of the
 * program with this list. Reading is free: SQL joins across features. So are foreign keys that delete with a record of
 * another owner, or set it to null: the owner of the table has declared them.
 */
export const TABLE_OWNERS = {
  platform: [
    ...['migrations', 'scheduled_runs', 'audit_log', 'idempotency_keys', 'rate_windows', 'change_counters'],
    ...['cell_keys', 'account_keys'],
  ],
  'features/accounts': ['accounts', 'companies', 'branches', 'roles', 'seats', 'moved_accounts'],
  'features/api-keys': ['api_keys'],
  'features/sign-in': [
    ...['sessions', 'seat_passwords', 'sign_in_links', 'sign_in_attempts', 'waiting_sign_ins', 'seat_totp'],
    ...['passkeys', 'passkey_challenges', 'sign_in_challenges', 'email_changes'],
    ...['recovery_codes', 'sign_in_providers', 'seat_identities', 'pending_sign_ins'],
  ],
  'features/audit': ['audit_chains', 'audit_links', 'audit_pending', 'audit_checkpoints'],
  imports: ['import_batches', 'import_chunks', 'terms'],
  'features/customers': ['restricted_tags', 'customers', 'customer_notes', 'note_attachments', 'travelers'],
  'features/suppliers': ['suppliers'],
  'features/bookings': [
    ...['bookings', 'booking_lines', 'booking_option_warnings', 'hotel_stays', 'tickets', 'ticket_numbers'],
    ...['transfers', 'cruises', 'car_rentals', 'charters', 'visa_cases', 'events', 'tour_departures', 'tour_bookings'],
    ...['booking_counters', 'booking_imports'],
  ],
  'features/documents': [
    ...['document_counters', 'customer_invoices', 'customer_payments', 'supplier_bills', 'operator_invoices'],
  ],
  'features/exchange-rates': ['exchange_rate_sources', 'exchange_rates'],
  'features/ticket-printer': ['ticket_captures', 'ticket_document_events'],
  'features/bsp': ['bsp_billings', 'bsp_lines'],
  'features/leads': ['leads', 'lead_moves'],
  'features/referrals': ['referral_codes', 'referral_visits'],
  'features/trips': [
    ...['trips', 'trip_counters', 'trip_days', 'trip_customers', 'trip_travelers', 'trip_segments', 'trip_changes'],
  ],
  'features/filing': ['trip_bookings', 'trip_filings', 'trip_refilings', 'unfiled_bookings'],
  'features/day-facts': ['trip_day_facts'],
  'features/trip-notifications': ['trip_notifications', 'trip_reschedulings'],
  'features/trip-pages': ['share_links', 'share_link_attempts'],
  'features/communications': [
    ...['communications', 'message_ids', 'communication_attachments', 'message_sends', 'message_days'],
    ...['message_templates', 'mailboxes'],
  ],
  'features/birthdays': ['birthday_greetings'],
  'features/surveys': ['surveys', 'survey_ratings', 'gestures'],
  'features/tasks': ['tasks', 'task_reminders'],
  'features/notifications': ['notifications'],
  'features/privacy': ['sealing_progress', 'retention_rules'],
  'features/uploads': ['files'],
  'features/webhooks': [
    ...['webhooks', 'webhook_outbox', 'webhook_events', 'webhook_payloads', 'webhook_deliveries', 'webhook_attempts'],
  ],
  'features/request-log': ['request_log', 'request_usage', 'request_hours'],
  'features/stream': ['stream_heads', 'stream_pending', 'stream_events'],
  'features/reports': ['saved_reports', 'saved_report_runs'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Tables that other owners write, and why. */
export const WRITES_TABLES_OF_OTHERS: Readonly<Record<string, string>> = {
  'demo/year':
    'It writes the past year of the demo agency with the times of then. Commands cannot: they know the time of the transaction alone.',
  'src/features/accounts/commands/move': 'An account moves to another cell with its rows as they are, of every table.',
  'src/features/privacy':
    'Sealing rewrites values as they are, retention removes what is old, and erasing a person goes over every table that may hold one.',
  'src/platform/backup': 'A backup is restored with its rows as they are, of every table.',
}

/** Functions of the database that write tables, and why they are not statements of the owner. */
export const FUNCTIONS_THAT_WRITE: Readonly<Record<string, { readonly writes: readonly string[]; why: string }>> = {
  change_number: {
    writes: ['change_counters', 'stream_pending'],
    why: 'A trigger on every published table calls it, so that no writer can forget the change number, and open consoles are told.',
  },
  note_booking_imports: {
    writes: ['booking_imports'],
    why: 'A trigger on the chunks of imports calls it, so that imports need not know which of their records are bookings.',
  },
  note_unlinking: {
    writes: ['audit_log'],
    why: 'A trigger on every column that links a record, so that no writer can forget the audit row.',
  },
  queue_audit_entries: {
    writes: ['audit_pending'],
    why: 'A trigger on the audit log, so that no writer can forget the chain.',
  },
  begin_audit_chain: {
    writes: ['audit_chains'],
    why: 'A trigger on accounts, so that writers of the audit log never compete to make the row.',
  },
  note_stream_rows: {
    writes: ['stream_pending'],
    why: 'A trigger on the tables that open consoles follow, so that no writer can forget them.',
  },
  note_stream_row: { writes: ['stream_pending'], why: 'The same.' },
  note_stream_notifications: { writes: ['stream_pending'], why: 'The same.' },
  drop_audit_entries: {
    writes: ['audit_checkpoints', 'audit_links', 'audit_log'],
    why: 'No role of the program may delete entries; the owner of the tables does, and leaves a checkpoint.',
  },
  settle_invoices: {
    writes: ['customer_invoices'],
    why: 'A trigger of customer_payments and customer_invoices, which have the same owner.',
  },
  complete_former_document: {
    writes: ['document_counters'],
    why: 'A trigger of customer_invoices, for a process of the version before; they have the same owner.',
  },
  refile_bookings: {
    writes: ['trip_refilings'],
    why: 'A trigger on trips and their parts calls it, so that no writer can forget what follows.',
  },
  request_day_facts: { writes: ['trip_day_facts'], why: 'The same.' },
  request_schedules: { writes: ['trip_reschedulings'], why: 'The same.' },
  delete_deliveries: {
    writes: ['webhook_deliveries'],
    why: 'A trigger of webhook_events, in place of a foreign key; they have the same owner.',
  },
}
