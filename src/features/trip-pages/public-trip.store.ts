import { policySet } from '../../platform/access/policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { statement } from '../../platform/db/statement.ts'
import { instantSql } from '../../platform/db/view.ts'
import { type AgencyLook, LOOK_SQL } from '../../platform/page/look.ts'
import { KNOWN_BY_DAYS, type SEGMENT_TYPES } from '../trips/reads/segment-kinds.ts'
import { tripTravelerNameSql } from '../trips/reads/traveler-name.ts'
import type { Link } from './link.store.ts'

export type SegmentType = (typeof SEGMENT_TYPES)[number]

/**
 * What a share link shows of a segment. Days are `YYYY-MM-DD`, times `YYYY-MM-DDTHH:MM` on the clock of the place: a start
 * or an end of which no hour is known is a day.
 */
export type PublicSegment = {
  readonly id: string
  readonly type: SegmentType
  readonly firm: boolean
  readonly title: string | null
  readonly description: string | null
  readonly start: string | null
  readonly end: string | null
  readonly minutes: number | null
  readonly place: string | null
  readonly address: string | null
  readonly optional: boolean
  readonly highlighted: boolean
  readonly cover: string | null
  readonly airline: string | null
  readonly flight: string | null
  readonly from: string | null
  readonly to: string | null
  /** A decimal with the digits of its currency; null where the link shows no prices. */
  readonly price: string | null
  readonly currency: string | null
  /** UTC. */
  readonly updated: string
}
export type PublicDay = {
  readonly number: number
  readonly date: string | null
  readonly title: string | null
  readonly location: string | null
  readonly description: string | null
  readonly cover: string | null
  readonly timeZone: string | null
  /** Where it is on the map, in degrees. */
  readonly latitude: number | null
  readonly longitude: number | null
  readonly segments: readonly PublicSegment[]
}
export type PublicTrip = AgencyLook & {
  readonly id: string
  readonly language: string
  readonly title: string
  readonly cancelled: boolean
  readonly start: string | null
  readonly end: string | null
  readonly destinations: readonly string[]
  readonly summary: string | null
  readonly cover: string | null
  /** UTC. */
  readonly updated: string
  /** Null if the link names no one. */
  readonly travelers: readonly string[] | null
  readonly days: readonly PublicDay[]
}

/** A page knows names, and never those that a restricted tag hides. */
const READER = policySet(['view_personal_data'])
/** Midnight means no time for a stay, or for a booking with dates only; otherwise it is a time. */
const isDay = (time: string) => `${time}::time = '00:00' and (s.segment_type = 'lodging'
  or s.booking_id is not null and s.segment_type in (${KNOWN_BY_DAYS.map((type) => `'${type}'`)}))`
const whenSql = (time: string) =>
  `to_char(${time}, case when ${isDay(time)} then 'YYYY-MM-DD' else 'YYYY-MM-DD"T"HH24:MI' end)`
/** A supplier reads nothing that was written about the services of others. */
const unlessSupplier = (column: string) => `case when $supplier::uuid is null then ${column} end`

/** Whether a link shows a segment `s` of a day `d`. */
const shown = `s.account_id = d.account_id and s.trip_day_id = d.id and s.trip_id = d.trip_id and s.is_client_visible
  and s.status in ('proposed', 'option', 'confirmed', 'ticketed') and ($supplier::uuid is null or s.supplier_id = $supplier)`
const segments = `
  select coalesce(json_agg(json_build_object('id', s.id, 'type', s.segment_type, 'firm', s.status in ('confirmed', 'ticketed'),
    'title', s.title, 'description', s.description, 'start', ${whenSql('s.start_time')}, 'end', ${whenSql('s.end_time')},
    'minutes', s.duration_minutes, 'place', s.location_name, 'address', s.location_address, 'optional', s.is_optional,
    'highlighted', s.is_highlighted, 'cover', s.cover_image_url, 'airline', s.airline_code, 'flight', s.flight_number,
    'from', s.departure_airport, 'to', s.arrival_airport, 'currency', s.currency, 'updated', ${instantSql('s.updated_at')},
    'price', case when $prices::boolean then money_text(s.price_amount, s.currency) end) order by s.position, s.id), '[]')
  from trip_segments s where ${shown}`
const days = `
  select coalesce(json_agg(json_build_object('number', d.day_number, 'date', d.date, 'title', ${unlessSupplier('d.title')},
    'location', d.primary_location, 'description', ${unlessSupplier('d.description')}, 'cover', ${unlessSupplier('d.cover_image_url')},
    'timeZone', d.timezone, 'latitude', d.latitude, 'longitude', d.longitude, 'segments', (${segments})) order by d.position, d.day_number), '[]')
  from trip_days d where d.account_id = t.account_id and d.trip_id = t.id
    and ($supplier::uuid is null or exists (select from trip_segments s where ${shown}))`
const travelers = `
  select coalesce(json_agg(n.name order by n.position, n.id) filter (where n.name is not null), '[]')
  from (select x.position, x.id, ${tripTravelerNameSql(READER)} as name from trip_travelers x
    left join customers c on c.account_id = x.account_id and c.id = x.customer_id and c.deleted_at is null
    left join travelers d on d.account_id = x.account_id and d.id = x.traveler_id
    where x.account_id = t.account_id and x.trip_id = t.id) n`

/** The trip as a link shows it. What it may not show is not read. */
export const readPublicTrip = statement(
  { account: pg.integer, trip: pg.uuid, supplier: pg.nullable(pg.uuid), prices: pg.boolean, travelers: pg.boolean },
  {
    id: pg.uuid,
    /** UTC. */
    updated: pg.text,
    agency: pg.text,
    /** `#rrggbb`; null for the program’s own. */
    accent: pg.nullable(pg.text),
    /** A data URL. */
    logo: pg.nullable(pg.text),
    language: pg.text,
    title: pg.text,
    cancelled: pg.boolean,
    start: pg.nullable(pg.text),
    end: pg.nullable(pg.text),
    destinations: pg.list(pg.text),
    summary: pg.nullable(pg.text),
    cover: pg.nullable(pg.text),
    days: pg.json<readonly PublicDay[]>(),
    /** Null if the link names no one. */
    travelers: pg.nullable(pg.json<readonly string[]>()),
  },
  `
  select t.id, ${instantSql('t.updated_at')} as updated, ${LOOK_SQL}, coalesce(t.settings ->> 'language', a.locale) as language, t.title, t.status = 'cancelled' as cancelled,
    t.start_date::text as start, t.end_date::text as "end", t.destinations, ${unlessSupplier('t.summary')} as summary,
    ${unlessSupplier('t.cover_image_url')} as cover, (${days}) as days, case when $travelers::boolean then (${travelers}) end as travelers
  from trips t join accounts a on a.account_id = t.account_id
  where t.account_id = $account and t.id = $trip`,
)

export const shownBy = ({ trip, supplier, showPrices, showTravelers }: Link) => ({
  trip,
  supplier,
  prices: showPrices,
  travelers: showTravelers,
})
