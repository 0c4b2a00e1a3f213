import * as pg from '../../platform/db/pg-types.ts'
import { type RowFrom, statement } from '../../platform/db/statement.ts'
import { IN_TALKS, TRAVELS_AGAIN } from '../trips/reads/travels-again.ts'
import { PASSPORT_VALIDITY } from '../trips/reads/trip-scopes.ts'
import { GONE } from './due-sql.ts'

/** A flight of the trip's first days. Times are those of the clock at the place. */
export type DueFlight = {
  readonly airline: string | null
  readonly flight: string | null
  readonly from: string | null
  readonly to: string | null
  readonly day: string | null
  readonly start: string | null
  readonly end: string | null
}
export type Passports = { readonly missing: number; readonly expiring: number; readonly until: string | null }
/** The amount that the customer must pay by the next due date; no amounts if one is unknown. */
export type Balance = {
  readonly due: string
  readonly amounts: readonly { readonly amount: string; readonly currency: string }[] | null
}
/** The recipient of a due notification, and the values of its kind. */
export type DueTrip = RowFrom<typeof readDueTrips>

/** Those that a traveller may count on, from the first day to the next, since night flights leave on it. */
const FLIGHTS = `
  select json_agg(json_build_object('airline', s.airline_code, 'flight', s.flight_number, 'from', s.departure_airport,
    'to', s.arrival_airport, 'day', day, 'start', to_char(s.start_time, 'YYYY-MM-DD"T"HH24:MI'),
    'end', to_char(s.end_time, 'YYYY-MM-DD"T"HH24:MI')) order by day, s.start_time, s.position)
  from trip_segments s join trip_days d on d.account_id = s.account_id and d.id = s.trip_day_id
    cross join lateral (select coalesce(s.start_time::date, d.date) as day) at
  where s.account_id = t.account_id and s.trip_id = t.id and s.segment_type = 'flight' and s.is_client_visible
    and s.status in ('confirmed', 'ticketed') and day between t.start_date and t.start_date + 1`
/** The open amount of the customer's own bookings: the unpaid rest if invoiced, otherwise the total. */
const OPEN = `
  select b.balance_due_on as due, o.currency, o.amount
  from trip_bookings x join bookings b on b.account_id = x.account_id and b.id = x.booking_id
    cross join lateral (
      select b.currency, b.sell_total as amount where not b.invoiced
      union all
      select i.currency, i.gross - coalesce((select sum(p.amount) from customer_payments p
        where p.account_id = i.account_id and p.invoice_id = i.id), 0)
      from customer_invoices i where i.account_id = b.account_id and i.booking_id = b.id and b.invoiced and i.document_type = 'invoice'
        and not exists (select from customer_invoices n where n.account_id = i.account_id and n.reverses_id = i.id)) o
  where x.account_id = t.account_id and x.trip_id = t.id and b.customer_id = c.id and b.deleted_at is null
    and b.status not in (${GONE}) and b.balance_due_on is not null and coalesce(o.amount, 1) > 0`
const BALANCE = `
  select json_build_object('due', due, 'amounts', case when bool_and(amount is not null) then
    json_agg(json_build_object('amount', money_text(amount, currency), 'currency', currency) order by currency) end)
  from (select due, currency, case when bool_and(amount is not null) then sum(amount) end as amount from (${OPEN}) o group by due, currency) sums
  group by due order by due limit 1`
/** By traveller, and by name for customers who are their own traveller. Unknown ones are missing. */
const PASSPORTS = `
  select json_build_object('missing', count(*) filter (where expiry is null), 'expiring', count(*) filter (where expiry < until),
    'until', until)
  from (select (coalesce(t.end_date, t.start_date) + interval '${PASSPORT_VALIDITY}')::date as until) needed
    cross join lateral (
      select case when x.traveler_id is null then (select max(d.passport_expiry) from customers o join travelers d
          on d.account_id = o.account_id and d.customer_id = o.id and d.name_key = lower(o.name)
          where o.account_id = x.account_id and o.id = x.customer_id)
        else (select d.passport_expiry from travelers d where d.account_id = x.account_id and d.id = x.traveler_id) end as expiry
      from trip_travelers x where x.account_id = t.account_id and x.trip_id = t.id) p
  group by until`
const NEXT = `case when ${TRAVELS_AGAIN} then 'travels_again' when ${IN_TALKS} then 'in_talks' end`

/** All placeholder values of due notifications, in one query. */
export const readDueTrips = statement(
  { account: pg.integer, due: pg.jsonText },
  {
    id: pg.uuid,
    trip: pg.uuid,
    kind: pg.textOf<
      | 'payment_due'
      | 'documents_due'
      | 'pre_departure'
      | 'online_check_in'
      | 'bon_voyage'
      | 'welcome_home'
      | 'survey'
      | 'anniversary'
      | 'rebook'
      | 'passport_check'
    >(),
    customer: pg.nullable(pg.uuid),
    seat: pg.nullable(pg.uuid),
    flights: pg.nullable(pg.json<readonly DueFlight[]>()),
    balance: pg.nullable(pg.json<Balance>()),
    passports: pg.nullable(pg.json<Passports>()),
    /** Why the customer needs no nudge to travel again. */
    next: pg.nullable(pg.textOf<'travels_again' | 'in_talks'>()),
  },
  `
  select m.id, m.trip, m.kind, case m.audience when 'traveler' then c.id end as customer,
    case m.audience when 'advisor' then coalesce(v.id, a.owner_id) end as seat,
    case when m.kind in ('pre_departure', 'online_check_in', 'bon_voyage') then (${FLIGHTS}) end as flights,
    case m.kind when 'payment_due' then (${BALANCE}) end as balance,
    case m.kind when 'passport_check' then (${PASSPORTS}) end as passports,
    case m.kind when 'rebook' then ${NEXT} end as next
  from json_to_recordset($due::json) as m(id uuid, trip uuid, kind text, audience text)
    join trips t on t.account_id = $account::integer and t.id = m.trip
    join accounts a on a.account_id = t.account_id
    left join seats v on v.account_id = t.account_id and v.id = t.assigned_advisor_id and v.active
    left join trip_customers x on x.account_id = t.account_id and x.trip_id = t.id and x.is_primary
    left join customers c on c.account_id = x.account_id and c.id = x.customer_id and c.deleted_at is null
  order by m.id`,
)
