import { randomUUIDv7 } from 'node:crypto'
import { complete, type Values } from '../../../catalogue/read-cells.ts'
import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { taskAttributes } from '../task-attributes.ts'
import { insertTask } from '../tasks.store.ts'
import { keepReminders } from './keep-reminders.ts'

/**
 * Creates a task without an owner, found by the program. The caller notifies the assignee with its own text. Returns
 * the id.
 */
export function openTask(tx: AccountTx, attributes: Values): string {
  const id = randomUUIDv7()
  tx.later(insertTask, { id, owner: null, values: JSON.stringify(complete(taskAttributes, attributes)) })
  keepReminders(tx, id)
  return id
}
