import type { Values } from '../../catalogue/read-cells.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { attributeSql } from '../../records/attribute-sql.ts'
import { segmentAttributes } from './segment-attributes.ts'
import { dayAttributes, tripAttributes } from './trip-attributes.ts'

/** A stored trip, with its attributes as the API writes them. Changes of its itinerary lock it. */
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
export const lockTrip = statement(
  { account: pg.integer, trip: pg.uuid },
  {
    ...trip.columns,
    status: pg.text,
    start_date: pg.nullable(pg.date),
    end_date: pg.nullable(pg.date),
    assigned_advisor_id: pg.nullable(pg.uuid),
    settings: pg.json<object>(),
    notification_preferences: pg.json<object>(),
    day_count: pg.integer,
  },
  `
  select ${trip.stored},
    (select count(*)::integer from trip_days d where d.account_id = t.account_id and d.trip_id = t.id) as day_count
  from trips t where t.account_id = $account and t.id = $trip for no key update`,
)
export const updateTrip = statement(
  { account: pg.integer, trip: pg.uuid, values: pg.jsonText },
  {},
  `
  update trips t set ${trip.set}, updated_at = now() from ${trip.given} where t.account_id = $account::integer and t.id = $trip`,
)

const day = attributeSql(dayAttributes)
/** A day by its number, with its attributes as the API writes them. */
export type StoredDay = Values & { readonly id: string; readonly segments: number }
export const findDay = statement(
  { account: pg.integer, trip: pg.uuid, day: pg.integer },
  {
    ...day.columns,
    id: pg.uuid,
    segments: pg.integer,
  },
  `
  select t.id, ${day.stored},
    (select count(*)::integer from trip_segments s where s.account_id = t.account_id and s.trip_day_id = t.id) as segments
  from trip_days t where t.account_id = $account and t.trip_id = $trip and t.day_number = $day`,
)
export const insertDay = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid, day: pg.integer, values: pg.jsonText },
  {},
  `
  insert into trip_days (account_id, id, trip_id, day_number, position, date, ${day.names})
  select t.account_id, $id::uuid, t.id, $day::integer, $day, t.start_date + $day::integer - 1, ${day.values}
  from trips t, ${day.given} where t.account_id = $account::integer and t.id = $trip`,
)
export const updateDay = statement(
  { account: pg.integer, id: pg.uuid, values: pg.jsonText },
  {},
  `
  update trip_days t set ${day.set}, updated_at = now() from ${day.given} where t.account_id = $account::integer and t.id = $id`,
)
export const deleteDay = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'delete from trip_days where account_id = $account::integer and id = $id',
)
/**
 * Makes room for a day after the given number, or closes the gap of a removed one: the trip ends a day later or
 * earlier.
 */
export const shiftDaysAfter = statement(
  { account: pg.integer, trip: pg.uuid, after: pg.integer, by: pg.integer },
  {},
  `
  with later as (
    update trip_days set day_number = day_number + $by::integer, position = position + $by, date = date + $by, updated_at = now()
    where account_id = $account::integer and trip_id = $trip and day_number > $after returning account_id, id, date
  ), segments as (
    update trip_segments s set start_time = s.start_time + $by * interval '1 day', end_time = s.end_time + $by * interval '1 day', updated_at = now()
    from later where s.account_id = later.account_id and s.trip_day_id = later.id and s.booking_id is null and later.date is not null
  )
  update trips set end_date = end_date + $by, updated_at = now() where account_id = $account and id = $trip`,
)

