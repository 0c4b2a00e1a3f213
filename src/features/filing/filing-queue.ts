import type { BeforeCommit } from '../../platform/db/account-tx.ts'

/** What `wake` calls the queue of filings. */
export const FILING_QUEUE = 'trip filings'

/** Triggers on these tables have bookings filed again. */
export const wakeFiling: BeforeCommit = {
  tables: ['trips', 'trip_customers', 'trip_bookings'],
  run: (tx) => tx.wake(FILING_QUEUE),
}
