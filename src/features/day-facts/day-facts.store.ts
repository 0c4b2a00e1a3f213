import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { leasedRows } from '../../platform/jobs/leased-rows.ts'
import type { Journey, PlacedDay, WrittenPlace } from './places-of-days.ts'

/** A fact leased until `lease`, with its previous data. */
export type ClaimedFact = RowFrom<typeof leasedFacts.claim>
export const leasedFacts = leasedRows({
  table: 'trip_day_facts',
  key: ['trip_day_id', 'kind'],
  waiting: 'q.kind = $kind',
  most: '$most',
  unnamed: true, // requesting the fact makes it due, so the current holder loses it
  takes: { kind: pg.textOf<'weather' | 'currency' | 'general'>(), most: pg.integer, freshMs: pg.float },
  gives: {
    day: pg.uuid,
    about: pg.nullable(pg.text),
    failures: pg.integer,
    lease: pg.instant,
    fresh: pg.boolean,
  },
  columns: {
    day: 'q.trip_day_id',
    about: 'q.about',
    failures: 'q.failures',
    lease: 'q.next_attempt_at',
    fresh: `coalesce(q.updated_at > now() - $freshMs * interval '1 millisecond', false)`,
  },
})

/** Days with the places that the trip states. */
export type TripOfDays = Omit<Journey, 'days'> & {
  readonly days: readonly (PlacedDay & { readonly date: string | null; readonly updated_at: string })[]
  readonly currencies: readonly string[]
}
/** The trips that have any of these days, each with all of its days. */
export const readTrips = statement(
  { account: pg.integer, days: pg.list(pg.uuid) },
  {
    destinations: pg.list(pg.text),
    currencies: pg.list(pg.text),
    days: pg.json<TripOfDays['days']>(),
    stops: pg.json<Journey['stops']>(),
  },
  `
  select t.destinations, array_remove(array[c.currency, nullif(t.primary_currency, c.currency)], null) as currencies,
    (select json_agg(json_build_object('id', d.id, 'date', d.date, 'primary_location', d.primary_location, 'latitude', d.latitude,
        'longitude', d.longitude, 'timezone', d.timezone, 'found_place', d.found_place, 'updated_at', d.updated_at) order by d.position, d.day_number)
      from trip_days d where d.account_id = t.account_id and d.trip_id = t.id) as days,
    (select coalesce(json_agg(json_build_object('day', s.trip_day_id, 'start_time', s.start_time, 'end_time', s.end_time,
        'departure_airport', s.departure_airport, 'arrival_airport', s.arrival_airport, 'location_name', s.location_name,
        'location_address', s.location_address, 'supplier_country', p.country_code)
        order by d.position, d.day_number, s.start_time, s.position, s.id), '[]')
      from trip_segments s join trip_days d on d.account_id = s.account_id and d.id = s.trip_day_id
        left join bookings b on b.account_id = s.account_id and b.id = s.booking_id
        left join suppliers p on p.account_id = s.account_id and p.id = coalesce(s.supplier_id, b.supplier_id)
      where s.account_id = t.account_id and s.trip_id = t.id and s.status <> 'cancelled'
        and num_nonnulls(s.departure_airport, s.arrival_airport, s.location_name, s.location_address) > 0) as stops
  from trips t join companies c on c.account_id = t.account_id and c.id = t.company_id
  where t.account_id = $account::integer
    and t.id = any(array(select x.trip_id from trip_days x where x.account_id = $account and x.id = any($days::uuid[])))`,
)

/** Where a day is, by the job; `updated_at` is what the day had when it was read. */
export type FoundPlace = WrittenPlace & {
  readonly id: string
  readonly found_place: WrittenPlace | null
  readonly updated_at: string
}
/** The result of a claimed fact: unchanged or new data, and when to request it again. */
export type SettledFact = {
  readonly day: string
  readonly stays: boolean
  readonly data: object | null
  readonly about: string | null
  readonly failures: number
  /** An instant, or `infinity`. */
  readonly again: string
}
/** Only facts that are still leased are written: facts that were requested or claimed again since are skipped. */
export const recordFacts = statement(
  {
    account: pg.integer,
    kind: pg.textOf<'weather' | 'currency' | 'general'>(),
    provider: pg.text,
    lease: pg.instant,
    settled: pg.jsonText,
  },
  {},
  `
  update trip_day_facts f set next_attempt_at = s.again, failures = s.failures,
    data = case when s.stays then f.data else s.data end,
    about = case when s.stays then f.about else s.about end,
    provider = case when s.stays then f.provider when s.data is not null then $provider end,
    updated_at = case when s.stays then f.updated_at when s.data is not null then now() end
  from json_to_recordset($settled::json) as s(day uuid, stays boolean, data jsonb, about text, failures integer, again timestamptz)
  where f.account_id = $account::integer and f.trip_day_id = s.day and f.kind = $kind and f.next_attempt_at = $lease::timestamptz`,
)