const segment = attributeSql(segmentAttributes)
export const findSegment = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid },
  {
    ...segment.columns,
    trip_day_id: pg.uuid,
    booking_id: pg.nullable(pg.uuid),
    supplier_id: pg.nullable(pg.uuid),
  },
  `
  select t.trip_day_id, t.booking_id, ${segment.stored}
  from trip_segments t where t.account_id = $account and t.trip_id = $trip and t.id = $id`,
)
export const insertSegment = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid, day: pg.uuid, values: pg.jsonText },
  {},
  `
  insert into trip_segments (account_id, id, trip_id, trip_day_id, position, ${segment.names})
  select $account::integer, $id::uuid, $trip::uuid, $day::uuid,
    (select coalesce(max(s.position), 0) + 1 from trip_segments s where s.account_id = $account and s.trip_day_id = $day), ${segment.values}
  from ${segment.given}`,
)
export const updateSegment = statement(
  { account: pg.integer, id: pg.uuid, values: pg.jsonText },
  {},
  `
  update trip_segments t set ${segment.set}, updated_at = now() from ${segment.given}
  where t.account_id = $account::integer and t.id = $id`,
)
export const deleteSegment = statement(
  { account: pg.integer, id: pg.uuid },
  {},
  'delete from trip_segments where account_id = $account::integer and id = $id',
)
/** Places a segment among those of a day, its own or another; the others are renumbered. */
export const placeSegment = statement(
  { account: pg.integer, id: pg.uuid, day: pg.uuid, place: pg.integer },
  {},
  `
  with others as (
    select account_id, id, row_number() over (order by position, id) as nth
    from trip_segments where account_id = $account::integer and trip_day_id = $day and id <> $id
  ), placed as (
    select account_id, id, row_number() over (order by nth) as place
    from (select * from others union all select $account, $id::uuid, $place::integer - 0.5) as every(account_id, id, nth)
  )
  update trip_segments s set trip_day_id = $day::uuid, position = placed.place, updated_at = now()
  from placed where s.account_id = placed.account_id and s.id = placed.id
    and (s.trip_day_id <> $day::uuid or s.position <> placed.place)`,
)

/** Numbers the segments of these days from 1, in their order. */
export const closeGaps = statement(
  { account: pg.integer, days: pg.list(pg.uuid) },
  {},
  `
  with ordered as materialized (
    select id, row_number() over (partition by trip_day_id order by position, id) as nth
    from trip_segments where account_id = $account::integer and trip_day_id = any($days::uuid[])
  )
  update trip_segments s set position = o.nth, updated_at = now() from ordered o
  where s.account_id = $account and s.id = o.id and s.position <> o.nth`,
)

/**
 * Gives a day another number; those between follow. Dates stay with the numbers: what people planned on a day moves with
 * it, and what comes from a booking stays on its date.
 */
export const placeDay = statement(
  { account: pg.integer, trip: pg.uuid, id: pg.uuid, from: pg.integer, to: pg.integer },
  {},
  `
  with days as materialized (
    select d.account_id, d.id, d.date, d.day_number as former, case when d.id = $id then $to::integer
      when d.day_number between $from::integer and $to then d.day_number - 1
      when d.day_number between $to and $from then d.day_number + 1 else d.day_number end as number
    from trip_days d where d.account_id = $account::integer and d.trip_id = $trip
  ),
  becoming as materialized (
    select d.*, o.date as becomes, n.id as successor from days d join days o on o.former = d.number join days n on n.number = d.former
    where d.number <> d.former
  ),
  moved as (
    update trip_days d set day_number = b.number, position = b.number, date = b.becomes, updated_at = now()
    from becoming b where d.account_id = b.account_id and d.id = b.id
  )
  update trip_segments s set updated_at = now(),
    trip_day_id = case when s.booking_id is not null and b.date is not null then b.successor else s.trip_day_id end,
    start_time = case when s.booking_id is null and b.date <> b.becomes then s.start_time + (b.becomes - b.date) * interval '1 day' else s.start_time end,
    end_time = case when s.booking_id is null and b.date <> b.becomes then s.end_time + (b.becomes - b.date) * interval '1 day' else s.end_time end
  from becoming b where s.account_id = b.account_id and s.trip_day_id = b.id`,
)
export const closeAllGaps = statement(
  { account: pg.integer, trip: pg.uuid },
  {},
  `
  with ordered as materialized (
    select id, row_number() over (partition by trip_day_id order by position, id) as nth
    from trip_segments where account_id = $account::integer and trip_id = $trip
  )
  update trip_segments s set position = o.nth, updated_at = now() from ordered o
  where s.account_id = $account and s.id = o.id and s.position <> o.nth`,
)
