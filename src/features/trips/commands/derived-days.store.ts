import * as pg from '../../../platform/db/pg-types.ts'
import { statement } from '../../../platform/db/statement.ts'

export const makeDays = statement(
  { account: pg.integer, trips: pg.list(pg.uuid), dates: pg.list(pg.date) },
  {},
  `
  insert into trip_days (account_id, trip_id, day_number, position, date)
  select $account::integer, made.trip, last.number + nth, last.number + nth, made.date
  from (select trip, date, row_number() over (partition by trip order by date) as nth
      from unnest($trips::uuid[], $dates::date[]) as day(trip, date)) made
    cross join lateral (select coalesce(max(day_number), 0) as number from trip_days d
      where d.account_id = $account and d.trip_id = made.trip) last`,
)
/** Days by date; a day without a date keeps its place after the one before it. */
export const orderDays = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  {},
  `
  with ordered as materialized (
    select id, row_number() over (partition by trip_id order by since, position, day_number) as nth
    from (select id, trip_id, position, day_number,
        coalesce(date, max(date) over (partition by trip_id order by position, day_number), '-infinity') as since
      from trip_days where account_id = $account::integer and trip_id = any($trips::uuid[])) days
  )
  update trip_days d set day_number = o.nth, position = o.nth from ordered o
  where d.account_id = $account and d.trip_id = any($trips) and d.id = o.id and (d.day_number, d.position) <> (o.nth, o.nth)`,
)

/** A day that changed in the meantime is skipped: its facts were requested again by that change. */
export const writePlaces = statement(
  { account: pg.integer, places: pg.jsonText },
  {},
  `
  update trip_days d set primary_location = p.primary_location, latitude = p.latitude, longitude = p.longitude,
    timezone = p.timezone, found_place = p.found_place, updated_at = now()
  from json_to_recordset($places::json) as p(id uuid, primary_location text, latitude numeric, longitude numeric, timezone text,
    found_place jsonb, updated_at timestamptz)
  where d.account_id = $account::integer and d.id = p.id and d.updated_at = p.updated_at`,
)
