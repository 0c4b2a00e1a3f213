import * as pg from '../../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../../platform/db/statement.ts'
import { KNOWN_BY_DAYS } from '../reads/segment-kinds.ts'

/** The text attributes of a segment, with their maximum length: texts that were edited stay. */
const WORDS = { title: 300, description: 10_000, location_name: 300, location_address: 1000 } as const
/** Attributes that always follow the booking, with their types. */
const FACTS = {
  trip_id: 'uuid',
  trip_day_id: 'uuid',
  segment_type: 'text',
  status: 'text',
  start_time: 'timestamp',
  end_time: 'timestamp',
  duration_minutes: 'integer',
  airline_code: 'text',
  flight_number: 'text',
  departure_airport: 'text',
  arrival_airport: 'text',
  price_amount: 'numeric',
  currency: 'text',
  cost_amount: 'numeric',
  cost_currency: 'text',
  commission_amount: 'numeric',
  commission_rate: 'numeric',
  supplier_id: 'uuid',
  confirmation_number: 'text',
} as const
const facts = Object.keys(FACTS)
const words = Object.keys(WORDS)
/** When a segment takes place within its day: segments without a time come last. */
const at = (segment: string) => `case when ${segment}.start_time = date_trunc('day', ${segment}.start_time)
    and ${segment}.segment_type in (${KNOWN_BY_DAYS.map((type) => `'${type}'`)})
  then ${segment}.start_time + interval '1 day' else ${segment}.start_time end`
const of = (names: readonly string[], table: string) => names.map((name) => `${table}.${name}`).join(', ')
export type Living = RowFrom<typeof readLiving>
/** The segments of these bookings that are not cancelled. */
export const readLiving = statement(
  { account: pg.integer, bookings: pg.list(pg.uuid) },
  { id: pg.uuid, booking: pg.filled(pg.uuid), piece: pg.filled(pg.text), trip: pg.uuid },
  `
  select id, booking_id as booking, piece, trip_id as trip from trip_segments
  where account_id = $account and booking_id = any($bookings::uuid[]) and status <> 'cancelled'`,
)
export const cancelSegments = statement(
  { account: pg.integer, ids: pg.list(pg.uuid) },
  {},
  `
  update trip_segments set status = 'cancelled', updated_at = now() where account_id = $account and id = any($ids::uuid[])`,
)
/**
 * Creates segments, or updates them from their booking. Returns the changed ones. A new segment is placed by its order
 * among these, which is right on a day without others.
 */
export const writeSegments = statement(
  { account: pg.integer, segments: pg.jsonText },
  {
    id: pg.uuid,
    trip: pg.uuid,
    /** Where it was before. */
    formerly: pg.nullable(pg.uuid),
    day: pg.uuid,
    /** Whether it is new on its day, or its time changed. */
    placed: pg.boolean,
  },
  `
  insert into trip_segments as s (account_id, booking_id, piece, position, derived, ${facts}, ${words})
  select $account::integer, booking_id, piece, row_number() over (partition by trip_day_id order by ${at('wanted')} nulls first, piece),
    jsonb_build_object(${words.map((name) => `'${name}', ${name}`)}), ${facts}, ${words}
  from (
    select booking_id, piece, ${facts}, ${Object.entries(WORDS).map(([name, longest]) => `left(${name}, ${longest}) as ${name}`)}
    from json_to_recordset($segments::json) as given(booking_id uuid, piece text,
      ${Object.entries(FACTS).map(([name, type]) => `${name} ${type}`)}, ${words.map((name) => `${name} text`)})) wanted
  on conflict (account_id, booking_id, piece) do update set derived = excluded.derived, updated_at = now(),
    ${facts.map((name) => `${name} = excluded.${name}`)},
    ${words.map((name) => `${name} = case when s.${name} is not distinct from s.derived ->> '${name}' then excluded.${name} else s.${name} end`)}
  where (s.derived, ${of(facts, 's')}) is distinct from (excluded.derived, ${of(facts, 'excluded')})
  returning new.id, new.trip_id as trip, old.trip_id as formerly, new.trip_day_id as day,
    old.id is null or (old.trip_day_id, old.start_time) is distinct from (new.trip_day_id, new.start_time) as placed`,
)

/**
 * Orders the segments of these days by time. The others keep their order; a segment without a time stays with the one
 * before it.
 */
export const placeSegments = statement(
  { account: pg.integer, days: pg.list(pg.uuid), placed: pg.list(pg.uuid) },
  {},
  `
  with timed as (
    select s.id, s.trip_day_id, s.position, s.piece, s.id = any($placed::uuid[]) as is_placed, ${at('s')} as at
    from trip_segments s where s.account_id = $account and s.trip_day_id = any($days::uuid[])
  ),
  following as (
    select *, case when is_placed then at else max(at) over (partition by trip_day_id, is_placed order by position, id) end as since from timed
  ),
  ordered as (
    select id, row_number() over (partition by trip_day_id
      order by since nulls first, is_placed, case when not is_placed then position end, piece, id) as nth from following
  ),
  places as materialized (select jsonb_object_agg(id, nth) as by_id from ordered)
  update trip_segments s set position = (p.by_id ->> s.id::text)::integer from places p
  where s.account_id = $account and s.trip_day_id = any($days) and s.position <> (p.by_id ->> s.id::text)::integer`,
)

export const deleteSegmentsOf = statement(
  { account: pg.integer, booking: pg.uuid, trip: pg.uuid },
  {},
  'delete from trip_segments where account_id = $account and booking_id = $booking and trip_id = $trip',
)
export const deleteSegmentsOutside = statement(
  { account: pg.integer, booking: pg.uuid, trip: pg.uuid },
  {},
  'delete from trip_segments where account_id = $account and booking_id = $booking and trip_id <> $trip',
)
