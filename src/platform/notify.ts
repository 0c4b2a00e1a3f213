import type { AccountTx } from './db/database.ts'
import { statement } from './db/statement.ts'

/** What a seat should know, and about which record. Nothing in it is personal data: any role reads it. */
export type Notification = {
  readonly seat: string
  readonly kind: string
  readonly title: string
  readonly body: string | null
  readonly priority: 'normal' | 'high'
  readonly subjectType: string
  readonly subjectId: string
  readonly subjectLabel: string
  /** The seat that did it; nobody where the clock did. */
  readonly actor?: string | null
}

const insert = statement<{ account: number; given: string }, never>(`
  insert into notifications (account_id, seat_id, kind, title, body, priority, subject_type, subject_id, subject_label, actor_id)
  select $account::integer, seat, kind, title, body, priority, "subjectType", "subjectId", "subjectLabel", actor
  from json_to_recordset($given::json) as n(seat uuid, kind text, title text, body text, priority text,
    "subjectType" text, "subjectId" uuid, "subjectLabel" text, actor uuid)`)

/** Leaves notifications for seats, in the transaction of what they tell. */
export function notify(tx: AccountTx, ...notifications: readonly Notification[]): void {
  if (notifications.length > 0) tx.later(insert, { given: JSON.stringify(notifications) })
}
