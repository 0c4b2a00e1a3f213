import type { Values } from '../../catalogue/read-cells.ts'
import { statement } from '../../platform/db/statement.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { segmentAttributes } from './segment-attributes.ts'
import { dayAttributes, tripAttributes } from './trip-attributes.ts'

type OfTrip = { account: number; trip: string }

/** A trip as it is, its attributes as reading them would answer. Whoever changes its itinerary holds it. */
export type StoredTrip = Values & {
  readonly status: string
  readonly start_date: string | null
  readonly end_date: string | null
  readonly assigned_advisor_id: string | null
  readonly settings: object
  readonly notification_preferences: object
  readonly day_count: number
}
const trip = attributeSql(tripAttributes)
export const lockTrip = statement<OfTrip, StoredTrip>(`
  select ${trip.stored},
    (select count(*)::integer from trip_days d where d.account_id = t.account_id and d.trip_id = t.id) as day_count
  from trips t where t.account_id = $account and t.id = $trip for no key update`)
export const updateTrip = statement<OfTrip & { values: string }, never>(`
  update trips t set ${trip.set}, updated_at = now() from ${trip.given} where t.account_id = $account::integer and t.id = $trip`)

const day = attributeSql(dayAttributes)
/** A day by its number, its attributes as reading them would answer. */
export type StoredDay = Values & { readonly id: string; readonly segments: number }
export const findDay = statement<OfTrip & { day: number }, StoredDay>(`
  select t.id, ${day.stored},
    (select count(*)::integer from trip_segments s where s.account_id = t.account_id and s.trip_day_id = t.id) as segments
  from trip_days t where t.account_id = $account and t.trip_id = $trip and t.day_number = $day`)
export const insertDay = statement<OfTrip & { id: string; day: number; values: string }, never>(`
  insert into trip_days (account_id, id, trip_id, day_number, position, date, ${day.names})
  select t.account_id, $id::uuid, t.id, $day::integer, $day, t.start_date + $day::integer - 1, ${day.values}
  from trips t, ${day.given} where t.account_id = $account::integer and t.id = $trip`)
export const updateDay = statement<{ account: number; id: string; values: string }, never>(`
  update trip_days t set ${day.set}, updated_at = now() from ${day.given} where t.account_id = $account::integer and t.id = $id`)
export const deleteDay = statement<{ account: number; id: string }, never>(
  'delete from trip_days where account_id = $account::integer and id = $id',
)
/** Makes room for a day after that of a number, or closes the gap of one that went: the trip ends a day later or earlier. */
export const shiftDaysAfter = statement<OfTrip & { after: number; by: number }, never>(`
  with later as (
    update trip_days set day_number = day_number + $by::integer, position = position + $by, date = date + $by, updated_at = now()
    where account_id = $account::integer and trip_id = $trip and day_number > $after returning account_id, id, date
  ), segments as (
    update trip_segments s set start_time = s.start_time + $by * interval '1 day', end_time = s.end_time + $by * interval '1 day', updated_at = now()
    from later where s.account_id = later.account_id and s.trip_day_id = later.id and s.booking_id is null and later.date is not null
  )
  update trips set end_date = end_date + $by, updated_at = now() where account_id = $account and id = $trip`)

const segment = attributeSql(segmentAttributes)
export type StoredSegment = Values & {
  readonly trip_day_id: string
  readonly booking_id: string | null
  readonly supplier_id: string | null
}
export const findSegment = statement<OfTrip & { id: string }, StoredSegment>(`
  select t.trip_day_id, t.booking_id, ${segment.stored}
  from trip_segments t where t.account_id = $account and t.trip_id = $trip and t.id = $id`)
export const insertSegment = statement<OfTrip & { id: string; day: string; values: string }, never>(`
  insert into trip_segments (account_id, id, trip_id, trip_day_id, position, ${segment.names})
  select $account::integer, $id::uuid, $trip::uuid, $day::uuid,
    (select coalesce(max(s.position), 0) + 1 from trip_segments s where s.account_id = $account and s.trip_day_id = $day), ${segment.values}
  from ${segment.given}`)
export const updateSegment = statement<{ account: number; id: string; values: string }, never>(`
  update trip_segments t set ${segment.set}, updated_at = now() from ${segment.given}
  where t.account_id = $account::integer and t.id = $id`)
export const deleteSegment = statement<{ account: number; id: string }, never>(
  'delete from trip_segments where account_id = $account::integer and id = $id',
)
/** Puts a segment at a place among those of a day, its own or another; the others of the day follow one another. */
export const placeSegment = statement<{ account: number; id: string; day: string; place: number }, never>(`
  with others as (
    select account_id, id, row_number() over (order by position, id) as nth
    from trip_segments where account_id = $account::integer and trip_day_id = $day and id <> $id
  ), placed as (
    select account_id, id, row_number() over (order by nth) as place
    from (select * from others union all select $account, $id::uuid, $place::integer - 0.5) as every(account_id, id, nth)
  )
  update trip_segments s set trip_day_id = $day::uuid, position = placed.place, updated_at = now()
  from placed where s.account_id = placed.account_id and s.id = placed.id
    and (s.trip_day_id <> $day::uuid or s.position <> placed.place)`)
