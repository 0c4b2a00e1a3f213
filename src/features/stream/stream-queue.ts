import type { BeforeCommit } from '../../platform/db/account-tx.ts'

/** What `wake` calls the queue of changes without a number. */
export const STREAM_QUEUE = 'stream events'
/** What `wake` calls the streams of this process. */
export const NUMBERED = 'numbered stream events'

/** Triggers on these tables note changes. Where the work is done elsewhere, the next poll finds it. */
export const wakeStreams = (published: readonly string[]): BeforeCommit => ({
  tables: [
    ...published,
    ...['trips', 'tasks', 'communications', 'notifications', 'import_batches', 'ticket_captures', 'webhook_deliveries'],
  ],
  run: (tx) => tx.wake(STREAM_QUEUE),
})
