-- Leads.

-- Enquiries that may become customers and trips.
create table leads (
  account_id           integer not null,
  id                   uuid not null default uuidv7(),
  company_id           uuid not null,
  branch_id            uuid,
  source_system        text,
  external_id          text,
  name                 text not null,
  email                text,
  email_key            text generated always as (lower(email)) stored,
  phone                text, -- E.164
  stage                text not null default 'inbox',
  stage_changed_at     timestamptz not null default now(),
  source               text, -- a term of lead_source
  estimated_value      numeric(19, 4),
  currency             text,
  party_size           integer,
  destinations         text[] not null default '{}',
  imported_customer_id uuid, -- the customer that the import names; the conversion decides which one it becomes
  customer_id          uuid, -- set by the conversion
  converted_at         timestamptz,
  notes                text,
  version              integer not null default 1,
  changed              bigint not null, -- see change_number()
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  deleted_at           timestamptz,
  message              text,
  target_departure_on  date,
  target_return_on     date check (target_return_on >= target_departure_on),
  flexible_dates       boolean not null default false,
  adult_count          integer,
  child_count          integer,
  occasion             text,
  trip_type            text,
  budget_per_person    numeric(19, 4),
  tags                 text[] not null default '{}',
  assigned_to_id       uuid,
  lost_reason          text,
  lost_notes           text,
  first_responded_at   timestamptz,
  trip_id              uuid, -- set by the conversion
  score                integer not null default 0 check (score between 0 and 100), -- see lead_score()
  -- What `q` searches. No name contains the separator, so no match spans two of the parts.
  search               text generated always as (fold(name || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))) stored,
  referral_code_id     uuid,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, imported_customer_id) references customers,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, assigned_to_id) references seats,
  foreign key (account_id, trip_id) references trips,
  foreign key (account_id, referral_code_id) references referral_codes
);
create index leads_changed on leads (account_id, changed, id);
create index leads_created on leads (account_id, created_at);
create index leads_search on leads using gin (account_id, search gin_trgm_ops) where deleted_at is null;
create index leads_assigned on leads (account_id, assigned_to_id, changed, id) where assigned_to_id is not null;
create index leads_customer on leads (account_id, customer_id) where customer_id is not null;
create index leads_imported_customer on leads (account_id, imported_customer_id) where imported_customer_id is not null;
create index leads_trip on leads (account_id, trip_id) where trip_id is not null;
create index leads_referral on leads (account_id, referral_code_id, converted_at) where referral_code_id is not null;
create index leads_company on leads (account_id, company_id);
create index leads_branch on leads (account_id, branch_id);
create trigger stamp before insert or update on leads for each row when (not comes_as_it_is()) execute function stamp();
call wall('leads');

-- Stages that a lead moved through. The first move has no from_stage; moves by imports have no actor.
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

-- How much attention a lead deserves on a day, from 0 to 100. Amounts count by their order of magnitude, so that currencies need
-- no rates: a currency fifty times weaker moves the score by about eight points at most.
create function lead_score(lead leads, today date) returns integer language sql immutable parallel safe
return (
  with known as (
    select
      coalesce(lead.party_size, coalesce(lead.adult_count, 0) + coalesce(lead.child_count, 0)) as party,
      lead.target_departure_on - today as days_left,
      extract(epoch from lead.first_responded_at - lead.created_at) / 3600 as hours_waited
  )
  select
    -- completeness, 20: how to reach them, where, when, for how much
    4 * (num_nonnulls(lead.email, lead.phone, lead.target_departure_on, coalesce(lead.estimated_value, lead.budget_per_person))
      + least(cardinality(lead.destinations), 1))
    -- value, 20: 4 for each power of ten from 100 to 1,000,000
    + 4 * coalesce(width_bucket(coalesce(lead.estimated_value, lead.budget_per_person * greatest(party, 1)),
      array[100, 1000, 10000, 100000, 1000000]::numeric[]), 0)
    -- party, 10: 2 for each person, up to five
    + 2 * least(party, 5)
    -- days to departure, 15: more for sooner, nothing for days in the past
    + case when days_left < 0 then 0 when days_left <= 30 then 15 when days_left <= 90 then 12 when days_left <= 180 then 8
      when days_left <= 365 then 4 else 0 end
    -- stage, 20
    + case lead.stage when 'inbox' then 4 when 'nurturing' then 8 when 'qualified' then 12 when 'lost' then 0 else 20 end
    -- time to the first response, 15
    + case when hours_waited <= 1 then 15 when hours_waited <= 4 then 12 when hours_waited <= 24 then 9
      when hours_waited <= 72 then 5 when hours_waited is null then 0 else 2 end
  from known
);

-- Sets the columns that follow from the others, whoever writes the lead: the API, an import or a conversion. Moving a lead out
-- of the inbox counts as its first response. It is scored on the account's day, not the server's.
create function follow_lead() returns trigger language plpgsql as $$
begin
  if new.stage <> 'lost' then
    new.lost_reason := null;
    new.lost_notes := null;
  end if;
  if tg_op = 'UPDATE' and old.stage = 'inbox' and new.stage <> 'inbox' then
    new.first_responded_at := coalesce(new.first_responded_at, now());
  end if;
  new.score := lead_score(new, (select (now() at time zone a.time_zone)::date from accounts a where a.account_id = new.account_id));
  return new;
end $$;
create trigger follow before insert or update on leads for each row when (not comes_as_it_is()) execute function follow_lead();
