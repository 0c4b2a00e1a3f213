-- A customer's journey, day by day.
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
  primary key (account_id, id),
  unique (account_id, reference_number),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, assigned_advisor_id) references seats
);
create index trips_company on trips (account_id, company_id);
create index trips_branch on trips (account_id, branch_id);
create index trips_advisor on trips (account_id, assigned_advisor_id) where assigned_advisor_id is not null;
call wall('trips');

-- The last number of each year. A row, not a sequence: what is taken back leaves no gap.
create table trip_counters (
  account_id integer not null references accounts,
  year       integer not null,
  last       integer not null,
  primary key (account_id, year)
);
call wall('trip_counters');

-- Days are addressed by their number, from 1.
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
  primary key (account_id, id),
  unique (account_id, trip_id, day_number) deferrable,
  foreign key (account_id, trip_id) references trips on delete cascade
);
call wall('trip_days');

-- Who buys a trip; one of them is the primary customer.
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

-- Who goes on it: a customer, somebody of a traveller directory, or a name alone.
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

alter table leads
  add message text,
  add target_departure_on date,
  add target_return_on date check (target_return_on >= target_departure_on),
  add flexible_dates boolean not null default false,
  add adult_count integer,
  add child_count integer,
  add occasion text,
  add trip_type text,
  add budget_per_person numeric(19, 4),
  add tags text[] not null default '{}',
  add assigned_to_id uuid,
  add lost_reason text,
  add lost_notes text,
  add first_responded_at timestamptz,
  add trip_id uuid, -- set by the conversion
  add score integer not null default 0 check (score between 0 and 100),
  -- What `q` looks through: the separator is in no name, so nothing is found across two of them.
  add search text generated always as (fold(name || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))) stored,
  add foreign key (account_id, assigned_to_id) references seats,
  add foreign key (account_id, trip_id) references trips;
create index leads_search on leads using gin (account_id, search gin_trgm_ops) where deleted_at is null;
create index leads_assigned on leads (account_id, assigned_to_id, changed, id) where assigned_to_id is not null;
create index leads_trip on leads (account_id, trip_id) where trip_id is not null;

-- Where a lead has been; the first one leads from nowhere. Imports have no actor.
create table lead_moves (
  account_id integer not null,
  id         uuid not null default uuidv7(),
  lead_id    uuid not null,
  from_stage text,
  to_stage   text not null,
  actor_id   uuid,
  reason     text,
  notes      text,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, lead_id) references leads,
  foreign key (account_id, actor_id) references seats
);
create index lead_moves_lead on lead_moves (account_id, lead_id, id);
create index lead_moves_actor on lead_moves (account_id, actor_id) where actor_id is not null;
call wall('lead_moves');

-- How much a lead deserves attention on that day, from 0 to 100. Of an amount its order of magnitude counts, so that
-- currencies need no rates: one that is fifty times weaker moves the score by some eight points at most.
create function lead_score(lead leads, today date) returns integer language sql immutable parallel safe
return (
  with known as (
    select
      coalesce(lead.party_size, coalesce(lead.adult_count, 0) + coalesce(lead.child_count, 0)) as party,
      lead.target_departure_on - today as days_left,
      extract(epoch from lead.first_responded_at - lead.created_at) / 3600 as hours_waited
  )
  select
    -- completeness, 20: how to reach them, where to, when, for how much
    4 * (num_nonnulls(lead.email, lead.phone, lead.target_departure_on, coalesce(lead.estimated_value, lead.budget_per_person))
      + least(cardinality(lead.destinations), 1))
    -- value, 20: 4 for each power of ten from 100 to 1,000,000
    + 4 * coalesce(width_bucket(coalesce(lead.estimated_value, lead.budget_per_person * greatest(party, 1)),
      array[100, 1000, 10000, 100000, 1000000]::numeric[]), 0)
    -- party, 10: 2 a head, up to five
    + 2 * least(party, 5)
    -- days to departure, 15: the sooner the more; nothing for days gone by
    + case when days_left < 0 then 0 when days_left <= 30 then 15 when days_left <= 90 then 12 when days_left <= 180 then 8
      when days_left <= 365 then 4 else 0 end
    -- stage, 20
    + case lead.stage when 'inbox' then 4 when 'nurturing' then 8 when 'qualified' then 12 when 'lost' then 0 else 20 end
    -- time to the first response, 15
    + case when hours_waited <= 1 then 15 when hours_waited <= 4 then 12 when hours_waited <= 24 then 9
      when hours_waited <= 72 then 5 when hours_waited is null then 0 else 2 end
  from known
);

-- What follows from the rest of a lead, whoever writes it: the API, an import or a conversion. Who moves it out of the
-- inbox has answered it.
create function follow_lead() returns trigger language plpgsql as $$
begin
  if new.stage <> 'lost' then
    new.lost_reason := null;
    new.lost_notes := null;
  end if;
  if tg_op = 'UPDATE' and old.stage = 'inbox' and new.stage <> 'inbox' then
    new.first_responded_at := coalesce(new.first_responded_at, now());
  end if;
  new.score := lead_score(new, current_date);
  return new;
end $$;
create trigger follow before insert or update on leads for each row execute function follow_lead();
