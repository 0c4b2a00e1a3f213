import { auditOwn } from '../../../platform/audit.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'
import { withdrawNotifications } from '../../notifications/commands/notify.ts'

const remove = statement(
  { account: pg.integer, id: pg.uuid },
  { id: pg.uuid },
  'delete from tasks where account_id = $account and id = $id returning id',
)

/** Deletes a task with its reminders and notifications; false if it does not exist. */
export async function deleteTask(tx: AccountTx, id: string): Promise<boolean> {
  if (!(await tx.one(remove, { id }))) return false
  withdrawNotifications(tx, 'Task', id) // after the deletion, which waits for a reminder that is just firing
  auditOwn(tx, { action: 'task.deleted', subjectType: 'task', subjectId: id })
  return true
}
