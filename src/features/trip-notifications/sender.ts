import type { AccountTx } from '../../platform/db/account-tx.ts'

/** The due notification and its trip. */
export type DueNotification = {
  readonly id: string
  readonly trip: string
  readonly kind: string
  readonly channel: string
  readonly audience: string
}
export type SendOutcome =
  | { readonly status: 'sent'; readonly communication: string | null }
  | { readonly status: 'skipped' | 'failed'; readonly reason: string }

/**
 * Sends due notifications. The messages are created in the transaction that stores the outcomes, so each is sent once.
 * Returns the outcomes by id.
 */
export type Sender = (tx: AccountTx, due: readonly DueNotification[]) => Promise<ReadonlyMap<string, SendOutcome>>
