import Type from 'typebox'
import { byPolicies } from '../../platform/db/by-policies.ts'
import * as pg from '../../platform/db/pg-types.ts'
import { quoted } from '../../platform/db/quoted.ts'
import { instantSql, type View, viewSql } from '../../platform/db/view.ts'
import { Day, enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { statesWhere } from '../bookings/reads/booking-states.ts'

/** What lists of bookings of a trip show of a booking `b`. */
const booking: View = {
  id: { sql: 'b.id', schema: Uuid },
  entity: { sql: 'b.entity', schema: Text(40) },
  label: { sql: 'booking_label(b.entity, b.external_id)', schema: maybe(Text(300)) },
  status: { sql: 'b.status', schema: Text(40) },
  travels_on: { sql: 'b.travels_on', schema: maybe(Day) },
}
/** A booking `b` that is filed into a trip by the row `f`. */
export const filedBooking: View = {
  ...booking,
  by_hand: {
    sql: 'f.by_hand',
    schema: Type.Boolean({ description: 'Whether a person filed it. The program files no such booking again.' }),
  },
  filed_at: { sql: instantSql('f.created_at'), schema: Instant },
}
const REASONS = ['fits_no_trip', 'fits_several_trips', 'taken_out'] as const
/** A booking `b` that is in no trip, by the row `f` if it was taken out of one, else the row `u`, and the trip `t`. */
export const proposedBooking: View = {
  ...booking,
  first_day: { sql: 'u.first_day', schema: maybe(Day) },
  last_day: { sql: 'u.last_day', schema: maybe(Day) },
  reason: {
    sql: `case when f.booking_id is not null then 'taken_out' when u.trips = 0 then 'fits_no_trip' else 'fits_several_trips' end`,
    schema: enumOf(REASONS),
  },
  fits: {
    sql: 'coalesce(t.start_date <= u.first_day and u.last_day <= t.end_date, false)',
    schema: Type.Boolean({ description: 'Whether the trip has all its days.' }),
  },
}

const ofTrip = (items: string) =>
  `select (${items})::text as items from trips t where t.account_id = $account and t.id = $trip`
const IDS = { account: pg.integer, trip: pg.uuid }

/** The bookings of a trip, by their first day; no row if it does not exist. */
export const readFiledBookings = byPolicies(IDS, { items: pg.printedJson }, (policies) =>
  ofTrip(`
  select coalesce(json_agg(${viewSql(filedBooking, policies)} order by b.travels_on, b.id), '[]')
  from trip_bookings f join bookings b on b.account_id = f.account_id and b.id = f.booking_id
  where f.account_id = t.account_id and f.trip_id = t.id and b.deleted_at is null`),
)
/** At most this many proposals are listed, those that fit first. */
export const PROPOSALS = 100
const OVER = quoted(statesWhere(({ segments }) => segments === 'cancelled'))
export const readProposals = byPolicies(IDS, { items: pg.printedJson }, (policies) =>
  ofTrip(`
  select coalesce(json_agg(p.item order by p.fits desc, p.first_day, p.id), '[]') from (
    select ${viewSql(proposedBooking, policies)} as item, ${proposedBooking.fits?.sql} as fits, u.first_day, b.id
    from trip_customers x join bookings b on b.account_id = x.account_id and b.customer_id = x.customer_id
      left join trip_bookings f on f.account_id = b.account_id and f.booking_id = b.id
      left join unfiled_bookings u on u.account_id = b.account_id and u.booking_id = b.id and u.customer_id = b.customer_id
    where x.account_id = t.account_id and x.trip_id = t.id and b.deleted_at is null and b.status not in (${OVER})
      and case when f.booking_id is null then u.booking_id is not null else f.trip_id is null end
    order by fits desc, u.first_day, b.id limit ${PROPOSALS}) p`),
)
