import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { NOTIFICATION_KINDS } from '../notification-kinds.ts'

/** What a seat should know, and about which record, if it is one. Nothing in it is personal data: any role reads it. */
export type Notification = {
  readonly seat: string
  readonly kind: (typeof NOTIFICATION_KINDS)[number]
  readonly title: string
  readonly body: string | null
  readonly priority: 'normal' | 'high'
  readonly subjectType: string | null
  readonly subjectId: string | null
  readonly subjectLabel: string | null
  /** The seat that caused it; null for the clock. */
  readonly actor?: string | null
}

/** A notification of any account, for work that is done for all of them at once. */
export type AccountNotification = Notification & { readonly account: number }

const insertInto = (account: string) => `
  insert into notifications (account_id, seat_id, kind, title, body, priority, subject_type, subject_id, subject_label, actor_id)
  select ${account}, seat, kind, title, body, priority, "subjectType", "subjectId", "subjectLabel", actor
  from json_to_recordset($given::json) as n(account integer, seat uuid, kind text, title text, body text, priority text,
    "subjectType" text, "subjectId" uuid, "subjectLabel" text, actor uuid)`
const insert = statement({ account: pg.integer, given: pg.jsonText }, {}, insertInto('$account::integer'))
const insertAnywhere = statement({ given: pg.jsonText }, {}, insertInto('account'))

const withdraw = statement(
  { account: pg.integer, type: pg.text, id: pg.uuid },
  {},
  'delete from notifications where account_id = $account and subject_type = $type and subject_id = $id',
)

/** Creates notifications for seats, in the transaction of their cause. */
export function notify(tx: AccountTx, ...notifications: readonly Notification[]): void {
  if (notifications.length > 0) tx.later(insert, { given: JSON.stringify(notifications) })
}

/** The same for seats of several accounts, in a transaction of the system. */
export async function notifyAccounts(tx: SystemTx, notifications: readonly AccountNotification[]): Promise<void> {
  if (notifications.length > 0) await tx.all(insertAnywhere, { given: JSON.stringify(notifications) })
}

/** Deletes the notifications about a deleted record, since it could not be opened. */
export const withdrawNotifications = (tx: AccountTx, type: string, id: string): void => tx.later(withdraw, { type, id })
