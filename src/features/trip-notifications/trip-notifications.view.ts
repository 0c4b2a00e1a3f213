import Type from 'typebox'
import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { instantSql, type View, viewSql } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { TRIP_NOTIFICATION_KINDS } from '../trips/reads/notification-kinds.ts'

/** A row `n` of a trip's schedule. */
export const tripNotification: View = {
  id: { sql: 'n.id', schema: Uuid },
  kind: { sql: 'n.kind', schema: enumOf(TRIP_NOTIFICATION_KINDS) },
  channel: { sql: 'n.channel', schema: Text(40) },
  audience: { sql: 'n.audience', schema: enumOf(['traveler', 'advisor']) },
  anchor: { sql: 'n.anchor', schema: enumOf(['start_date', 'end_date', 'balance_due_on']) },
  offset_days: { sql: 'n.offset_days', schema: Type.Integer({ minimum: -1000, maximum: 1000 }) },
  send_at: { sql: instantSql('n.send_at'), schema: Instant },
  status: { sql: 'n.status', schema: enumOf(['scheduled', 'sent', 'skipped', 'failed', 'cancelled']) },
  skipped_reason: { sql: 'n.skipped_reason', schema: maybe(Text(200)) },
  communication_id: { sql: 'n.communication_id', schema: maybe(Uuid) },
  sent_at: { sql: instantSql('n.sent_at'), schema: maybe(Instant) },
}

/** A trip's schedule as published, as an array; no row if the trip does not exist. */
export const readNotifications = byPolicies(
  { account: pg.integer, trip: pg.uuid },
  { items: pg.printedJson },
  (policies) => `
  select coalesce((select json_agg(${viewSql(tripNotification, policies)} order by n.send_at, n.kind, n.audience)
    from trip_notifications n where n.account_id = t.account_id and n.trip_id = t.id and n.kind in (${quoted(TRIP_NOTIFICATION_KINDS)})), '[]')::text as items
  from trips t where t.account_id = $account and t.id = $trip`,
)
