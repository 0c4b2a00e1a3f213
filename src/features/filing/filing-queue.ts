/** What `wake` calls the queue of filings. */
export const FILING_QUEUE = 'trip filings'
