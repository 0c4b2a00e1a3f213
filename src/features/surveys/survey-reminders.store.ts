import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'

/** Delayed for so long that the customer no longer remembers the trip well. */
const TOO_LATE = '14 days'

/**
 * Those still leased: surveys that were answered or claimed again since are left out. Customers are locked first and in
 * order, as in a merge, to prevent deadlocks.
 */
export const takeDueSurveys = statement(
  { account: pg.integer, lease: pg.uuid, ids: pg.list(pg.uuid) },
  { survey: pg.uuid, trip: pg.uuid, customer: pg.uuid, pointless: pg.boolean },
  `
  select s.id as survey, s.trip_id as trip, s.customer_id as customer,
    a.status <> 'active' or t.status = 'cancelled' or t.notification_preferences -> 'survey' is not distinct from 'false'
      or now() >= s.reminder_due_at + interval '${TOO_LATE}' as pointless
  from surveys s join accounts a on a.account_id = s.account_id
    join customers c on c.account_id = s.account_id and c.id = s.customer_id
    join trips t on t.account_id = s.account_id and t.id = s.trip_id
  where s.account_id = $account::integer and s.id = any($ids::uuid[]) and s.leased_by = $lease
    and s.reminder_status = 'scheduled' and s.completed_at is null
  order by c.id, s.id for key share of c for no key update of s`,
)

export const noteReminded = statement(
  { account: pg.integer, outcomes: pg.jsonText },
  {},
  `
  update surveys s set reminder_status = o.status, leased_by = null
  from json_to_recordset($outcomes::json) as o(survey uuid, status text)
  where s.account_id = $account::integer and s.id = o.survey`,
)
