-- Exchange rates are public facts, so they belong to the cell and to no account.

-- Who publishes rates, and the currency that all of them are quoted in.
create table exchange_rate_sources (
  source text primary key check (source ~ '^[a-z0-9][a-z0-9_.-]{0,49}$' and source <> 'same'),
  base   text not null check (base ~ '^[A-Z]{3}$'),
  unique (source, base)
);

-- On that day, by that source, currency_units of the currency are worth base_units of the base. Both are kept as they
-- were published, so nothing is lost by turning a rate round. The primary key serves the look-up: the latest day of a
-- source and currency on or before a day is one step backwards in it.
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

-- Work of the cell that comes due by the clock. Whoever holds the lease does it; the lease of a process that was killed
-- runs out.
create table scheduled_runs (
  name             text primary key,
  due_at           timestamptz not null default now(),
  leased_until     timestamptz,
  last_finished_at timestamptz,
  last_error       text
);

grant select on exchange_rate_sources, exchange_rates to backdesk_app;
grant select, insert, update, delete on exchange_rate_sources, exchange_rates, scheduled_runs to backdesk_system;
