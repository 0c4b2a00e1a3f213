import { RATED_SQL } from '../../src/features/surveys/rated-segments.ts'
import * as pg from '../../src/platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../src/platform/db/statement.ts'
import { intoTable } from './write-rows.ts'

/** A stay that is over: who bought it, and where. */
export type Stay = RowFrom<typeof readStays>
/** In an order that is the same for the same rows. */
export const readStays = statement(
  { account: pg.integer, today: pg.date },
  {
    booking: pg.uuid,
    customer: pg.uuid,
    first: pg.text,
    last: pg.text,
    hotel: pg.filled(pg.uuid),
    isCompany: pg.boolean,
    /** Whether the customer lives in the agency's country, judged by the telephone number. */
    isNear: pg.boolean,
    hasEmail: pg.boolean,
  },
  `
  select b.id as booking, c.id as customer, h.check_in_on::text as first, h.check_out_on::text as last, b.supplier_id as hotel,
    c.customer_type = 'corporate' as "isCompany", coalesce(c.phone, '+90') like '+90%' as "isNear", c.email is not null as "hasEmail"
  from hotel_stays h join bookings b on b.account_id = h.account_id and b.id = h.id
    join customers c on c.account_id = b.account_id and c.id = b.customer_id
    join suppliers s on s.account_id = b.account_id and s.id = b.supplier_id
  where h.account_id = $account and b.status = 'checked_out' and h.check_out_on < $today::date
  order by h.check_out_on, b.external_id`,
)

export type House = RowFrom<typeof readHouses>
export const readHouses = statement(
  { account: pg.integer },
  { id: pg.uuid, type: pg.text, name: pg.text, city: pg.text },
  `
  select id, supplier_type as type, name, coalesce(address ->> 'city', '') as city from suppliers
  where account_id = $account and supplier_type in ('hotel', 'transfer', 'dmc') order by external_id`,
)

/** Trips with all that a new one has, and the numbers of the years in which they were made. */
export const insertTrips = statement(
  { account: pg.integer, company: pg.uuid, branch: pg.nullable(pg.uuid), trips: pg.jsonText },
  {},
  `
  with given as materialized (
    select g.*, year, row_number() over (partition by year order by created_at, id) as nth
    from json_to_recordset($trips::json) as g(id uuid, customer uuid, title text, type text, start date, "end" date, city text,
        currency text, language text, advisor uuid, created_at timestamptz)
      cross join lateral (select extract(year from g.created_at)::integer as year) made
  ), counter as (
    insert into trip_counters (account_id, year, last) select $account::integer, year, max(nth) from given group by year
  ), trip as (
    insert into trips (account_id, id, company_id, branch_id, reference_number, title, status, trip_type, start_date, end_date,
      destinations, primary_currency, assigned_advisor_id, settings, created_at, updated_at)
    select $account, id, $company::uuid, $branch::uuid, document_number('TRP', year, nth), title, 'confirmed', type, start, "end",
      array[city], currency, advisor, jsonb_build_object('show_prices', false, 'language', language), created_at, created_at
    from given
  ), customer as (
    insert into trip_customers (account_id, trip_id, customer_id, is_primary) select $account, id, customer, true from given
  ), traveler as (
    insert into trip_travelers (account_id, trip_id, customer_id, is_lead, position)
    select $account, g.id, c.id, true, 1 from given g join customers c on c.account_id = $account and c.id = g.customer
    where c.customer_type = 'individual'
  )
  insert into trip_days (account_id, trip_id, day_number, position, date, primary_location, created_at, updated_at)
  select $account, id, day, day, start + day - 1, city, created_at, created_at
  from given cross join generate_series(1, "end" - start + 1) day`,
)

/** Puts stays into their trips. What they consist of is derived afterwards. */
export const fileStays = intoTable('trip_bookings', 'booking_id, trip_id, created_at')

/** Segments at the end of their days. */
export const insertSegments = statement(
  { account: pg.integer, segments: pg.jsonText },
  {},
  `
  insert into trip_segments (account_id, id, trip_id, trip_day_id, segment_type, status, title, position, start_time, end_time,
    location_name, supplier_id, created_at, updated_at)
  select d.account_id, g.id, d.trip_id, d.id, g.type, 'confirmed', g.title,
    row_number() over (partition by d.id order by g.start) + (select count(*) from trip_segments s
      where s.account_id = d.account_id and s.trip_day_id = d.id), g.start, g."end", g.place, g.supplier, t.created_at, t.created_at
  from json_to_recordset($segments::json) as g(id uuid, trip uuid, type text, title text, start timestamp, "end" timestamp,
      place text, supplier uuid)
    join trip_days d on d.account_id = $account::integer and d.trip_id = g.trip and d.date = g.start::date
    join trips t on t.account_id = d.account_id and t.id = d.trip_id`,
)

/** What customers are asked about. */
export type Lived = RowFrom<typeof readSegments>
export const readSegments = statement(
  { account: pg.integer, trips: pg.list(pg.uuid) },
  { trip: pg.uuid, segment: pg.uuid, type: pg.text, supplier: pg.filled(pg.uuid) },
  `
  select s.trip_id as trip, s.id as segment, s.segment_type as type, s.supplier_id as supplier from trip_segments s
  where s.account_id = $account and s.trip_id = any($trips::uuid[]) and s.supplier_id is not null and ${RATED_SQL}
  order by s.trip_id, s.start_time, s.segment_type`,
)
