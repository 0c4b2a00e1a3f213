import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { dueSql, movesSql } from './due-sql.ts'
import { CHANNEL } from './plan.ts'

/** Locks the trips, so that rescheduling is serialized. */
export const lockScheduled = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {},
  'select from trips where account_id = $account and id = any($trips::uuid[]) order by id for no key update',
)
const TRIPS = `select * from trips t where t.account_id = $account::integer and t.id = any($trips::uuid[]) and t.status <> 'cancelled'`
/** A row whose time moves loses its lease. */
export const writeSchedules = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {},
  `
  with due as (${dueSql(TRIPS)}),
  dropped as (
    update trip_notifications n set status = 'cancelled', leased_by = null, updated_at = now()
    where n.account_id = $account::integer and n.trip_id = any($trips::uuid[]) and n.status = 'scheduled'
      and (n.trip_id, n.kind, n.audience) not in (select trip_id, kind, audience from due)
  )
  insert into trip_notifications as n (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, status,
    skipped_reason, next_attempt_at)
  select d.account_id, d.trip_id, d.kind, '${CHANNEL}', d.audience, d.anchor, d.offset_days, d.send_at, d.status,
    case d.status when 'skipped' then 'past' end, d.send_at
  from due d order by d.trip_id, d.place
  on conflict (account_id, trip_id, kind, audience) do update
    set offset_days = excluded.offset_days, send_at = excluded.send_at, status = excluded.status,
      skipped_reason = excluded.skipped_reason, next_attempt_at = excluded.send_at, leased_by = null, updated_at = now()
    where ${movesSql('n', 'excluded')}`,
)
