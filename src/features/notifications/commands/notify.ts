import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { NOTIFICATION_KINDS } from '../notification-kinds.ts'

/** What a seat should know, and about which record. Nothing in it is personal data: any role reads it. */
export type Notification = {
  readonly seat: string
  readonly kind: (typeof NOTIFICATION_KINDS)[number]
  readonly title: string
  readonly body: string | null
  readonly priority: 'normal' | 'high'
  readonly subjectType: string
  readonly subjectId: string
  readonly subjectLabel: string
  /** The seat that did it; nobody where the clock did. */
  readonly actor?: string | null
}

const insert = statement(
  { account: pg.integer, given: pg.jsonText },
  {},
  `
  insert into notifications (account_id, seat_id, kind, title, body, priority, subject_type, subject_id, subject_label, actor_id)
  select $account::integer, seat, kind, title, body, priority, "subjectType", "subjectId", "subjectLabel", actor
  from json_to_recordset($given::json) as n(seat uuid, kind text, title text, body text, priority text,
    "subjectType" text, "subjectId" uuid, "subjectLabel" text, actor uuid)`,
)

const withdraw = statement(
  { account: pg.integer, type: pg.text, id: pg.uuid },
  {},
  'delete from notifications where account_id = $account and subject_type = $type and subject_id = $id',
)

/** Leaves notifications for seats, in the transaction of what they tell. */
export function notify(tx: AccountTx, ...notifications: readonly Notification[]): void {
  if (notifications.length > 0) tx.later(insert, { given: JSON.stringify(notifications) })
}

/** Takes back what was told about a record that is no more: nothing would be there to open. */
export const withdrawNotifications = (tx: AccountTx, type: string, id: string): void => tx.later(withdraw, { type, id })
