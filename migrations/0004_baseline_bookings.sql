-- Bookings: what all verticals have in common, their lines, and the own table of each vertical.

-- Departures of tours, with the seats that their bookings hold.
create table tour_departures (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  company_id      uuid not null,
  branch_id       uuid,
  source_system   text,
  external_id     text,
  title           text not null,
  starts_on       date,
  ends_on         date,
  currency        text,
  max_capacity    integer,
  seats_held      integer not null default 0, -- by the bookings that hold seats
  inventory_state text not null default 'open',
  supplier_id     uuid,
  notes           text,
  version         integer not null default 1,
  changed         bigint not null, -- see change_number()
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  deleted_at      timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, supplier_id) references suppliers
);
create index tour_departures_changed on tour_departures (account_id, changed, id);
create index tour_departures_starts_on on tour_departures (account_id, starts_on);
create index tour_departures_company on tour_departures (account_id, company_id);
create index tour_departures_branch on tour_departures (account_id, branch_id);
create index tour_departures_supplier on tour_departures (account_id, supplier_id) where supplier_id is not null;
create trigger stamp before insert or update on tour_departures for each row when (not comes_as_it_is()) execute function stamp();
call wall('tour_departures');

-- Bookings of all verticals. What only one vertical has is in its own table, under the same id.
create table bookings (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  entity           text not null, -- key of the import entity, which is the vertical
  company_id       uuid not null,
  branch_id        uuid,
  source_system    text,
  external_id      text,
  status           text not null default 'draft',
  customer_id      uuid,
  supplier_id      uuid,
  assigned_to_id   uuid,
  currency         text not null,
  rate_basis       text check (rate_basis in ('net', 'commissionable')),
  margin_mode      text check (margin_mode in ('percent', 'amount')),
  margin_value     numeric(19, 4),
  option_date      date,
  transaction_date date not null, -- exchange rates are those on or before this day
  invoice_date     date,
  balance_due_on   date,
  notes            text,
  travelers        jsonb, -- who travels, as the booking names them
  sell_total       numeric(19, 4), -- gross, in the booking's currency; null if a rate is missing
  cost_total       numeric(19, 4),
  margin_total     numeric(19, 4), -- net sell less net cost
  vat_total        numeric(19, 4), -- of the sell lines
  invoiced         boolean not null default false,
  version          integer not null default 1,
  changed          bigint not null, -- see change_number()
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  cancelled_at     timestamptz,
  deleted_at       timestamptz,
  -- The totals in the currency of the company.
  company_currency text,
  company_sell     numeric(19, 4), -- null if a rate is missing
  company_cost     numeric(19, 4),
  company_margin   numeric(19, 4),
  company_vat      numeric(19, 4),
  -- What reports ask of all bookings and only the vertical knows.
  travels_on       date, -- first day of travel
  destination      text, -- null: the supplier's place
  first_issued_on  date, -- when its documents were issued
  last_issued_on   date,
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, assigned_to_id) references seats
);
-- A row with the external id of a deleted booking makes a new one. Deleted bookings stay in the index, since the feed shows
-- them by their external id.
create unique index bookings_external_id on bookings (account_id, entity, source_system, external_id, deleted_at)
  nulls not distinct where external_id is not null;
create index bookings_changed on bookings (account_id, entity, changed, id);
create index bookings_options on bookings (account_id, option_date) where status = 'option' and deleted_at is null;
create index bookings_transaction_date on bookings (account_id, transaction_date);
create index bookings_travels_on on bookings (account_id, travels_on) where travels_on is not null;
-- Reports look up the documents of a period by their issue, and refunds by days of their own.
create index bookings_last_issued_on on bookings (account_id, last_issued_on) where last_issued_on is not null;
create index bookings_issued_apart on bookings (account_id, last_issued_on) where first_issued_on < last_issued_on;
create index bookings_customer on bookings (account_id, customer_id);
create index bookings_supplier on bookings (account_id, supplier_id);
create index bookings_company on bookings (account_id, company_id);
create index bookings_branch on bookings (account_id, branch_id);
create index bookings_assigned on bookings (account_id, assigned_to_id) where assigned_to_id is not null;
create trigger stamp before insert or update on bookings for each row when (not comes_as_it_is()) execute function stamp();
call wall('bookings');

-- What a booking is called where its customer must not be named: Hotel Stay H-9001.
create function booking_label(entity text, external_id text) returns text language sql immutable parallel safe
  return concat_ws(' ', initcap(replace(rtrim(entity, 's'), '_', ' ')), external_id);

-- What a booking sells to the customer and buys from suppliers, line by line.
create table booking_lines (
  account_id    integer not null,
  booking_id    uuid not null,
  side          text not null check (side in ('sell', 'cost')),
  position      smallint not null,
  origin        text not null check (origin in ('given', 'room', 'extra', 'passenger', 'fee', 'derived')), -- what the line was made from
  kind          text not null,
  label         text,
  amount        numeric(19, 4) not null, -- of one unit, as given
  quantity      integer not null,
  currency      text not null,
  vat_rate      numeric(7, 4), -- percent
  tax_inclusive boolean not null,
  net           numeric(19, 4) not null,
  vat           numeric(19, 4) not null,
  gross         numeric(19, 4) not null,
  rate          numeric(20, 10), -- units of the company's currency for one unit of the line's; null if there is none
  rate_day      date,
  rate_source   text,
  primary key (account_id, booking_id, side, position),
  foreign key (account_id, booking_id) references bookings
);
call wall('booking_lines');

-- Warnings sent before an option date. A booking whose option date moves is warned of again.
create table booking_option_warnings (
  account_id  integer not null,
  booking_id  uuid not null,
  option_date date not null,
  days_before integer not null,
  warned_at   timestamptz not null default now(),
  primary key (account_id, booking_id, option_date, days_before),
  foreign key (account_id, booking_id) references bookings
);
call wall('booking_option_warnings');

-- ## Verticals: the fields that only their bookings have

-- Hotel stays.
create table hotel_stays (
  account_id   integer not null,
  id           uuid not null,
  check_in_on  date not null,
  check_out_on date not null,
  guest_count  integer,
  rooms        jsonb,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings,
  check (check_out_on > check_in_on)
);
call wall('hotel_stays');

-- Air ticket sales: one booking may hold the tickets of several passengers.
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
  itinerary_type         text, -- derived from the legs
  international          boolean, -- null if an airport is unknown
  refunds                jsonb, -- what happened to its documents after their issue
  exchanges              jsonb,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
create index tickets_pnr on tickets (account_id, pnr) where pnr is not null;
create index tickets_refunds on tickets (account_id) where refunds is not null;
call wall('tickets');

-- Document numbers of ticket sales.
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

-- Transfers.
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

-- Cruises.
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

-- Car rentals.
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

-- Bookings of tour departures.
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

-- Charters.
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

-- Visa cases.
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

-- Events: meetings, congresses and celebrations that the agency organises.
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
