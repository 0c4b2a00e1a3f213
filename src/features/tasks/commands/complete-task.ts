import type { Actor } from '../../../platform/access/actor.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { keepReminders } from './keep-reminders.ts'

const complete = statement(
  { account: pg.integer, id: pg.uuid, seat: pg.nullable(pg.uuid) },
  {},
  `
  update tasks set completed_at = now(), completed_by_id = $seat, updated_at = now()
  where account_id = $account and id = $id and completed_at is null`,
)
const reopen = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  `
  update tasks set completed_at = null, completed_by_id = null, updated_at = now()
  where account_id = $account and id = $id and completed_at is not null`,
)

/** Completes a pending task and deletes its pending reminders. A completed task stays unchanged. */
export function completeTask(tx: AccountTx, { seat }: Actor, id: string): void {
  tx.later(complete, { id, seat })
  keepReminders(tx, id)
}

/** Makes a completed task pending again. */
export function reopenTask(tx: AccountTx, id: string): void {
  tx.later(reopen, { id })
  keepReminders(tx, id)
}
