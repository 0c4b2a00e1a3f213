import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'
import { type DueRows, dueRowsQueue } from '../../platform/jobs/due-rows.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { mailReminders } from '../communications/commands/mail-reminders.ts'
import { notify } from '../notifications/commands/notify.ts'
import { taskNotification } from './task-notification.ts'

/** Those that are still held: one that was moved, dropped or taken over since the claim is somebody else's. */
const fire = statement(
  { account: pg.integer, lease: pg.uuid, tasks: pg.list(pg.uuid) },
  {
    id: pg.uuid,
    subject: pg.text,
    priority: pg.text,
    seat: pg.filled(pg.uuid),
    due: pg.nullable(pg.text),
    mailed: pg.boolean,
  },
  `
  update task_reminders r set fired_at = now() from tasks t
  where r.account_id = $account::integer and r.task_id = any($tasks::uuid[]) and r.leased_by = $lease and r.fired_at is null
    and t.account_id = r.account_id and t.id = r.task_id
  returning t.id, t.subject, t.priority, t.assigned_to_id as seat, ${instantSql('t.due_at')} as due,
    exists (select from seats s where s.account_id = t.account_id and s.id = t.assigned_to_id and s.mails_reminders) as mailed`,
)

/**
 * Tells the assignees and marks the reminders as fired, in one transaction: all of it happens or nothing. Who wants it is
 * told by e-mail as well, once where several reminders of a task were due.
 */
export async function fireReminders(tx: AccountTx, lease: string, tasks: readonly string[]): Promise<void> {
  const fired = await tx.all(fire, { lease, tasks })
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
