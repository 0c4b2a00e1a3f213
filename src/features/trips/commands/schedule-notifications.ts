import type { AccountTx } from '../../../platform/db/account-tx.ts'
import { quoted } from '../../../platform/db/quoted.ts'
import { statement } from '../../../platform/db/statement.ts'
import { CHANNEL, PLAN, SEND_TIME } from '../schedule/plan.ts'

const PLANNED = PLAN.map(
  ({ kind, audience, anchor, offsetDays }, at) => `(${at}, '${kind}', '${audience}', '${anchor}', ${offsetDays})`,
).join(', ')

/** States of bookings that nobody pays for any more. */
export const GONE = quoted(['cancelled', 'void', 'refunded', 'exchanged'])

/** Who comes second sees what the first has changed. */
const hold = statement<{ account: number; trips: readonly string[] }, never>(
  'select from trips where account_id = $account and id = any($trips::uuid[]) order by id for no key update',
)
/** What a trip `t` has to be paid by, and whether it has flights. `limit` has this looked up trip by trip, and never for all. */
const BALANCE = `(select min(b.balance_due_on) from trip_bookings x join bookings b on b.account_id = x.account_id and b.id = x.booking_id
  where x.account_id = t.account_id and x.trip_id = t.id and b.deleted_at is null and b.status not in (${GONE}))`
const HAS_FLIGHTS = `(select true from trip_segments s
  where s.account_id = t.account_id and s.trip_id = t.id and s.segment_type = 'flight' and s.status <> 'cancelled' limit 1)`
/**
 * `due` has a row for each thing to be said whose day is known. What was sent, or failed, stays as it is. What was only
 * skipped has another chance once its time moves; whoever holds the lease of a row that moves loses it.
 */
const schedule = statement<{ account: number; trips: readonly string[] }, never>(`
  with planned as (
    select t.account_id, t.id as trip_id, p.*, a.time_zone, t.notification_preferences -> p.kind = 'false' as off,
      case p.anchor when 'start_date' then t.start_date when 'end_date' then t.end_date else ${BALANCE} end as day
    from trips t join accounts a on a.account_id = t.account_id
      cross join (values ${PLANNED}) as p (place, kind, audience, anchor, offset_days)
    where t.account_id = $account::integer and t.id = any($trips::uuid[]) and t.status <> 'cancelled'
      and (p.kind <> 'online_check_in' or ${HAS_FLIGHTS})
  ),
  due as (
    select p.*, at.send_at, case when p.off then 'cancelled' when at.send_at <= now() then 'skipped' else 'scheduled' end as status
    from planned p cross join lateral (select (p.day + p.offset_days + time '${SEND_TIME}') at time zone p.time_zone as send_at) at
    where p.day is not null
  ),
  dropped as (
    update trip_notifications n set status = 'cancelled', leased_by = null, updated_at = now()
    where n.account_id = $account::integer and n.trip_id = any($trips::uuid[]) and n.status = 'scheduled'
      and (n.trip_id, n.kind, n.audience) not in (select trip_id, kind, audience from due)
  )
  insert into trip_notifications as n (account_id, trip_id, kind, channel, audience, anchor, offset_days, send_at, status,
    skipped_reason, next_attempt_at)
  select account_id, trip_id, kind, '${CHANNEL}', audience, anchor, offset_days, send_at, status,
    case status when 'skipped' then 'past' end, send_at
  from due order by trip_id, place
  on conflict (account_id, trip_id, kind, audience) do update
    set send_at = excluded.send_at, status = excluded.status, skipped_reason = excluded.skipped_reason,
      next_attempt_at = excluded.send_at, leased_by = null, updated_at = now()
    where n.status in ('scheduled', 'skipped', 'cancelled') and n.send_at <> excluded.send_at
      or n.status in ('scheduled', 'cancelled') and (n.status = 'cancelled') <> (excluded.status = 'cancelled')`)

/** Brings the schedule of these trips to their dates, state and preferences: call it after whatever changes one of them. */
export function scheduleNotifications(tx: AccountTx, trips: readonly string[]): void {
  if (trips.length === 0) return
  tx.later(hold, { trips })
  tx.later(schedule, { trips })
}
