import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { completedSql } from '../trips/reads/completed.ts'
import { PLAN } from './plan.ts'

/** Nothing was sent for a while, and it comes too late now. */
const PAST = `now() >= n.send_at + interval '1 day' * case n.kind
  ${PLAN.map(({ kind, tooLateDays }) => `when '${kind}' then ${tooLateDays}`).join(' ')} end`

/** Notifications after a trip are only sent for trips that took place. */
const NOT_OVER = `n.anchor = 'end_date' and not (${completedSql('(now() at time zone a.time_zone)::date')})`

/** Those still leased: rows that moved, were cancelled or claimed again since are left out. */
export const takeDueNotifications = statement(
  { account: pg.integer, lease: pg.uuid, ids: pg.list(pg.uuid) },
  { id: pg.uuid, trip: pg.uuid, kind: pg.text, channel: pg.text, audience: pg.text, refused: pg.nullable(pg.text) },
  `
  select n.id, n.trip_id as trip, n.kind, n.channel, n.audience,
    case when a.status <> 'active' then 'account_closed' when t.status <> 'confirmed' then 'trip_not_confirmed'
    when ${PAST} then 'past' when ${NOT_OVER} then 'trip_not_completed' end as refused
  from trip_notifications n join trips t on t.account_id = n.account_id and t.id = n.trip_id
    join accounts a on a.account_id = n.account_id
  where n.account_id = $account::integer and n.id = any($ids::uuid[]) and n.leased_by = $lease and n.status = 'scheduled'
  order by n.id for update of n`,
)

export const noteNotified = statement(
  { account: pg.integer, outcomes: pg.jsonText },
  {},
  `
  update trip_notifications n set status = o.status, skipped_reason = o.reason, communication_id = o.communication,
    sent_at = case o.status when 'sent' then now() end, leased_by = null, updated_at = now()
  from json_to_recordset($outcomes::json) as o(id uuid, status text, reason text, communication uuid)
  where n.account_id = $account::integer and n.id = o.id`,
)
