-- Trips: days, segments and people; the bookings filed into them; share links; facts of days. The notifications of trips are in
-- 0009_baseline_messages.sql, since each leads to a message.

-- Journeys of customers, day by day.
create table trips (
  account_id               integer not null references accounts,
  id                       uuid not null default uuidv7(),
  company_id               uuid not null,
  branch_id                uuid,
  reference_number         text not null,
  title                    text not null,
  summary                  text,
  internal_notes           text,
  status                   text not null check (status in ('draft', 'planning', 'proposed', 'on_hold', 'confirmed', 'in_progress', 'completed', 'cancelled')),
  trip_type                text check (trip_type in ('leisure', 'honeymoon', 'family', 'group', 'corporate', 'mice', 'cruise', 'pilgrimage', 'education')),
  start_date               date,
  end_date                 date check (end_date >= start_date),
  destinations             text[] not null default '{}',
  primary_currency         text,
  cover_image_url          text,
  assigned_advisor_id      uuid,
  settings                 jsonb not null, -- show_prices, language
  notification_preferences jsonb not null default '{}',
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  search                   text generated always as (fold(title || E'\n' || reference_number)) stored, -- what `q` searches
  starts                   date generated always as (coalesce(start_date, 'infinity')) stored, -- lists order by it, trips without a date last; a plain column, so that the wall allows an index
  primary key (account_id, id),
  unique (account_id, reference_number),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, assigned_advisor_id) references seats
);
create index trips_starts on trips (account_id, starts, id);
create index trips_ended on trips (account_id, end_date) where end_date is not null;
create index trips_search on trips using gin (account_id, search gin_trgm_ops);
create index trips_company on trips (account_id, company_id);
create index trips_branch on trips (account_id, branch_id);
create index trips_advisor on trips (account_id, assigned_advisor_id) where assigned_advisor_id is not null;
call wall('trips');

-- The trips of the account that match a pattern. See customers_like().
grant create on schema public to backdesk_system;
create function trips_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from trips where account_id = nullif(current_setting('app.account', true), '')::integer and search like pattern $$;
alter function trips_like owner to backdesk_system;
revoke create on schema public from backdesk_system;
revoke all on function trips_like from public;
grant execute on function trips_like to backdesk_app;

-- The last reference number of each year. A row instead of a sequence, so that a rollback leaves no gap.
create table trip_counters (
  account_id integer not null references accounts,
  year       integer not null,
  last       integer not null,
  primary key (account_id, year)
);
call wall('trip_counters');

-- Days of a trip. The API addresses them by their number, from 1.
create table trip_days (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  trip_id          uuid not null,
  day_number       integer not null check (day_number > 0),
  position         integer not null,
  date             date,
  title            text,
  description      text,
  primary_location text,
  latitude         numeric(9, 6),
  longitude        numeric(9, 6),
  timezone         text,
  cover_image_url  text,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  found_place      jsonb, -- where the day is, as the job found it; columns changed by hand keep what was written
  primary key (account_id, id),
  unique (account_id, trip_id, day_number) deferrable,
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_days_position on trip_days (account_id, trip_id, position);
call wall('trip_days');

-- Customers who buy a trip. One of them is the primary customer.
create table trip_customers (
  account_id  integer not null,
  trip_id     uuid not null,
  customer_id uuid not null,
  is_primary  boolean not null default false,
  primary key (account_id, trip_id, customer_id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, customer_id) references customers
);
create unique index trip_customers_primary on trip_customers (account_id, trip_id) where is_primary;
create index trip_customers_customer on trip_customers (account_id, customer_id);
call wall('trip_customers');

-- Who travels: a customer, an entry of a traveller directory, or only a name.
create table trip_travelers (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  trip_id     uuid not null,
  customer_id uuid,
  traveler_id uuid,
  name        text,
  is_lead     boolean not null default false,
  position    integer not null,
  primary key (account_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, traveler_id) references travelers,
  check (num_nonnulls(customer_id, traveler_id, name) > 0)
);
create index trip_travelers_trip on trip_travelers (account_id, trip_id);
create index trip_travelers_customer on trip_travelers (account_id, customer_id) where customer_id is not null;
create index trip_travelers_traveler on trip_travelers (account_id, traveler_id) where traveler_id is not null;
call wall('trip_travelers');

-- What happens on a day of a trip.
create table trip_segments (
  account_id          integer not null,
  id                  uuid not null default uuidv7(),
  trip_id             uuid not null,
  trip_day_id         uuid not null,
  segment_type        text not null check (segment_type in ('flight', 'lodging', 'transfer', 'car_rental', 'rail', 'bus', 'ferry', 'cruise', 'tour', 'activity', 'dining', 'insurance', 'visa', 'event', 'meeting_point', 'free_time', 'note')),
  status              text not null default 'draft' check (status in ('draft', 'proposed', 'option', 'confirmed', 'ticketed', 'cancelled')),
  title               text,
  description         text,
  internal_notes      text, -- never shown to a traveller
  position            integer not null,
  start_time          timestamp, -- local time at the place; of a flight, at each airport
  end_time            timestamp,
  duration_minutes    integer check (duration_minutes >= 0),
  location_name       text,
  location_address    text,
  is_optional         boolean not null default false,
  is_highlighted      boolean not null default false,
  is_client_visible   boolean not null default true,
  cover_image_url     text,
  flight_number       text,
  airline_code        text,
  departure_airport   text,
  arrival_airport     text,
  price_amount        numeric(19, 4), -- what the traveller is billed
  currency            text,
  cost_amount         numeric(19, 4),
  cost_currency       text,
  commission_amount   numeric(19, 4),
  commission_rate     numeric(9, 4),
  supplier_id         uuid,
  confirmation_number text,
  booking_id          uuid, -- the booking that it was derived from
  piece               text, -- which of the booking's services it is
  derived             jsonb, -- its texts as derived; filing keeps those that somebody has changed since
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, booking_id, piece),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, trip_day_id) references trip_days,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, booking_id) references bookings,
  check ((booking_id is null) = (piece is null))
);
create index trip_segments_day on trip_segments (account_id, trip_day_id, position);
create index trip_segments_trip on trip_segments (account_id, trip_id);
create index trip_segments_supplier on trip_segments (account_id, supplier_id) where supplier_id is not null;
call wall('trip_segments');

