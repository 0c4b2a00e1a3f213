import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { type DueRows, dueRowsQueue } from '../../platform/jobs/due-rows.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { mailReminders } from '../communications/commands/mail-reminders.ts'
import { notify } from '../notifications/commands/notify.ts'
import { fireDueReminders } from './reminders.store.ts'
import { taskNotification } from './task-notification.ts'

/**
 * Notifies the assignees and marks the reminders as fired, in one transaction. Seats that want e-mail get one per task,
 * even if several of its reminders are due.
 */
export async function fireReminders(tx: AccountTx, lease: string, tasks: readonly string[]): Promise<void> {
  const fired = await tx.all(fireDueReminders, { lease, tasks })
  notify(tx, ...fired.map((task) => taskNotification('task_due', 'Task due', task, null)))
  const mailed = new Map(fired.filter((task) => task.mailed).map((task) => [task.id, task]))
  await mailReminders(tx, [...mailed.values()])
}

const REMINDERS: DueRows = {
  name: 'task reminders',
  table: 'task_reminders',
  key: ['task_id', 'minutes_before'],
  waiting: 'fired_at is null',
  pollMs: 1_000,
}

/** The reminders of all accounts that are due. */
export const reminderQueue = (
  needs: { readonly db: Database; readonly log: Pick<Log, 'error'> },
  leaseMs?: number,
): Queue => dueRowsQueue(needs, REMINDERS, fireReminders, leaseMs)
