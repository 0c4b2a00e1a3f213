import type { AccountTx } from '../../../platform/db/account-tx.ts'
import * as pg from '../../../platform/db/pg-types.ts'
import { quoted } from '../../../platform/db/quoted.ts'
import { statement } from '../../../platform/db/statement.ts'
import { takeChangeNumber } from '../../../platform/db/take-change-number.ts'
import { Reasons } from '../../../platform/http/reasons.ts'
import type { FoundDesk } from '../../accounts/reads/find-desk.ts'
import { openTrip } from './open-trip.ts'
import { refuseUnknownCustomer } from './refuse-unknown.ts'
import { requireTrip } from './require-trip.ts'

/** What a copy differs in. Without a customer it is for the same one. */
export type Copy = { readonly start: string; readonly title: string | null; readonly customer: string | null }

/** What is bought for one journey of one person. */
const NOT_COPIED = quoted(['insurance', 'visa'])
const findSource = statement(
  { account: pg.integer, trip: pg.uuid },
  {
    company: pg.uuid,
    branch: pg.nullable(pg.uuid),
    title: pg.text,
    type: pg.nullable(pg.text),
    destinations: pg.list(pg.text),
    currency: pg.nullable(pg.text),
    /** If active. */
    advisor: pg.nullable(pg.uuid),
    /** The primary customer, if not deleted. */
    customer: pg.nullable(pg.uuid),
  },
  `
  select t.company_id as company, t.branch_id as branch, t.title, t.trip_type as type, t.destinations, t.primary_currency as currency,
    (select s.id from seats s where s.account_id = t.account_id and s.id = t.assigned_advisor_id and s.active) as advisor,
    (select c.id from trip_customers x join customers c on c.account_id = x.account_id and c.id = x.customer_id
      where x.account_id = t.account_id and x.trip_id = t.id and x.is_primary and c.deleted_at is null) as customer
  from trips t where t.account_id = $account and t.id = $trip`,
)
const COPYING = { account: pg.integer, source: pg.uuid, trip: pg.uuid }
/** `same`: for the same customer. What was noted about one is not for another. */
const copyTrip = statement(
  { ...COPYING, same: pg.boolean },
  {},
  `
  update trips t set summary = s.summary, internal_notes = case when $same::boolean then s.internal_notes end,
    cover_image_url = s.cover_image_url, settings = s.settings, notification_preferences = s.notification_preferences
  from trips s where t.account_id = $account::integer and t.id = $trip and s.account_id = $account and s.id = $source`,
)
const copyDays = statement(
  COPYING,
  {},
  `
  update trip_days d set title = s.title, description = s.description, primary_location = s.primary_location,
    latitude = s.latitude, longitude = s.longitude, timezone = s.timezone, cover_image_url = s.cover_image_url, found_place = s.found_place
  from trip_days s where d.account_id = $account::integer and d.trip_id = $trip
    and s.account_id = $account and s.trip_id = $source and s.day_number = d.day_number`,
)
/** Amounts and confirmations belong to the former dates. */
const copySegments = statement(
  { ...COPYING, same: pg.boolean },
  {},
  `
  insert into trip_segments (account_id, trip_id, trip_day_id, position, segment_type, status, title, description, internal_notes,
    start_time, end_time, duration_minutes, location_name, location_address, is_optional, is_highlighted, is_client_visible,
    cover_image_url, flight_number, airline_code, departure_airport, arrival_airport, supplier_id)
  select s.account_id, $trip::uuid, d.id, row_number() over (partition by d.id order by s.position, s.id), s.segment_type, 'draft', s.title,
    s.description, case when $same::boolean then s.internal_notes end,
    s.start_time + (d.date - coalesce(o.date, s.start_time::date)) * interval '1 day',
    s.end_time + (d.date - coalesce(o.date, s.start_time::date, s.end_time::date)) * interval '1 day',
    s.duration_minutes, s.location_name, s.location_address, s.is_optional, s.is_highlighted, s.is_client_visible,
    s.cover_image_url, s.flight_number, s.airline_code, s.departure_airport, s.arrival_airport,
    (select u.id from suppliers u where u.account_id = s.account_id and u.id = s.supplier_id and u.deleted_at is null)
  from trip_segments s join trip_days o on o.account_id = s.account_id and o.id = s.trip_day_id
    join trip_days d on d.account_id = o.account_id and d.trip_id = $trip and d.day_number = o.day_number
  where s.account_id = $account::integer and s.trip_id = $source and s.status <> 'cancelled' and s.segment_type not in (${NOT_COPIED})`,
)
const copyPeople = statement(
  COPYING,
  {},
  `
  with buyers as (
    insert into trip_customers (account_id, trip_id, customer_id, is_primary)
    select x.account_id, $trip::uuid, x.customer_id, false from trip_customers x
      join customers c on c.account_id = x.account_id and c.id = x.customer_id and c.deleted_at is null
    where x.account_id = $account::integer and x.trip_id = $source and not x.is_primary
  ), opened as (delete from trip_travelers where account_id = $account and trip_id = $trip)
  insert into trip_travelers (account_id, trip_id, customer_id, traveler_id, name, is_lead, position)
  select x.account_id, $trip, x.customer_id, x.traveler_id, x.name, x.is_lead, row_number() over (order by x.position, x.id)
  from trip_travelers x left join customers c on c.account_id = x.account_id and c.id = x.customer_id
  where x.account_id = $account and x.trip_id = $source and c.deleted_at is null`,
)

/**
 * Makes a trip in planning from another one, from a new start on: its days and what happens on them, as drafts. Bookings,
 * links and amounts stay with the other. Returns the id.
 */
export async function duplicateTrip(
  tx: AccountTx,
  desk: FoundDesk,
  source: string,
  { start, title, customer }: Copy,
): Promise<string> {
  takeChangeNumber(tx) // a customer that is being merged is found as what it becomes, or not
  const { day_count } = await requireTrip(tx, source)
  const found = await tx.one(findSource, { trip: source })
  const buyer = customer ?? found?.customer
  const reasons = new Reasons()
  if (!found || !buyer) reasons.add(['customer_id', 'The customer of the trip was deleted. Send another one.'])
  await refuseUnknownCustomer(tx, 'customer_id', customer, reasons)
  reasons.refuse()
  const { company, branch, type, destinations, currency, advisor, title: former } = found as NonNullable<typeof found>
  const trip = await openTrip(tx, {
    ...{ company, branch, type, destinations, advisor, start },
    customer: buyer as string,
    title: title ?? former,
    end:
      day_count > 0
        ? Temporal.PlainDate.from(start)
            .add({ days: day_count - 1 })
            .toString()
        : null,
    currency: currency ?? desk.currency,
  })
  const same = buyer === found?.customer
  tx.later(copyTrip, { source, trip, same })
  tx.later(copyDays, { source, trip })
  tx.later(copySegments, { source, trip, same })
  if (same) tx.later(copyPeople, { source, trip })
  return trip
}