-- ## Bookings filed into trips

-- The trip that a booking belongs to, filed by the job or by hand.
create table trip_bookings (
  account_id integer not null,
  booking_id uuid not null,
  trip_id    uuid, -- null if somebody took it out of its trip; the job then leaves it alone
  created_at timestamptz not null default now(),
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings,
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_bookings_trip on trip_bookings (account_id, trip_id);
call wall('trip_bookings');

-- The change number up to which an account's bookings are filed. The table is a queue: accounts that lag behind are due.
create table trip_filings (
  account_id   integer primary key references accounts,
  changed      bigint not null default 0,
  booking_id   uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff', -- last booking with that number that was filed
  leased_by    uuid,
  leased_until timestamptz
);
call wall('trip_filings');

-- Trips that are new, or whose dates or customers changed: the bookings of their customers are filed again.
create table trip_refilings (
  account_id integer not null,
  trip_id    uuid not null,
  id         uuid not null default uuidv7(),
  booking_id uuid not null default '00000000-0000-0000-0000-000000000000', -- last booking that was looked at
  primary key (account_id, trip_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
call wall('trip_refilings');

-- Bookings that fit no trip, or several, and when somebody was notified of them.
create table unfiled_bookings (
  account_id  integer not null,
  booking_id  uuid not null,
  customer_id uuid not null,
  first_day   date not null,
  last_day    date not null,
  trips       integer not null, -- number of trips that it fits
  told_at     timestamptz,
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings
);
create index unfiled_bookings_untold on unfiled_bookings (account_id) where told_at is null;
call wall('unfiled_bookings');

-- ## Facts of days

-- Facts about a day that others provide: weather, currency, country. A queue for each kind.
create table trip_day_facts (
  account_id      integer not null,
  trip_day_id     uuid not null,
  kind            text not null check (kind in ('weather', 'currency', 'general')),
  data            jsonb,
  provider        text,
  about           text, -- what the data depends on: a place and a day, a country …
  failures        integer not null default 0, -- since the last success
  updated_at      timestamptz,
  next_attempt_at timestamptz not null default now(), -- during an attempt, the end of its lease
  primary key (account_id, trip_day_id, kind),
  foreign key (account_id, trip_day_id) references trip_days on delete cascade
);
create index trip_day_facts_due on trip_day_facts (kind, next_attempt_at);
comment on index trip_day_facts_due is 'the queue of day facts asks for all accounts';
call wall('trip_day_facts');

-- ## Shared trips

-- Links under which a trip can be read without a key.
create table share_links (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  trip_id         uuid not null,
  label           text,
  audience        text not null check (audience in ('traveler', 'companion', 'supplier')),
  supplier_id     uuid,
  token_hash      bytea not null unique, -- SHA-256
  token_hint      text not null,
  show_prices     boolean not null,
  show_travelers  boolean not null,
  password_hash   text, -- scrypt
  failed_attempts integer not null default 0, -- wrong passwords since the last right one
  blocked_until   timestamptz,
  expires_at      timestamptz,
  revoked_at      timestamptz,
  view_count      integer not null default 0,
  last_viewed_at  timestamptz,
  created_by_id   uuid,
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, created_by_id) references seats,
  check ((audience = 'supplier') = (supplier_id is not null))
);
create index share_links_trip on share_links (account_id, trip_id, created_at);
create index share_links_supplier on share_links (account_id, supplier_id) where supplier_id is not null;
comment on index share_links_token_hash_key is 'finds the account';
call wall('share_links');
