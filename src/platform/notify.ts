import type { AccountTx } from './db/database.ts'
import { statement } from './db/statement.ts'

/** What a seat should know, and about which record. */
export type Notification = {
  readonly seat: string
  readonly kind: string
  readonly title: string
  readonly body: string | null
  readonly priority: 'normal' | 'high'
  readonly subjectType: string
  readonly subjectId: string
  readonly subjectLabel: string
}

const insert = statement<Notification & { account: number }, never>(`
  insert into notifications (account_id, seat_id, kind, title, body, priority, subject_type, subject_id, subject_label)
  values ($account, $seat, $kind, $title, $body, $priority, $subjectType, $subjectId, $subjectLabel)`)

/** Leaves a notification for a seat, in the transaction of what it tells. */
export const notify = (tx: AccountTx, notification: Notification): void => tx.later(insert, notification)
