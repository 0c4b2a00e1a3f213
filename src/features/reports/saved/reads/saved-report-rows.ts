import * as pg from '../../../../platform/db/pg-types.ts'
import { statement } from '../../../../platform/db/statement.ts'
import { instantSql } from '../../../../platform/db/view.ts'

/** The saved reports of an account, as the command line lists them. */
export const savedReportRows = statement(
  { account: pg.integer },
  {
    id: pg.uuid,
    name: pg.text,
    of: pg.text,
    schedule: pg.nullable(pg.text),
    due: pg.nullable(pg.text),
    recipients: pg.integer,
    last_run: pg.nullable(pg.text),
    outcome: pg.nullable(pg.text),
    state: pg.nullable(pg.text),
    paused_reason: pg.nullable(pg.text),
  },
  `
  select id, name, coalesce(preset_key, definition ->> 'entity') as of, schedule_frequency as schedule,
 ${instantSql('due_at')} as due,
    cardinality(recipients) as recipients, ${instantSql('last_run_at')} as last_run,
    (select r.status from saved_report_runs r where r.account_id = t.account_id and r.saved_report_id = t.id order by r.due_at desc limit 1) as outcome,
    case when schedule_frequency is not null then case when schedule_paused then 'paused' else 'active' end end as state, paused_reason
  from saved_reports t where account_id = $account order by created_at desc, id desc`,
)
