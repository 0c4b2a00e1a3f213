import Type from 'typebox'
import { instantSql, seatSql, type View } from '../../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Texts, Uuid } from '../../../platform/http/shapes.ts'
import { Seat } from '../../accounts/reads/seats.ts'
import { savedReportAttributes as attributes } from './saved-report-attributes.ts'
import { FREQUENCIES } from './schedule-kinds.ts'

/** A saved report `t` in a list. */
export const savedReportItem: View = {
  id: { sql: 't.id', schema: Uuid },
  name: { sql: 't.name', schema: attributes.name.schema },
  entity: { sql: `t.definition ->> 'entity'`, schema: maybe(Text(100)) },
  schedule_frequency: { sql: 't.schedule_frequency', schema: maybe(enumOf(FREQUENCIES)) },
  schedule_state: {
    sql: `case when t.schedule_frequency is not null then case when t.schedule_paused then 'paused' else 'active' end end`,
    schema: maybe(enumOf(['active', 'paused'])),
  },
  recipient_count: { sql: 'cardinality(t.recipients)', schema: Type.Integer({ minimum: 0, maximum: 1000 }) },
  last_run_at: { sql: instantSql('t.last_run_at'), schema: maybe(Instant) },
}

const LastRun = Type.Object({
  due_at: Instant,
  status: enumOf(['sent', 'skipped', 'failed']),
  reason: maybe(Text(2000)),
  finished_at: Instant,
})
const LAST_RUN = `(
  select json_build_object('due_at', ${instantSql('r.due_at')}, 'status', r.status, 'reason', r.reason, 'finished_at', ${instantSql('r.finished_at')})
  from saved_report_runs r where r.account_id = t.account_id and r.saved_report_id = t.id order by r.due_at desc limit 1)`

/** How it is stored: content, schedule and recipients. */
export const savedReportDetail: View = {
  ...savedReportItem,
  preset_key: { sql: 't.preset_key', schema: maybe(attributes.preset_key.schema) },
  filters: { sql: 't.filters', schema: maybe(Type.Record(Type.String(), Type.Unknown())) },
  definition: { sql: 't.definition', schema: maybe(Type.Record(Type.String(), Type.Unknown())) },
  schedule_hour: { sql: 't.schedule_hour', schema: maybe(attributes.schedule_hour.schema) },
  schedule_weekday: { sql: 't.schedule_weekday', schema: maybe(attributes.schedule_weekday.schema) },
  schedule_day: { sql: 't.schedule_day', schema: maybe(attributes.schedule_day.schema) },
  paused_at: { sql: instantSql('t.paused_at'), schema: maybe(Instant) },
  paused_reason: { sql: 't.paused_reason', schema: maybe(Text(1000)) },
  file_format: { sql: 't.file_format', schema: attributes.file_format.schema },
  recipients: {
    sql: (policies) => (policies.has('view_personal_data') ? 't.recipients' : `'{}'::text[]`),
    schema: Texts(20, 254),
  },
  next_run_at: { sql: instantSql('t.due_at'), schema: maybe(Instant) },
  last_run: { sql: LAST_RUN, schema: maybe(LastRun) },
  saved_by: { sql: seatSql('t.saved_by_id', 't.account_id'), schema: maybe(Seat) },
  created_at: { sql: instantSql('t.created_at'), schema: Instant },
  updated_at: { sql: instantSql('t.updated_at'), schema: Instant },
}
