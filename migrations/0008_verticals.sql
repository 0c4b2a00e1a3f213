-- What the totals are in the company's currency, and by which rate each line was brought there.
alter table bookings
  add company_currency text,
  add company_sell numeric(19, 4), -- null where a rate is missing
  add company_cost numeric(19, 4),
  add company_margin numeric(19, 4),
  add company_vat numeric(19, 4);
alter table booking_lines
  drop constraint booking_lines_origin_check,
  add check (origin in ('given', 'room', 'extra', 'passenger', 'fee', 'derived')),
  add rate numeric(20, 10), -- of the company's currency for one unit of the line's; null where there is none
  add rate_day date,
  add rate_source text;

create table tickets (
  account_id             integer not null,
  id                     uuid not null,
  pnr                    text,
  gds_pnr                text,
  settlement_channel     text,
  fare_type              text, -- a term of fare_type
  miles_used             integer,
  reservation_giver_name text,
  issuing_system         text,
  legs                   jsonb,
  passengers             jsonb not null,
  itinerary_type         text, -- follows from the legs
  international          boolean, -- null where an airport is unknown
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
create index tickets_pnr on tickets (account_id, pnr) where pnr is not null;
call wall('tickets');

-- The document numbers that the sales of an account hold: one sale has a number, until it is cancelled.
create table ticket_numbers (
  account_id  integer not null,
  number      text not null, -- 3-digit airline code and 10 digits
  booking_id  uuid not null,
  passenger   smallint not null, -- position in the sale's passengers
  conjunction boolean not null,
  primary key (account_id, number),
  foreign key (account_id, booking_id) references bookings
);
create index ticket_numbers_booking on ticket_numbers (account_id, booking_id);
call wall('ticket_numbers');

create table transfers (
  account_id          integer not null,
  id                  uuid not null,
  transfer_type       text,
  service_level       text,
  pickup_at           timestamptz not null,
  pickup_location     text not null,
  dropoff_location    text not null,
  pickup_address      text,
  dropoff_address     text,
  dropoff_at          timestamptz,
  return_pickup_at    timestamptz,
  flight_number       text,
  flight_airport      text,
  vehicle_class       text,
  vehicle_count       integer,
  pax_count           integer,
  adult_count         integer,
  child_count         integer,
  infant_count        integer,
  luggage_count       integer,
  child_seat_count    integer,
  meet_and_greet      boolean,
  driver_name         text,
  driver_phone        text,
  plate_number        text,
  confirmation_number text,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
call wall('transfers');

create table cruises (
  account_id     integer not null,
  id             uuid not null,
  ship_name      text,
  embark_on      date,
  disembark_on   date,
  cabin_count    integer,
  guest_count    integer,
  cabin_category text,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
call wall('cruises');

create table car_rentals (
  account_id       integer not null,
  id               uuid not null,
  vehicle_class    text,
  pickup_location  text,
  dropoff_location text,
  pickup_at        timestamptz,
  return_at        timestamptz,
  pax_count        integer,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
call wall('car_rentals');

create table tour_bookings (
  account_id        integer not null,
  id                uuid not null,
  tour_departure_id uuid not null,
  title             text,
  adult_count       integer,
  child_count       integer,
  infant_count      integer,
  guest_count       integer not null,
  rooms             jsonb,
  extras            jsonb,
  booking_reference text,
  pickup_point      text,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings,
  foreign key (account_id, tour_departure_id) references tour_departures
);
create index tour_bookings_departure on tour_bookings (account_id, tour_departure_id);
call wall('tour_bookings');

create table charters (
  account_id      integer not null,
  id              uuid not null,
  charter_type    text,
  starts_on       date,
  ends_on         date,
  pax_count       integer,
  capacity        integer,
  contract_number text,
  deposit_amount  numeric(19, 4),
  deposit_due_on  date,
  legs            jsonb,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
call wall('charters');

create table visa_cases (
  account_id          integer not null,
  id                  uuid not null,
  destination_country text,
  visa_type           text,
  entry_type          text,
  travel_on           date,
  return_on           date,
  submitted_on        date,
  appointment_at      timestamptz,
  decided_on          date,
  visa_number         text,
  valid_from          date,
  valid_until         date,
  fee_amount          numeric(19, 4),
  service_fee_amount  numeric(19, 4),
  applicants          jsonb,
  documents           jsonb,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
call wall('visa_cases');

create table events (
  account_id            integer not null,
  id                    uuid not null,
  title                 text not null,
  event_type            text,
  starts_on             date,
  ends_on               date,
  venue_name            text,
  city                  text,
  country_code          text,
  estimated_guest_count integer,
  confirmed_guest_count integer,
  budget_amount         numeric(19, 4),
  vendors               jsonb,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
call wall('events');
