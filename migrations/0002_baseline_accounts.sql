-- Accounts and who works in them: companies, branches, seats, roles and keys; what every request of an account uses; files.

-- Agencies. The first digit of the number is the region.
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
  created_at           timestamptz not null default now(),
  daily_messages       integer not null default 1000 check (daily_messages >= 0), -- messages it may send in a day
  mail_domains         text[] not null default '{}', -- domains that its mail may be sent from
  answer_address       text, -- where replies go to mail that names no other reply address
  former_secrets       bytea[] not null default '{}' -- secrets that signed its cursors and addresses in former cells, sealed
);
comment on index accounts_uuid_key is 'finds the account';
call wall('accounts');

-- Legal entities of an account: they have a currency, a tax number and series of document numbers of their own.
create table companies (
  account_id         integer not null references accounts,
  id                 uuid not null default uuidv7(),
  name               text not null,
  company_type       text,
  is_default         boolean not null default false,
  active             boolean not null default true,
  tax_country        text not null check (tax_country ~ '^[A-Z]{2}$'),
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  tax_number         text,
  tax_office         text,
  created_at         timestamptz not null default now(),
  payment_terms_days integer not null default 0 check (payment_terms_days between 0 and 365), -- from issue to due date
  primary key (account_id, id)
);
create unique index companies_default on companies (account_id) where is_default;
call wall('companies');

-- Offices of a company.
create table branches (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  company_id      uuid not null,
  name            text not null,
  code            text,
  is_headquarters boolean not null default false,
  active          boolean not null default true,
  office_ids      text[] not null default '{}', -- GDS office ids
  iata_numbers    text[] not null default '{}',
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies
);
create index branches_company on branches (account_id, company_id);
create unique index branches_headquarters on branches (account_id) where is_headquarters;
call wall('branches');

-- Roles that an account defines beside the built-in ones.
create table roles (
  account_id integer not null references accounts,
  name       text not null,
  policies   text[] not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name)
);
call wall('roles');

-- Users of an account.
create table seats (
  account_id         integer not null references accounts,
  id                 uuid not null default uuidv7(),
  name               text,
  email              text not null,
  email_key          text not null generated always as (lower(email)) stored,
  role               text not null, -- built in, or in the table roles
  locale             text not null default 'en',
  ai_response_locale text,
  verified           boolean not null default false,
  active             boolean not null default true,
  branch_id          uuid,
  agent_sines        text[] not null default '{}', -- GDS sign-in codes
  created_at         timestamptz not null default now(),
  mails_reminders    boolean not null default false, -- whether reminders of tasks are also sent by e-mail
  primary key (account_id, id),
  unique (account_id, email_key),
  foreign key (account_id, branch_id) references branches
);
create index seats_branch on seats (account_id, branch_id);
call wall('seats');
alter table accounts add foreign key (account_id, owner_id) references seats;

-- API keys. The key itself is not stored, only its hash.
create table api_keys (
  account_id    integer not null references accounts,
  id            uuid not null default uuidv7(),
  name          text not null,
  token_hash    bytea not null unique, -- SHA-256; unique across accounts, since it is what finds the account
  token_start   text not null, -- the four characters after the prefix, so that people recognise the key
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
comment on index api_keys_token_hash_key is 'finds the account';
call wall('api_keys');

-- Who did what: access, deletions, exports, and changes from the command line.
create table audit_log (
  account_id   integer not null references accounts,
  id           uuid not null default uuidv7(),
  actor        text not null,
  action       text not null, -- api_key.created, account.plan_changed …
  subject_type text not null,
  subject_id   text not null,
  details      jsonb not null default '{}', -- never a secret
  source       text not null, -- an IP address, or the command line with its user
  created_at   timestamptz not null default now(),
  primary key (account_id, id)
);
call wall('audit_log');

-- Entries that an account has added to its open lists. The entries that every account has are in the program.
create table terms (
  account_id integer not null references accounts,
  taxonomy   text not null, -- lead_source, fare_type
  key        text not null,
  label      text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, taxonomy, key)
);
call wall('terms');

-- ## What requests use

-- Responses kept to replay requests that have the same Idempotency-Key.
create table idempotency_keys (
  account_id  integer not null references accounts,
  key         text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  status      smallint not null,
  body        bytea storage external not null, -- sealed; ciphertext does not compress
  created_at  timestamptz not null default now(),
  location    text, -- Location header of an accepted batch, replayed with the response
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
comment on index idempotency_keys_age is 'the purge of idempotency keys asks for all accounts';
call wall('idempotency_keys');

-- Requests of a minute, counted by several processes. Not logged: after a crash of the server the minute starts anew.
create unlogged table rate_windows (
  account_id integer not null,
  ceiling    text not null,
  minute     bigint not null, -- minutes since 1970
  requests   integer not null,
  primary key (account_id, ceiling, minute)
);
call wall('rate_windows');

-- The feed's clock of an account. A transaction that changes published records takes the next number and locks the row until
-- it commits. So numbers become visible in order, and a reader that has seen one has seen all before it.
create table change_counters (
  account_id integer primary key references accounts,
  last       bigint not null default 0
) with (fillfactor = 50);
call wall('change_counters');

-- The change number of this transaction: taken by the first call, returned again by every later one.
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

-- Trigger on every table that the feed publishes, so that no writer can forget the change number.
create function stamp() returns trigger language plpgsql as $$
begin
  new.changed := change_number(new.account_id);
  if tg_op = 'UPDATE' then
    new.version := old.version + 1;
    new.updated_at := now();
  end if;
  return new;
end $$;

-- Accounts that move to another cell, or have moved. From the row on their keys are refused and no queue claims their work;
-- once closed is set, no transaction of theirs begins. Their rows stay until the operator knows that they have arrived. It is
-- a table of the system, since every transaction reads it before it has an account.
create table moved_accounts (
  number   integer primary key references accounts,
  begun_at timestamptz not null default now(),
  closed   boolean not null default false
);
grant select on moved_accounts to backdesk_app;
grant select, insert, update, delete on moved_accounts to backdesk_system;

-- Fails the statement that begins a transaction of a moved account.
create function refuse_moved() returns text language plpgsql as $$
begin
  raise exception 'The account has moved to another cell' using errcode = 'BD001';
end $$;

-- ## Files

-- Uploaded files. The row is written before the bytes and deleted after them, so no bytes are stored without a row.
create table files (
  account_id   integer not null references accounts,
  id           uuid not null default uuidv7(),
  filename     text not null check (length(filename) between 1 and 255),
  content_type text not null, -- detected from the bytes
  byte_size    integer not null check (byte_size > 0),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz default now() + interval '24 hours', -- null once a record uses the file
  primary key (account_id, id)
);
create index files_expired on files (expires_at) where expires_at is not null;
comment on index files_expired is 'the sweep of expired files asks for all accounts';
call wall('files');
