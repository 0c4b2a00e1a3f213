import type { Policies } from '../../platform/access/policies.ts'
import { byPolicies } from '../../platform/db/by-policies.ts'
import { printedArray } from '../../platform/db/page.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { viewSql } from '../../platform/db/view.ts'
import { NEEDS_OTHER_ATTENTION, TRIP_SCOPES } from '../trips/reads/trip-scopes.ts'
import { travelItem } from './today.view.ts'

/** Days ahead of which departures and returns are shown, today included. */
export const DAYS_AHEAD = 7
const ITEMS = 20

const TODAY = '$today::date'
const SOON = `between ${TODAY} and ${TODAY} + ${DAYS_AHEAD - 1}`
const count = (from: string) => `(select count(*)::integer from ${from})`
/** Nothing where the role has no such list. */
const ifSeen = (isSeen: boolean, sql: string) => (isSeen ? sql : 'null')

/** Confirmed trips that begin, or end, in the next days: their number, and the first of them. */
const travels = (date: 'start_date' | 'end_date', policies: Policies): string => {
  const those = `trips t where t.account_id = $account and t.status = 'confirmed' and t.${date} ${SOON}`
  return `(select '{"count":' || ${count(those)} || ',"items":' || (
    select ${printedArray(`string_agg(item, ',' order by day, id)`)} from (
      select ${viewSql(travelItem(date), policies)}::text as item, t.${date} as day, t.id from ${those}
      order by t.${date}, t.id limit ${ITEMS}) l) || '}')`
}
const TASKS = 'tasks t where t.account_id = $account and t.completed_at is null'
const MINE = 't.assigned_to_id = $seat::uuid'

/** Everything of the day that is not a report, in one statement. What the role has no list of is null. */
export const readToday = byPolicies(
  {
    account: pg.integer,
    seat: pg.nullable(pg.uuid),
    today: pg.date,
  },
  {
    departures: pg.nullable(pg.printedJson),
    arrivals: pg.nullable(pg.printedJson),
    trips: pg.nullable(pg.integer),
    tasks: pg.filled(pg.integer),
    messages: pg.filled(pg.integer),
    notifications: pg.filled(pg.integer),
    imports: pg.nullable(pg.integer),
    captures: pg.nullable(pg.integer),
    deliveries: pg.nullable(pg.printedJson),
  },
  (policies) => {
    const [seesTrips, imports, prints, connects] = (
      ['view_trips', 'import_records', 'import_tickets', 'manage_webhooks'] as const
    ).map((policy) => policies.has(policy)) as [boolean, boolean, boolean, boolean]
    const attention = policies.has('view_personal_data') ? TRIP_SCOPES.needs_attention : NEEDS_OTHER_ATTENTION
    return `
    select ${ifSeen(seesTrips, travels('start_date', policies))} as departures,
      ${ifSeen(seesTrips, travels('end_date', policies))} as arrivals,
      ${ifSeen(seesTrips, count(`trips t where t.account_id = $account and ${attention}`))}::integer as trips,
      ${count(`${TASKS} and ${MINE}`)} as tasks,
      ${count(`communications t where t.account_id = $account and t.direction = 'inbound' and t.read_at is null`)} as messages,
      ${count('notifications t where t.account_id = $account and t.seat_id = $seat::uuid and t.read_at is null')} as notifications,
      ${ifSeen(imports, count(`import_batches b where b.account_id = $account and b.status = 'failed'`))}::integer as imports,
      ${ifSeen(prints, count(`ticket_captures c where c.account_id = $account and c.status = 'failed'`))}::integer as captures,
      ${ifSeen(
        connects,
        `(select ${printedArray(`string_agg(json_build_object('webhook_id', w.id, 'count', f.count)::text, ',' order by w.id)`)}
          from webhooks w cross join lateral (select count(*)::integer as count from webhook_deliveries d
            where d.account_id = w.account_id and d.webhook_id = w.id and d.status = 'failed') f
          where w.account_id = $account and w.deleted_at is null and f.count > 0)`,
      )}::text as deliveries
    from (select ${TODAY}) today`
  },
)
