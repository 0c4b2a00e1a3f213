import { quoted } from '../../platform/db/quoted.ts'
import { PLAN, SEND_TIME } from './plan.ts'

const PLANNED = PLAN.map(
  ({ kind, audience, anchor, after }, at) => `(${at}, '${kind}', '${audience}', '${anchor}', interval '${after}')`,
).join(', ')

/** Statuses of bookings without a payment due. */
export const GONE = quoted(['cancelled', 'void', 'refunded', 'exchanged'])

/** Balance date of a trip `t`, and whether it has flights. `limit` makes PostgreSQL look this up per trip instead of for all. */
const BALANCE = `(select min(b.balance_due_on) from trip_bookings x join bookings b on b.account_id = x.account_id and b.id = x.booking_id
  where x.account_id = t.account_id and x.trip_id = t.id and b.deleted_at is null and b.status not in (${GONE}))`
const HAS_FLIGHTS = `(select true from trip_segments s
  where s.account_id = t.account_id and s.trip_id = t.id and s.segment_type = 'flight' and s.status <> 'cancelled' limit 1)`

/** SQL with a row for each dated notification of trips that are not cancelled. `trips` is SQL of these. */
export const dueSql = (trips: string): string => `
  select p.*, said.day - p.day as offset_days, at.send_at,
    case when p.off then 'cancelled' when at.send_at <= now() then 'skipped' else 'scheduled' end as status
  from (
    select t.account_id, t.id as trip_id, p.*, a.time_zone, t.notification_preferences -> p.kind = 'false' as off,
      case p.anchor when 'start_date' then t.start_date when 'end_date' then t.end_date else ${BALANCE} end as day
    from (${trips}) t join accounts a on a.account_id = t.account_id
      cross join (values ${PLANNED}) as p (place, kind, audience, anchor, after)
    where p.kind <> 'online_check_in' or ${HAS_FLIGHTS}
  ) p
    cross join lateral (select (p.day + p.after)::date as day) said
    cross join lateral (select (said.day + time '${SEND_TIME}') at time zone p.time_zone as send_at) at
  where p.day is not null`

/**
 * SQL of whether a stored row `n` must become the due one. Sent and failed rows stay unchanged. A skipped one is tried
 * again once its time changes.
 */
export const movesSql = (n: string, due: string): string => `
  (${n}.status in ('scheduled', 'skipped', 'cancelled') and ${n}.send_at <> ${due}.send_at
    or ${n}.status in ('scheduled', 'cancelled') and (${n}.status = 'cancelled') <> (${due}.status = 'cancelled'))`
