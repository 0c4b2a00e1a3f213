import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'

/** Those still leased: a reminder that was moved, dropped or claimed again since is left out. */
export const fireDueReminders = statement(
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
