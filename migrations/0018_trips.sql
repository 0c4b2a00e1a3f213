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
  internal_notes      text,        -- never shown to a traveller
  position            integer not null,
  start_time          timestamp,   -- on the clock of the place, of a flight that of each airport
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
  booking_id          uuid,        -- the booking that it was derived from
  piece               text,        -- and which of the booking's services it is
  derived             jsonb,       -- its words as they were derived: those that somebody has changed since stay
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
create index trip_days_position on trip_days (account_id, trip_id, position);

-- Which trip a booking is part of: the job files it, or somebody did.
create table trip_bookings (
  account_id integer not null,
  booking_id uuid not null,
  trip_id    uuid, -- null where somebody took it out of its trip: then the job leaves it alone
  created_at timestamptz not null default now(),
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings,
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_bookings_trip on trip_bookings (account_id, trip_id);
call wall('trip_bookings');

-- Up to which change number an account's bookings were filed. The table is the queue: what lags behind is due.
create table trip_filings (
  account_id   integer primary key references accounts,
  changed      bigint not null default 0,
  booking_id   uuid not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff', -- the last one of that number that was filed
  leased_by    uuid,
  leased_until timestamptz
);
call wall('trip_filings');
set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
insert into trip_filings (account_id, changed) select account_id, last from change_counters;
reset role;

-- Trips that came to be, or whose dates or customers changed: their customers' bookings are looked at again.
create table trip_refilings (
  account_id integer not null,
  trip_id    uuid not null,
  id         uuid not null default uuidv7(),
  booking_id uuid not null default '00000000-0000-0000-0000-000000000000', -- the last one that was looked at
  primary key (account_id, trip_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
call wall('trip_refilings');

-- Bookings that fit into no trip, or into several, and as what they were told of.
create table unfiled_bookings (
  account_id  integer not null,
  booking_id  uuid not null,
  customer_id uuid not null,
  first_day   date not null,
  last_day    date not null,
  trips       integer not null, -- into which it fits
  told_at     timestamptz,
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings
);
create index unfiled_bookings_untold on unfiled_bookings (account_id) where told_at is null;
call wall('unfiled_bookings');

-- Addresses under which those who have one see a trip without a key.
create table share_links (
  account_id         integer not null,
  id                 uuid not null default uuidv7(),
  trip_id            uuid not null,
  label              text,
  audience           text not null check (audience in ('traveler', 'companion', 'supplier')),
  supplier_id        uuid,
  token_hash         bytea not null unique, -- SHA-256
  token_hint         text not null,
  show_prices        boolean not null,
  show_travelers     boolean not null,
  password_hash      text,                  -- scrypt
  failed_attempts    integer not null default 0, -- wrong passwords since the last right one
  blocked_until      timestamptz,
  expires_at         timestamptz,
  revoked_at         timestamptz,
  view_count         integer not null default 0,
  last_viewed_at     timestamptz,
  created_by_id      uuid,
  created_at         timestamptz not null default now(),
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

-- What is to be said of a trip, and when. Each row is said once.
create table trip_notifications (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  trip_id          uuid not null,
  kind             text not null check (kind in ('payment_due', 'documents_due', 'passport_check', 'online_check_in', 'pre_departure', 'bon_voyage', 'welcome_home', 'survey')),
  channel          text not null,
  audience         text not null check (audience in ('traveler', 'advisor')),
  anchor           text not null check (anchor in ('start_date', 'end_date', 'balance_due_on')),
  offset_days      integer not null,
  send_at          timestamptz not null,
  status           text not null default 'scheduled' check (status in ('scheduled', 'sent', 'skipped', 'failed', 'cancelled')),
  skipped_reason   text,
  communication_id uuid,
  sent_at          timestamptz,
  leased_by        uuid,
  next_attempt_at  timestamptz not null, -- send_at, or the end of a lease
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, trip_id, kind, audience),
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_notifications_due on trip_notifications (next_attempt_at)
  where status = 'scheduled' and kind not in ('welcome_home', 'survey'); -- another job sends these two
comment on index trip_notifications_due is 'the queue of trip notifications asks for all accounts';
call wall('trip_notifications');

-- Where a day is, as far as the job could tell; whoever changes one of the columns by hand keeps what he wrote.
alter table trip_days add found_place jsonb;

-- What a day should be known by: the weather, the money, the country.
create table trip_day_facts (
  account_id      integer not null,
  trip_day_id     uuid not null,
  kind            text not null check (kind in ('weather', 'currency', 'general')),
  data            jsonb,
  provider        text,
  about           text,     -- what the data answers: a place and a day, a country …
  failures        integer not null default 0, -- since the last answer
  updated_at      timestamptz,
  next_attempt_at timestamptz not null default now(), -- while one runs, the end of its lease
  primary key (account_id, trip_day_id, kind),
  foreign key (account_id, trip_day_id) references trip_days on delete cascade
);
create index trip_day_facts_due on trip_day_facts (kind, next_attempt_at);
comment on index trip_day_facts_due is 'the queue of day facts asks for all accounts';
call wall('trip_day_facts');
set local role backdesk_system;
insert into trip_day_facts (account_id, trip_day_id, kind)
select d.account_id, d.id, kind from trip_days d cross join unnest('{weather,currency,general}'::text[]) kind;
reset role;

-- `q` looks through titles and numbers; lists begin with the earliest start, and what has none comes last.
alter table trips
  add search text generated always as (fold(title || E'\n' || reference_number)) stored,
  add starts date generated always as (coalesce(start_date, 'infinity')) stored; -- a plain column, which the wall lets an index compare
create index trips_search on trips using gin (account_id, search gin_trgm_ops);
create index trips_starts on trips (account_id, starts, id);

-- The trips of the account that match a pattern, as `customers_like` does it and for its reasons.
grant create on schema public to backdesk_system;
create function trips_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from trips where account_id = nullif(current_setting('app.account', true), '')::integer and search like pattern $$;
alter function trips_like owner to backdesk_system;
revoke create on schema public from backdesk_system;
revoke all on function trips_like from public;
grant execute on function trips_like to backdesk_app;
