create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table customers
  add first_name text,
  add last_name text,
  add tax_office_code text,
  add birthday date,
  add anniversary date,
  add preferred_channel text check (preferred_channel in ('email', 'phone', 'sms', 'whatsapp')),
  add opted_in_marketing boolean not null default false,
  add opted_in_at timestamptz,
  add lifecycle_stage text check (lifecycle_stage in ('prospect', 'active', 'repeat', 'dormant', 'lost')),
  add vip_tier text check (vip_tier in ('silver', 'gold', 'platinum', 'diamond')),
  add locale text,
  add tags text[] not null default '{}',
  add merged_into_id uuid,
  add foreign key (account_id, merged_into_id) references customers,
  -- What `q` looks through: the separator is in no name, so nothing is found across two of them.
  add search text generated always as (fold(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))) stored;
create index customers_newest on customers (account_id, created_at, id) where deleted_at is null;
create index customers_vip_tier on customers (account_id, vip_tier, created_at, id) where vip_tier is not null and deleted_at is null;
create index customers_lifecycle_stage on customers (account_id, lifecycle_stage, created_at, id) where lifecycle_stage is not null and deleted_at is null;
create index customers_search on customers using gin (account_id, search gin_trgm_ops) where deleted_at is null;
create index customers_merged on customers (account_id, merged_into_id) where merged_into_id is not null;
create index customers_phone on customers (account_id, phone) where phone is not null;
create index customers_tax_number on customers (account_id, tax_number) where tax_number is not null;

-- A customer with one of these tags shows who it is only to those who may know.
create table restricted_tags (
  account_id integer not null references accounts,
  name       text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name)
);
call wall('restricted_tags');

alter table customer_notes
  add pinned boolean not null default false,
  add author_id uuid,
  add foreign key (account_id, author_id) references seats;
create index customer_notes_author on customer_notes (account_id, author_id) where author_id is not null;

-- Text as a pattern of `like` that matches itself.
create function like_text(text) returns text language sql immutable parallel safe
  return replace(replace(replace($1, '\', '\\'), '%', '\%'), '_', '\_');

-- A posted document's words and figures never change; whose it is follows its customer into another by a merge.
create or replace function stay_as_posted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'customer_id' = to_jsonb(old) - 'customer_id' then return new; end if;
  raise exception 'A posted document never changes' using errcode = 'integrity_constraint_violation';
end $$;

-- The customers of the account that match a pattern. `like` may leak what it compares, so behind row-level security no
-- index serves it. This looks for the account's ids as the system, by the wall's own condition; who asks reads the
-- customers themselves, behind the wall.
grant create on schema public to backdesk_system;
create function customers_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from customers
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and search like pattern $$;
alter function customers_like owner to backdesk_system;
revoke create on schema public from backdesk_system;
revoke all on function customers_like from public;
grant execute on function customers_like to backdesk_app;
