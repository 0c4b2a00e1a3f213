import type { AccountTx } from '../../platform/db/account-tx.ts'

/** What is to be said now, and of which trip. */
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
 * Says what is due. It writes its messages in the transaction that notes the outcomes: both happen or neither, so each is
 * said once. Answers an outcome by the id of each.
 */
export type Sender = (tx: AccountTx, due: readonly DueNotification[]) => Promise<ReadonlyMap<string, SendOutcome>>
