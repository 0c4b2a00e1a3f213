import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { STATUS_SQL } from '../trips/reads/trip-status.ts'

/** A trip that bookings may be filed into. */
type OpenTrip = { readonly id: string; readonly start: string; readonly end: string }
export type Filing = RowFrom<typeof readFilings>

/** The trips of bookings, and their candidates. `offset 0` forces a look-up of each trip by its id. */
export const readFilings = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {
    id: pg.uuid,
    entity: pg.text,
    /** Whether it was filed, or taken out of its trip by hand, which is a null `trip`. */
    decided: pg.boolean,
    trip: pg.nullable(pg.uuid),
    /** The trips with dates of its customer that are neither over nor cancelled. */
    open: pg.json<readonly OpenTrip[]>(),
  },
  `
  select b.id, b.entity, f.booking_id is not null as decided, f.trip_id as trip, coalesce((
    select json_agg(json_build_object('id', t.id, 'start', t.start_date, 'end', t.end_date))
    from trip_customers x cross join lateral (
      select t.id, t.start_date, t.end_date, ${STATUS_SQL} as status from trips t
      where t.account_id = x.account_id and t.id = x.trip_id offset 0) t
    where x.account_id = b.account_id and x.customer_id = b.customer_id and f.booking_id is null
      and t.start_date is not null and t.end_date is not null and t.status not in ('completed', 'cancelled')), '[]') as open
  from bookings b left join trip_bookings f on f.account_id = b.account_id and f.booking_id = b.id
  where b.account_id = $account and b.id = any($ids::uuid[])`,
)

/** A concurrent manual filing wins. */
export const fileInto = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid), trips: pg.list(pg.uuid) },
  {},
  `
  insert into trip_bookings (account_id, booking_id, trip_id, by_hand)
  select $account::integer, booking, trip, false from unnest($bookings::uuid[], $trips::uuid[]) as filed(booking, trip)
  on conflict (account_id, booking_id) do nothing`,
)
export const fileByHand = statement(
  { account: pg.integer, booking: pg.uuid, trip: pg.uuid },
  {},
  `
  insert into trip_bookings (account_id, booking_id, trip_id) values ($account::integer, $booking::uuid, $trip::uuid)
  on conflict (account_id, booking_id) do update set trip_id = excluded.trip_id, by_hand = true`,
)
/** The trip of a booking; null if it was taken out of one, no row if it was never filed. */
export const findFiling = statement(
  { account: pg.integer, booking: pg.uuid },
  { trip: pg.nullable(pg.uuid) },
  'select trip_id as trip from trip_bookings where account_id = $account and booking_id = $booking',
)
/** The row stays, so that the job skips the booking. */
export const unfileByHand = statement(
  { account: pg.integer, booking: pg.uuid, trip: pg.uuid },
  { booking_id: pg.uuid },
  `
  update trip_bookings set trip_id = null, by_hand = true where account_id = $account and booking_id = $booking and trip_id = $trip
  returning booking_id`,
)

/** Locks the days of these trips until the commit. */
export const lockTrips = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  { id: pg.uuid, start: pg.nullable(pg.date), end: pg.nullable(pg.date) },
  `
  select id, start_date as start, end_date as "end" from trips where account_id = $account and id = any($trips::uuid[])
  order by id for no key update`,
)
export const readDated = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  { trip: pg.uuid, id: pg.uuid, date: pg.filled(pg.date) },
  `
  select trip_id as trip, id, date from trip_days
  where account_id = $account and trip_id = any($trips::uuid[]) and date is not null order by date, day_number`,
)
