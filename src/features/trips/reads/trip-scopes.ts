import { DAYS_MAXIMUM } from './trip-span.ts'
import { statusSql } from './trip-status.ts'

/** Days that an option may still have, and days from which on a departure is near. */
const OPTION_DAYS = 3
const DEPARTURE_DAYS = 14
/** How long after the return a passport must be valid. */
export const PASSPORT_VALIDITY = '6 months'

/** Looked up once for a list, so that an index compares it. */
const TODAY = '(select (now() at time zone a.time_zone)::date from accounts a where a.account_id = $account)'
/** SQL of the state of a trip `t` of the account. */
export const LISTED_STATUS = statusSql(TODAY)
const ACTIVE = `${LISTED_STATUS} not in ('completed', 'cancelled')`
/** Passports of the travellers: by traveller, and by name for customers who are their own traveller. */
const PASSPORTS = `
  select d.passport_expiry from trip_travelers x join travelers d on d.account_id = x.account_id and d.id = x.traveler_id
  where x.account_id = t.account_id and x.trip_id = t.id
  union all
  select d.passport_expiry from trip_travelers x join customers c on c.account_id = x.account_id and c.id = x.customer_id
    join travelers d on d.account_id = c.account_id and d.customer_id = c.id and d.name_key = lower(c.name)
  where x.account_id = t.account_id and x.trip_id = t.id and x.traveler_id is null`
const NEEDS = [
  `t.status = 'confirmed' and t.start_date is null`,
  `exists (select from trip_bookings x join bookings b on b.account_id = x.account_id and b.id = x.booking_id
    where x.account_id = t.account_id and x.trip_id = t.id
      and b.status = 'option' and b.deleted_at is null and b.option_date <= ${TODAY} + ${OPTION_DAYS})`,
  `exists (select from tasks x where x.account_id = t.account_id and x.taskable_type = 'Trip' and x.taskable_id = t.id
    and x.completed_at is null and x.due_at < now())`,
  `exists (select from communications x where x.account_id = t.account_id and x.trip_id = t.id and x.direction = 'inbound'
    and x.read_at is null)`,
  `t.start_date <= ${TODAY} + ${DEPARTURE_DAYS} and exists (select from trip_segments x
    where x.account_id = t.account_id and x.trip_id = t.id and x.status in ('draft', 'proposed', 'option'))`,
]
const PASSPORT_ENDS = `exists (select from (${PASSPORTS}) p
  where p.passport_expiry < coalesce(t.end_date, t.start_date) + interval '${PASSPORT_VALIDITY}')`
const activeThat = (...needs: readonly string[]) => `${ACTIVE} and (${needs.map((need) => `(${need})`).join(' or ')})`

/**
 * SQL over a trip `t` for each scope of lists. A trip without dates has not started. If the scope limits the start, it
 * repeats the condition for the index of starts.
 */
export const TRIP_SCOPES = {
  active: ACTIVE,
  upcoming: `${LISTED_STATUS} = 'confirmed' and t.starts > ${TODAY}`,
  in_progress: `${LISTED_STATUS} = 'in_progress' and t.starts between ${TODAY} - ${DAYS_MAXIMUM} and ${TODAY}`,
  needs_attention: activeThat(...NEEDS, PASSPORT_ENDS),
} as const
/** A role without personal data does not find trips by a passport number. */
export const NEEDS_OTHER_ATTENTION = activeThat(...NEEDS)
