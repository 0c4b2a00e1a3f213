import { randomUUID } from 'node:crypto'
import type { AccountTx } from '../../platform/db/account-tx.ts'
import type { Database } from '../../platform/db/database.ts'
import { isHere } from '../../platform/db/moved.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'
import type { Queue } from '../../platform/jobs/workers.ts'
import type { Log } from '../../platform/log.ts'
import { notify } from '../../platform/notify.ts'
import { mailReminders } from '../communications/commands/mail-reminders.ts'
import { taskNotification } from './task-notification.ts'

/** Reminders that one process takes at once. */
const CLAIMED = 100
/** Firing them takes well under that. */
const LEASE_MS = 60_000

type Due = { account: number; task: string }
type Fired = { id: string; subject: string; priority: string; seat: string; due: string | null; mailed: boolean }

const claimDue = statement<{ lease: string; ms: number }, Due>(`
  with due as (
    select account_id, task_id, minutes_before from task_reminders where fired_at is null and next_attempt_at <= now()
      and ${isHere('account_id')}
    order by next_attempt_at limit ${CLAIMED} for update skip locked
  )
  update task_reminders r set leased_by = $lease, next_attempt_at = now() + $ms * interval '1 millisecond'
  from due where r.account_id = due.account_id and r.task_id = due.task_id and r.minutes_before = due.minutes_before
  returning r.account_id as account, r.task_id as task`)
/** Those that are still held: one that was moved, dropped or taken over since the claim is somebody else's. */
const fire = statement<{ account: number; lease: string; tasks: string[] }, Fired>(`
  update task_reminders r set fired_at = now() from tasks t
  where r.account_id = $account::integer and r.task_id = any($tasks::uuid[]) and r.leased_by = $lease and r.fired_at is null
    and t.account_id = r.account_id and t.id = r.task_id
  returning t.id, t.subject, t.priority, t.assigned_to_id as seat, ${instantSql('t.due_at')} as due,
    exists (select from seats s where s.account_id = t.account_id and s.id = t.assigned_to_id and s.mails_reminders) as mailed`)

/**
 * Tells the assignees and marks the reminders as fired, in one transaction: all of it happens or nothing. Who wants it is
 * told by e-mail as well, once where several reminders of a task were due.
 */
export async function fireReminders(tx: AccountTx, lease: string, tasks: string[]): Promise<void> {
  const fired = await tx.all(fire, { lease, tasks })
  notify(tx, ...fired.map((task) => taskNotification('task_due', 'Task due', task, null)))
  const mailed = new Map(fired.filter((task) => task.mailed).map((task) => [task.id, task]))
  await mailReminders(tx, [...mailed.values()])
}

/** The reminders of all accounts that are due. Those of an account where that fails wait for another claim. */
export function reminderQueue(
  { db, log }: { readonly db: Database; readonly log: Pick<Log, 'error'> },
  leaseMs = LEASE_MS,
): Queue {
  async function work(due: readonly Due[], lease: string): Promise<void> {
    for (const [account, reminders] of Map.groupBy(due, ({ account }) => account)) {
      const tasks = reminders.map(({ task }) => task)
      await db
        .inAccount(account, (tx) => fireReminders(tx, lease, tasks))
        .catch((error: unknown) => log.error({ err: error, account }, 'firing the reminders of an account failed'))
    }
  }
  return {
    name: 'task reminders',
    due: 'select next_attempt_at as due_at from task_reminders where fired_at is null and next_attempt_at <= now()',
    async claim() {
      const lease = randomUUID()
      const due = await db.askSystem('claim the due reminders of any account', claimDue, { lease, ms: leaseMs })
      return due.length > 0 ? () => work(due, lease) : null
    },
  }
}
