-- What reports ask of a booking that only its vertical knows: the day on which somebody travels, where to, and when its
-- documents were issued. A destination that is null is the supplier's place.
alter table bookings
  add travels_on date,
  add destination text,
  add first_issued_on date,
  add last_issued_on date;

-- For the bookings that are there. Of flights it is the airport where the last one arrives, or half way round, until the
-- booking changes.
alter table bookings disable trigger stamp;
set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
update bookings b set travels_on = own.travels_on, destination = own.destination
from (
  select account_id, id, check_in_on as travels_on, null as destination from hotel_stays
  union all select account_id, id, embark_on, null from cruises
  union all select account_id, id, starts_on, nullif(concat_ws(', ', city, country_code), '') from events
  union all select account_id, id, travel_on, destination_country from visa_cases
  union all select t.account_id, t.id, d.starts_on, null
    from tour_bookings t join tour_departures d on d.account_id = t.account_id and d.id = t.tour_departure_id
  union all select t.account_id, t.id, (t.pickup_at at time zone a.time_zone)::date, t.dropoff_location
    from transfers t join accounts a using (account_id)
  union all select t.account_id, t.id, (t.pickup_at at time zone a.time_zone)::date, coalesce(t.pickup_location, t.dropoff_location)
    from car_rentals t join accounts a using (account_id)
  union all select account_id, id, left(legs -> 0 ->> 'scheduled_departure', 10)::date,
    legs -> case itinerary_type when 'round_trip' then (jsonb_array_length(legs) - 1) / 2 else -1 end ->> 'arrival_airport' from tickets
  union all select account_id, id, coalesce(starts_on, left(legs -> 0 ->> 'scheduled_departure', 10)::date), legs -> -1 ->> 'arrival_airport'
    from charters
) own
where b.account_id = own.account_id and b.id = own.id;
update bookings b set first_issued_on = d.first, last_issued_on = d.last
from (
  select t.account_id, t.id, min((p.item ->> 'issued_on')::date) as first, max((p.item ->> 'issued_on')::date) as last
  from tickets t cross join lateral jsonb_array_elements(t.passengers) p(item) group by t.account_id, t.id
) d
where b.account_id = d.account_id and b.id = d.id and d.first is not null;
reset role;
alter table bookings enable trigger stamp;

create index bookings_transaction_date on bookings (account_id, transaction_date);
create index bookings_travels_on on bookings (account_id, travels_on) where travels_on is not null;
create index bookings_last_issued_on on bookings (account_id, last_issued_on) where last_issued_on is not null;
create index leads_created on leads (account_id, created_at);
create index tour_departures_starts_on on tour_departures (account_id, starts_on);
create index travelers_passport_expiry on travelers (account_id, passport_expiry) where passport_expiry is not null;
create index travelers_date_of_birth on travelers (account_id, date_of_birth) where date_of_birth is not null;
create index customers_birthday on customers (account_id, birthday) where birthday is not null;
