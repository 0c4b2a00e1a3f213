/**
 * Migrations of former versions, which the files `NNNN_baseline_*.sql` replace: both create the same tables. Their
 * names are recorded in every database, also in one created by the baseline, so that a former version finds them
 * applied.
 */
export const FOLDED: readonly string[] = [
  '0001_accounts.sql',
  '0002_customers_and_suppliers.sql',
  '0003_bookings.sql',
  '0004_import_batches.sql',
  '0005_exchange_rates.sql',
  '0006_import_batches.sql',
  '0007_leads_and_departures.sql',
  '0008_verticals.sql',
  '0009_documents.sql',
  '0010_crm.sql',
  '0011_leads_and_trips.sql',
  '0012_tasks.sql',
  '0013_files.sql',
  '0014_leads_by_the_accounts_day.sql',
  '0015_why_indexes_span_accounts.sql',
  '0016_webhooks.sql',
  '0017_ticket_printer.sql',
  '0018_trips.sql',
  '0019_communications.sql',
  '0020_reports.sql',
  '0021_bsp.sql',
  '0022_saved_reports.sql',
  '0023_finance_reports.sql',
  '0024_surveys_and_referrals.sql',
  '0025_readiness.sql',
  '0026_moved_accounts.sql',
]
