import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

/**
 * A pending, assigned task has a reminder for each offset whose time is in the future, as in a calendar. A reminder
 * whose time moved to the future fires again and loses its lease. Fired and currently due reminders stay unchanged.
 */
const keep = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  `
  with wanted as (
    select minutes, fire_at, fire_at > now() as ahead
    from tasks t cross join unnest(t.reminder_offsets) as minutes
      cross join lateral (select t.due_at - minutes * interval '1 minute' as fire_at) at
    where t.account_id = $account::integer and t.id = $id::uuid
      and t.completed_at is null and t.assigned_to_id is not null and t.due_at is not null
  ),
  dropped as (
    delete from task_reminders r where r.account_id = $account::integer and r.task_id = $id::uuid and r.fired_at is null
      and not exists (select from wanted w where w.minutes = r.minutes_before and (w.ahead or w.fire_at = r.fire_at))
  )
  insert into task_reminders as r (account_id, task_id, minutes_before, fire_at, next_attempt_at)
  select $account::integer, $id::uuid, minutes, fire_at, fire_at from wanted where ahead
  on conflict (account_id, task_id, minutes_before) do update
    set fire_at = excluded.fire_at, next_attempt_at = excluded.fire_at, leased_by = null, fired_at = null
    where r.fire_at <> excluded.fire_at`,
)

/** Brings the reminders of a task in step with it, after every change of it. */
export const keepReminders = (tx: AccountTx, id: string): void => tx.later(keep, { id })
