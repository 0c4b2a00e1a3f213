-- Two roles do all work: backdesk_app for requests, behind row-level security, and backdesk_system for work that
-- belongs to no account. The system has policies of its own instead of BYPASSRLS, which managed PostgreSQL does not
-- give away. Roles belong to the whole server, so a second cell on it finds them there.
do $$ begin
  if not exists (select from pg_roles where rolname = 'backdesk_app') then create role backdesk_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'backdesk_system') then create role backdesk_system nologin; end if;
exception when duplicate_object or unique_violation then null; -- another cell was quicker
end $$;
do $$ begin
  if not pg_has_role(current_user, 'backdesk_app', 'set') or not pg_has_role(current_user, 'backdesk_system', 'set') then
    execute format('grant backdesk_app, backdesk_system to %I with set true, inherit false', current_user);
  end if;
end $$;

-- Puts a table of an account behind the second wall of tenancy; the first is account_id in its keys.
create procedure wall(walled regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', walled);
  execute format('create policy account on %s to backdesk_app using (account_id = nullif(current_setting(''app.account'', true), '''')::integer)', walled);
  execute format('create policy system on %s to backdesk_system using (true)', walled);
  execute format('grant select, insert, update, delete on %s to backdesk_app, backdesk_system', walled);
end $$;

create table accounts (
  account_id           integer primary key check (account_id between 10000000 and 39999999),
  uuid                 uuid not null unique default uuidv7(),
  name                 text not null,
  time_zone            text not null,
  locale               text not null default 'en',
  plan                 text not null,
  status               text not null default 'active' check (status in ('active', 'closed')),
  owner_id             uuid,
  billing_status       text not null default 'active' check (billing_status in ('trialing', 'active', 'past_due', 'cancelled')),
  trial_ends_at        timestamptz,
  cancel_at_period_end boolean not null default false,
  created_at           timestamptz not null default now()
);
call wall('accounts');

create table companies (
  account_id   integer not null references accounts,
  id           uuid not null default uuidv7(),
  name         text not null,
  company_type text,
  is_default   boolean not null default false,
  active       boolean not null default true,
  tax_country  text not null check (tax_country ~ '^[A-Z]{2}$'),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  tax_number   text,
  tax_office   text,
  created_at   timestamptz not null default now(),
  primary key (account_id, id)
);
create unique index companies_default on companies (account_id) where is_default;
call wall('companies');

create table branches (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  company_id      uuid not null,
  name            text not null,
  code            text,
  is_headquarters boolean not null default false,
  active          boolean not null default true,
  office_ids      text[] not null default '{}', -- GDS offices
  iata_numbers    text[] not null default '{}',
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies
);
create index branches_company on branches (account_id, company_id);
create unique index branches_headquarters on branches (account_id) where is_headquarters;
call wall('branches');

create table roles (
  account_id integer not null references accounts,
  name       text not null,
  policies   text[] not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name)
);
call wall('roles');

create table seats (
  account_id         integer not null references accounts,
  id                 uuid not null default uuidv7(),
  name               text,
  email              text not null,
  email_key          text not null generated always as (lower(email)) stored,
  role               text not null, -- built in, or of the account
  locale             text not null default 'en',
  ai_response_locale text,
  verified           boolean not null default false,
  active             boolean not null default true,
  branch_id          uuid,
  agent_sines        text[] not null default '{}', -- GDS signs
  created_at         timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, email_key),
  foreign key (account_id, branch_id) references branches
);
create index seats_branch on seats (account_id, branch_id);
call wall('seats');
alter table accounts add foreign key (account_id, owner_id) references seats;

create table api_keys (
  account_id    integer not null references accounts,
  id            uuid not null default uuidv7(),
  name          text not null,
  token_hash    bytea not null unique, -- SHA-256; the one key that does not begin with the account, which it finds
  token_start   text not null, -- the four characters after the prefix, to recognise the key by
  token_end     text not null,
  scopes        text[] not null check (cardinality(scopes) > 0 and scopes <@ '{full,import,ticket_import}'),
  role          text,
  allowed_cidrs text[] not null default '{}',
  expires_at    timestamptz,
  revoked_at    timestamptz,
  created_by    text not null,
  last_used_at  timestamptz,
  last_used_ip  text,
  created_at    timestamptz not null default now(),
  primary key (account_id, id)
);
call wall('api_keys');

create table audit_log (
  account_id   integer not null references accounts,
  id           uuid not null default uuidv7(),
  actor        text not null,
  action       text not null, -- api_key.created, account.plan_changed …
  subject_type text not null,
  subject_id   text not null,
  details      jsonb not null default '{}', -- never a secret
  source       text not null, -- an address, or the command line and its user
  created_at   timestamptz not null default now(),
  primary key (account_id, id)
);
call wall('audit_log');

create table idempotency_keys (
  account_id  integer not null references accounts,
  key         text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  status      smallint not null,
  body        bytea not null, -- sealed
  created_at  timestamptz not null default now(),
  primary key (account_id, key)
);
alter table idempotency_keys alter body set storage external; -- ciphertext does not compress
create index idempotency_keys_age on idempotency_keys (created_at);
call wall('idempotency_keys');

-- Requests counted by several processes. Not logged: a crash of the server hands out the minute's budget once more.
create unlogged table rate_windows (
  account_id integer not null,
  ceiling    text not null,
  minute     bigint not null, -- since the epoch
  requests   integer not null,
  primary key (account_id, ceiling, minute)
);
call wall('rate_windows');

-- The feed's clock of an account. Whoever changes published records takes the next number and holds the row until
-- the commit, so numbers become visible in their order and a reader that has seen one has seen all before it.
create table change_counters (
  account_id integer primary key references accounts,
  last       bigint not null default 0
) with (fillfactor = 50);
call wall('change_counters');

-- The number of this transaction for an account: taken by the first call, the same for every later one.
create function change_number(account integer) returns bigint language plpgsql as $$
declare
  known text := current_setting('app.change', true);
  taken bigint;
begin
  if known is not null and split_part(known, ':', 1) = account::text then return split_part(known, ':', 2)::bigint; end if;
  insert into change_counters as c (account_id, last) values (account, 1)
    on conflict (account_id) do update set last = c.last + 1 returning last into taken;
  perform set_config('app.change', account || ':' || taken, true);
  return taken;
end $$;

-- On every table whose records the feed publishes, so that no writer can forget it.
create function stamp() returns trigger language plpgsql as $$
begin
  new.changed := change_number(new.account_id);
  if tg_op = 'UPDATE' then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $$;
