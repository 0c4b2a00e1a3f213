-- What a cell has before it has accounts: roles, tools for tables and texts, exchange rates, and jobs that run by the clock.
-- The files 0001_baseline_* to 0014_baseline_* replace the migrations 0001 to 0026 of former versions, area by area.

-- Two roles do all the work: backdesk_app for requests, behind row-level security, and backdesk_system for work that belongs
-- to no account. The system has policies of its own instead of BYPASSRLS, which managed PostgreSQL does not grant. Roles
-- belong to the whole server, so a second cell on the same server finds them there.
do $$ begin
  if not exists (select from pg_roles where rolname = 'backdesk_app') then create role backdesk_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'backdesk_system') then create role backdesk_system nologin; end if;
exception when duplicate_object or unique_violation then null; -- another cell created them at the same time
end $$;
do $$ begin
  if not pg_has_role(current_user, 'backdesk_app', 'set') or not pg_has_role(current_user, 'backdesk_system', 'set') then
    execute format('grant backdesk_app, backdesk_system to %I with set true, inherit false', current_user);
  end if;
end $$;

create extension if not exists unaccent;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A process checks that its migrations are applied before it reports that it is ready.
grant select on migrations to backdesk_system;

-- ## Tools for tables

-- Puts a table of an account behind the second wall of tenancy. The first is account_id in its keys.
create procedure wall(walled regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', walled);
  execute format('create policy account on %s to backdesk_app using (account_id = nullif(current_setting(''app.account'', true), '''')::integer)', walled);
  execute format('create policy system on %s to backdesk_system using (true)', walled);
  execute format('grant select, insert, update, delete on %s to backdesk_app, backdesk_system', walled);
end $$;

-- Whether rows are inserted unchanged from another cell. Every trigger on insert asks for it: rows of an account that moves
-- here keep their change numbers, scores and settlement dates.
create function comes_as_it_is() returns boolean language sql stable as $$
  select coalesce(current_setting('app.as_it_is', true), '') = 'on'
$$;

-- ## Tools for texts and amounts

-- Case- and accent-insensitive text to search in. The Turkish dotted and dotless i become one letter.
create function fold(text) returns text language sql immutable parallel safe
  return lower(translate(unaccent('unaccent', $1), 'İIı', 'iii'));

-- Escapes a text so that `like` matches it literally.
create function like_text(text) returns text language sql immutable parallel safe
  return replace(replace(replace($1, '\', '\\'), '%', '\%'), '_', '\_');

-- Digits of the minor unit, by ISO 4217. The table of the JavaScript runtime is wrong for 16 currencies.
create function currency_digits(currency text) returns integer language sql immutable parallel safe
  return case
    when currency in ('BIF','CLP','DJF','GNF','ISK','JPY','KMF','KRW','PYG','RWF','UGX','UYI','VND','VUV','XAF','XOF','XPF') then 0
    when currency in ('BHD','IQD','JOD','KWD','LYD','OMR','TND') then 3
    when currency in ('CLF','UYW') then 4
    else 2 end;

-- An amount as the API shows it: a decimal string with the digits of its currency, halves rounded away from zero.
create function money_text(amount numeric, currency text) returns text language sql immutable parallel safe
  return round(amount, currency_digits(currency))::text;

-- ## Exchange rates

-- Publishers of exchange rates. Rates are public facts, so they belong to the cell and to no account.
create table exchange_rate_sources (
  source text primary key check (source ~ '^[a-z0-9][a-z0-9_.-]{0,49}$' and source <> 'same'),
  base   text not null check (base ~ '^[A-Z]{3}$'), -- currency that all rates of the source are quoted in
  unique (source, base)
);

-- Published rates: on a day, currency_units of the currency are worth base_units of the base. Both are kept as published, so
-- inverting a rate loses nothing. The primary key serves the lookup of the latest rate on or before a day: one step
-- backwards in the index.
create table exchange_rates (
  source         text not null,
  base           text not null,
  currency       text not null check (currency ~ '^[A-Z]{3}$' and currency <> base),
  day            date not null,
  base_units     numeric(20,10) not null check (base_units > 0),
  currency_units numeric(20,10) not null check (currency_units > 0),
  loaded_at      timestamptz not null default now(),
  primary key (source, currency, day),
  foreign key (source, base) references exchange_rate_sources (source, base)
);

-- ## Scheduled jobs

-- Jobs of the cell that run by the clock, one row each. A process claims a job by a lease; the lease of a killed process
-- expires.
create table scheduled_runs (
  name             text primary key,
  due_at           timestamptz not null default now(),
  leased_until     timestamptz,
  last_finished_at timestamptz,
  last_error       text
);
insert into scheduled_runs (name) values ('option dates');

grant select on exchange_rate_sources, exchange_rates to backdesk_app;
grant select, insert, update, delete on exchange_rate_sources, exchange_rates, scheduled_runs to backdesk_system;
