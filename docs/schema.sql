-- The tables, views and functions of the database, by the feature that owns them, for reading. `npm run generate`
-- writes this file from a migrated database; what makes the tables are the files in migrations/.

-- `call wall('t')` stands for:
--   alter table t enable row level security, force row level security;
--   create policy account on t to backdesk_app using (account_id = nullif(current_setting('app.account', true), '')::integer);
--   create policy system on t to backdesk_system using (true);
--   grant delete, insert, select, update on t to backdesk_app, backdesk_system;

-- # platform

-- Migrations that are applied, by the names of their files; also those that the baseline replaced, for programs of
-- former versions.
create table migrations (
  name       text        not null,
  applied_at timestamptz not null default now(),
  primary key (name)
);
grant select on migrations to backdesk_system;

-- Jobs of the cell that run by the clock, one row each. A process claims a job by a lease; the lease of a killed
-- process expires.
create table scheduled_runs (
  name             text        not null,
  due_at           timestamptz not null default now(),
  leased_until     timestamptz,
  last_finished_at timestamptz,
  last_error       text,
  primary key (name)
);
grant delete, insert, select, update on scheduled_runs to backdesk_system;

-- Who did what: access, deletions, exports, and changes from the command line. Without foreign keys: the log outlives
-- what it names.
create table audit_log (
  account_id   integer     not null,
  id           uuid        not null default uuidv7(),
  actor        text        not null default (transaction_operator() ->> 'name'),
  action       text        not null, -- api_key.created, account.plan_changed …
  subject_type text        not null,
  subject_id   text        not null,
  details      jsonb       not null default '{}', -- never a secret
  source       text        not null default (transaction_operator() ->> 'source'), -- an IP address, or the command line with its user
  created_at   timestamptz not null default now(),
  key_id       uuid        default (transaction_operator() ->> 'key')::uuid, -- API key of the operator
  seat_id      uuid        default (transaction_operator() ->> 'seat')::uuid, -- seat of the operator
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create index audit_log_subject on audit_log (account_id, subject_id, id);
create trigger queue_entries after insert on audit_log referencing new table as added for each statement when (not comes_as_it_is()) execute function queue_audit_entries();
alter table audit_log enable row level security, force row level security;
create policy account on audit_log to backdesk_app using (account_id = nullif(current_setting('app.account', true), '')::integer);
create policy retention on audit_log to backdesk using (current_setting('app.audit_retention', true) = 'on');
create policy system on audit_log to backdesk_system using (true);
grant insert, select on audit_log to backdesk_app, backdesk_system;

-- Responses kept to replay requests that have the same Idempotency-Key.
create table idempotency_keys (
  account_id  integer     not null,
  key         text        not null check (length(key) between 1 and 255),
  fingerprint bytea       not null,
  status      smallint    not null,
  body        bytea       storage external not null, -- sealed; ciphertext does not compress
  created_at  timestamptz not null default now(),
  location    text, -- Location header of an accepted batch, replayed with the response
  version     integer, -- of the record in the response, if people edit it
  primary key (account_id, key),
  foreign key (account_id) references accounts
);
create index idempotency_keys_age on idempotency_keys (created_at); -- the purge of idempotency keys asks for all accounts
call wall('idempotency_keys');

-- Requests of a minute, counted by several processes. Not logged: after a crash of the server the minute starts anew.
create unlogged table rate_windows (
  account_id integer not null,
  ceiling    text    not null,
  minute     bigint  not null, -- minutes since 1970
  requests   integer not null,
  primary key (account_id, ceiling, minute)
);
call wall('rate_windows');

-- The feed's clock of an account. A transaction that changes published records takes the next number and locks the row
-- until it commits. So numbers become visible in order, and a reader that has seen one has seen all before it.
create table change_counters (
  account_id integer not null,
  last       bigint  not null default 0,
  primary key (account_id),
  foreign key (account_id) references accounts
) with (fillfactor = 50);
call wall('change_counters');

-- The key that all others of the cell are derived from, wrapped by SECRET. In cells older than this table it is the
-- first SECRET.
create table cell_keys (
  name       text        not null check (name = 'root'),
  wrapped    bytea       not null,
  wrapped_by text        not null, -- fingerprint of the SECRET that wraps this key and the keys of accounts
  -- identity numbers are sealed from then on. A day after an upgrade, because the previous version cannot open them
  seals_from timestamptz not null,
  primary key (name)
);
grant insert, select, update on cell_keys to backdesk_system;

-- Random keys of an account, wrapped by SECRET. It signs cursors and links with one, and seals identity numbers with
-- the other.
create table account_keys (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  use        text        not null check (use in ('signing', 'sealing')),
  wrapped    bytea       not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz, -- replaced, because it may be known to others
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create unique index account_keys_current on account_keys (account_id, use) where retired_at is null;
call wall('account_keys');

-- Puts a table of an account behind the second wall of tenancy. The first is account_id in its keys.
create procedure wall(walled regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security, force row level security', walled);
  execute format('create policy account on %s to backdesk_app using (account_id = nullif(current_setting(''app.account'', true), '''')::integer)', walled);
  execute format('create policy system on %s to backdesk_system using (true)', walled);
  execute format('grant select, insert, update, delete on %s to backdesk_app, backdesk_system', walled);
end $$;

-- Whether rows are inserted unchanged from another cell. Every trigger on insert asks for it: rows of an account that
-- moves here keep their change numbers, scores and settlement dates.
create function comes_as_it_is() returns boolean language sql stable as $$
  select coalesce(current_setting('app.as_it_is', true), '') = 'on'
$$;

-- The change number of this transaction: taken by the first call, returned again by every later one.
create function change_number(account integer) returns bigint language plpgsql as $$
declare
  known text := current_setting('app.change', true);
  taken bigint;
begin
  if known is not null and split_part(known, ':', 1) = account::text then return split_part(known, ':', 2)::bigint; end if;
  insert into change_counters as c (account_id, last) values (account, 1)
    on conflict (account_id) do update set last = c.last + 1 returning last into taken;
  insert into stream_pending (account_id, changed) values (account, taken);
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

-- Trigger that counts the version of a record whenever one of the columns that people edit is written.
create function count_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

-- The operator of the transaction, {name, source, key, seat}, set by whoever opens it. The default of the columns of
-- the audit log, so that no writer has to name it and none can forget it.
create function transaction_operator() returns json language sql stable as $$
  select coalesce(nullif(current_setting('app.operator', true), ''), '{"name": "backdesk", "source": "background work"}')::json
$$;

-- Writes an audit entry when a record loses its link to a customer, a trip or a booking. Arguments: the linking column,
-- the column of the record's own id, and what it linked to. A merge of customers has one entry for all their links.
create function note_unlinking() returns trigger language plpgsql as $$
declare
  before uuid := to_jsonb(old) ->> tg_argv[0];
  after uuid := to_jsonb(new) ->> tg_argv[0];
begin
  if tg_argv[2] = 'customer' and exists (select from customers
      where account_id = new.account_id and id = before and merged_into_id = after) then
    return null;
  end if;
  insert into audit_log (account_id, action, subject_type, subject_id, details)
  values (new.account_id, tg_argv[2] || '.unlinked', tg_table_name, to_jsonb(new) ->> tg_argv[1],
    jsonb_build_object('from', before, 'to', after));
  return null;
end $$;

-- Makes the trigger that writes an audit entry when a record of the table loses the link.
create procedure audit_unlinking(of_table regclass, linking text, linked text, own_id text default 'id') language plpgsql as $$
begin
  execute format('create trigger unlink_%s after update on %s for each row
    when (old.%I is not null and new.%I is distinct from old.%I) execute function note_unlinking(%L, %L, %L)',
    linking, of_table, linking, linking, linking, linking, own_id, linked);
end $$;

-- Case- and accent-insensitive text to search in. The Turkish dotted and dotless i become one letter.
create function fold(text) returns text language sql immutable parallel safe
  return lower(translate(unaccent('unaccent', $1), 'İIı', 'iii'));

-- Escapes a text so that `like` matches it literally.
create function like_text(text) returns text language sql immutable parallel safe
  return replace(replace(replace($1, '\', '\\'), '%', '\%'), '_', '\_');

-- The end of the range of texts that begin with this one, by code point.
create function text_end(beginning text) returns text language sql immutable parallel safe return beginning || chr(1114111);

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

-- # accounts

-- Agencies. The first digit of the number is the region.
create table accounts (
  account_id             integer     not null check (account_id between 10000000 and 39999999),
  uuid                   uuid        not null default uuidv7(),
  name                   text        not null,
  time_zone              text        not null,
  locale                 text        not null default 'en',
  plan                   text        not null,
  status                 text        not null default 'active' check (status in ('active', 'closed')),
  owner_id               uuid,
  billing_status         text        not null default 'active' check (billing_status in ('trialing', 'active', 'past_due', 'cancelled')),
  trial_ends_at          timestamptz,
  cancel_at_period_end   boolean     not null default false,
  created_at             timestamptz not null default now(),
  daily_messages         integer     not null default 1000 check (daily_messages >= 0), -- messages it may send in a day
  mail_domains           text[]      not null default '{}', -- domains that its mail may be sent from
  answer_address         text, -- where replies go to mail that names no other reply address
  former_secrets         bytea[]     not null default '{}', -- secrets that signed its cursors and addresses in former cells, sealed
  accent_color           text        check (accent_color ~ '^#[0-9a-f]{6}$'), -- colour of its public pages and mails
  -- data URL, so that pages load nothing else
  logo                   text        check (logo ~ '^data:image/(png|jpeg|webp|svg\+xml);base64,' and length(logo) <= 100000),
  -- how long new API keys are good where nobody says otherwise; null for ever
  key_life_days          integer     check (key_life_days between 1 and 3650),
  legal_name             text, -- name of the agency in contracts, where it differs from its name
  contact_email          text,
  contact_phone          text,
  website                text        check (website ~ '^https?://'),
  emergency_phone        text, -- where travellers reach the agency at any hour, E.164
  logo_file_id           uuid, -- the upload that the logo was made of; null for one of the command line
  version                integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  second_factor_required boolean     not null default false, -- a session without a second factor may only enrol one
  primary key (account_id),
  unique (uuid), -- finds the account
  foreign key (account_id, owner_id) references seats,
  foreign key (account_id, logo_file_id) references files
);
create trigger begin_chain after insert on accounts for each row when (not comes_as_it_is()) execute function begin_audit_chain();
call wall('accounts');

-- Legal entities of an account: they have a currency, a tax number and series of document numbers of their own.
create table companies (
  account_id         integer     not null,
  id                 uuid        not null default uuidv7(),
  name               text        not null,
  company_type       text,
  is_default         boolean     not null default false,
  active             boolean     not null default true,
  tax_country        text        not null check (tax_country ~ '^[A-Z]{2}$'),
  currency           text        not null check (currency ~ '^[A-Z]{3}$'),
  tax_number         text,
  tax_office         text,
  created_at         timestamptz not null default now(),
  payment_terms_days integer     not null default 0 check (payment_terms_days between 0 and 365), -- from issue to due date
  -- whether an invoice may take the invoice date of its booking where that is before today and no later number exists
  backdate_invoices  boolean     not null default false,
  address            jsonb       check (jsonb_typeof(address) = 'object'), -- line, district, city, state and zip
  -- in the order that documents print them: bank_name, currency, iban or account_number, bic
  bank_accounts      jsonb       not null default '[]' check (jsonb_typeof(bank_accounts) = 'array'),
  logo_file_id       uuid,
  version            integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  foreign key (account_id) references accounts,
  foreign key (account_id, logo_file_id) references files
);
create unique index companies_default on companies (account_id) where is_default;
create index companies_logo on companies (account_id, logo_file_id) where logo_file_id is not null;
call wall('companies');

-- Offices of a company.
create table branches (
  account_id      integer     not null,
  id              uuid        not null default uuidv7(),
  company_id      uuid        not null,
  name            text        not null,
  code            text,
  is_headquarters boolean     not null default false,
  active          boolean     not null default true,
  office_ids      text[]      not null default '{}', -- GDS office ids
  iata_numbers    text[]      not null default '{}',
  created_at      timestamptz not null default now(),
  version         integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies
);
create index branches_company on branches (account_id, company_id);
create unique index branches_headquarters on branches (account_id) where is_headquarters;
call wall('branches');

-- Roles that an account defines beside the built-in ones.
create table roles (
  account_id integer     not null,
  name       text        not null,
  policies   text[]      not null,
  created_at timestamptz not null default now(),
  version    integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, name),
  foreign key (account_id) references accounts
);
call wall('roles');

-- Users of an account.
create table seats (
  account_id         integer     not null,
  id                 uuid        not null default uuidv7(),
  name               text,
  email              text        not null,
  email_key          text        not null generated always as (lower(email)) stored,
  role               text        not null, -- built in, or in the table roles
  locale             text        not null default 'en',
  ai_response_locale text,
  verified           boolean     not null default false,
  active             boolean     not null default true,
  branch_id          uuid,
  agent_sines        text[]      not null default '{}', -- GDS sign-in codes
  created_at         timestamptz not null default now(),
  mails_reminders    boolean     not null default false, -- whether reminders of tasks are also sent by e-mail
  version            integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  unique (account_id, email_key),
  foreign key (account_id) references accounts,
  foreign key (account_id, branch_id) references branches
);
create index seats_branch on seats (account_id, branch_id);
create index seats_email on seats (email_key); -- finds the accounts of an e-mail address
call wall('seats');

-- Accounts that move to another cell, or have moved. From the row on their keys are refused and no queue claims their
-- work; once closed is set, no transaction of theirs begins. Their rows stay until the operator knows that they have
-- arrived. It is a table of the system, since every transaction reads it before it has an account.
create table moved_accounts (
  number   integer     not null,
  begun_at timestamptz not null default now(),
  closed   boolean     not null default false,
  primary key (number),
  foreign key (number) references accounts
);
grant delete, insert, select, update on moved_accounts to backdesk_system;
grant select on moved_accounts to backdesk_app;

-- Fails the statement that begins a transaction of a moved account.
create function refuse_moved() returns text language plpgsql as $$
begin
  raise exception 'The account has moved to another cell' using errcode = 'BD001';
end $$;

-- # api-keys

-- API keys. The key itself is not stored, only its hash.
create table api_keys (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  name          text        not null,
  token_hash    bytea       not null, -- SHA-256; unique across accounts, since it is what finds the account
  token_start   text        not null, -- the four characters after the prefix, so that people recognise the key
  token_end     text        not null,
  scopes        text[]      not null check (cardinality(scopes) > 0 and scopes <@ '{full,import,ticket_import}'::text[]),
  role          text,
  allowed_cidrs text[]      not null default '{}',
  expires_at    timestamptz,
  revoked_at    timestamptz,
  created_by    text        not null,
  last_used_at  timestamptz,
  last_used_ip  text,
  created_at    timestamptz not null default now(),
  version       integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  unique (token_hash), -- finds the account
  foreign key (account_id) references accounts
);
call wall('api_keys');

-- # sign-in

-- Sessions of browsers. The token is not stored, only its hash.
create table sessions (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  seat_id       uuid        not null,
  token_hash    bytea       not null,
  method        text        not null check (method in ('link', 'password', 'passkey', 'provider')),
  user_agent    text,
  began_ip      text        not null,
  last_used_ip  text        not null,
  last_used_at  timestamptz not null default now(),
  proven_at     timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null default now() + '14 days'::interval,
  ended_at      timestamptz,
  second_factor boolean     not null default false, -- its person has shown a second factor, or a passkey, which counts as both
  -- began by a provider that does not count as a second factor, while the seat has one, which it has to show
  owes_factor   boolean     not null default false,
  primary key (account_id, id),
  unique (token_hash), -- finds the account
  foreign key (account_id, seat_id) references seats
);
create index sessions_seat on sessions (account_id, seat_id, created_at desc, id desc);
create index sessions_expired on sessions (expires_at); -- the purge of sessions asks for all accounts
call wall('sessions');

-- Passwords of seats.
create table seat_passwords (
  account_id integer     not null,
  seat_id    uuid        not null,
  hash       text        not null,
  changed_at timestamptz not null default now(),
  primary key (account_id, seat_id),
  foreign key (account_id, seat_id) references seats
);
call wall('seat_passwords');

-- Links that are sent to the person of a seat, each good once. The token is not stored, only its hash.
create table sign_in_links (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  seat_id    uuid        not null,
  purpose    text        not null check (purpose in ('sign_in', 'invitation', 'reset')),
  token_hash bytea       not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz,
  primary key (account_id, id),
  unique (token_hash), -- finds the account
  foreign key (account_id, seat_id) references seats
);
create index sign_in_links_seat on sign_in_links (account_id, seat_id) where used_at is null;
create index sign_in_links_expired on sign_in_links (expires_at); -- the purge of sign-in links asks for all accounts
call wall('sign_in_links');

-- Failed attempts to sign in. They belong to no account: an unknown address counts like a known one. What is counted
-- (an address with a network, a network, an address) is named by a keyed hash. Not logged: after a crash the counts
-- begin anew.
create unlogged table sign_in_attempts (
  subject        bytea       not null,
  failures       integer     not null,
  last_failed_at timestamptz not null,
  primary key (subject)
);
create index sign_in_attempts_age on sign_in_attempts (last_failed_at);
grant delete, insert, select, update on sign_in_attempts to backdesk_system;

-- Sign-ins whose first factor was right, and that wait for the second. A row is deleted when it is used.
create table waiting_sign_ins (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  seat_id       uuid        not null,
  token_hash    bytea       not null,
  method        text        not null check (method in ('link', 'password', 'provider')),
  known_network boolean     not null,
  attempts      integer     not null default 0,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null default now() + '00:05:00'::interval,
  primary key (account_id, id),
  unique (token_hash), -- finds the account
  foreign key (account_id, seat_id) references seats
);
create index waiting_sign_ins_seat on waiting_sign_ins (account_id, seat_id);
create index waiting_sign_ins_expired on waiting_sign_ins (expires_at); -- the purge of sign-ins asks for all accounts
call wall('waiting_sign_ins');

-- Authenticator apps of seats (RFC 6238).
create table seat_totp (
  account_id   integer     not null,
  seat_id      uuid        not null,
  secret       bytea       not null,
  confirmed_at timestamptz,
  last_step    bigint,
  created_at   timestamptz not null default now(),
  primary key (account_id, seat_id),
  foreign key (account_id, seat_id) references seats
);
call wall('seat_totp');

-- Passkeys of seats.
create table passkeys (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  seat_id       uuid        not null,
  name          text        not null,
  credential_id bytea       not null,
  public_key    bytea       not null,
  counter       bigint      not null,
  transports    text[]      not null,
  version       integer     not null default 1,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  primary key (account_id, id),
  unique (credential_id), -- finds the account
  foreign key (account_id, seat_id) references seats
);
create index passkeys_seat on passkeys (account_id, seat_id, created_at, id);
call wall('passkeys');

-- Challenges for passkeys of a known seat. A row is deleted when it is answered.
create table passkey_challenges (
  account_id integer     not null,
  bound_to   uuid        not null,
  purpose    text        not null check (purpose in ('registration', 'proof', 'second_factor')),
  challenge  bytea       not null,
  expires_at timestamptz not null default now() + '00:05:00'::interval,
  primary key (account_id, bound_to, purpose),
  foreign key (account_id) references accounts
);
create index passkey_challenges_expired on passkey_challenges (expires_at); -- the purge of challenges asks for all accounts
call wall('passkey_challenges');

-- Challenges for passkeys with which people sign in. They belong to no account: the passkey that answers names it. A
-- row is deleted when it is answered. Not logged: after a crash people begin anew.
create unlogged table sign_in_challenges (
  token_hash bytea       not null,
  challenge  bytea       not null,
  expires_at timestamptz not null default now() + '00:05:00'::interval,
  primary key (token_hash)
);
create index sign_in_challenges_expired on sign_in_challenges (expires_at);
grant delete, insert, select, update on sign_in_challenges to backdesk_system;

-- Addresses that people want to have. The row of a seat is deleted when it is confirmed by both, or withdrawn.
create table email_changes (
  account_id    integer     not null,
  seat_id       uuid        not null,
  old_email     text        not null,
  new_email     text        not null,
  old_hash      bytea       not null,
  new_hash      bytea       not null,
  old_confirmed boolean     not null default false,
  new_confirmed boolean     not null default false,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null default now() + '24:00:00'::interval,
  primary key (account_id, seat_id),
  unique (old_hash), -- finds the account
  unique (new_hash), -- finds the account
  foreign key (account_id, seat_id) references seats
);
create index email_changes_expired on email_changes (expires_at); -- the purge of sign-in links asks for all accounts
call wall('email_changes');

-- Codes that replace a lost second factor, each good once. Only their hashes are stored.
create table recovery_codes (
  account_id integer     not null,
  seat_id    uuid        not null,
  code_hash  bytea       not null,
  created_at timestamptz not null default now(),
  used_at    timestamptz,
  primary key (account_id, seat_id, code_hash),
  foreign key (account_id, seat_id) references seats
);
call wall('recovery_codes');

-- Issuers by which the people of an account sign in.
create table sign_in_providers (
  account_id              integer     not null,
  id                      uuid        not null default uuidv7(),
  name                    text        not null,
  issuer                  text        not null,
  client_id               text        not null,
  client_secret           bytea       not null,
  active                  boolean     not null default true,
  version                 integer     not null default 1,
  created_at              timestamptz not null default now(),
  updated_at              timestamptz not null default now(),
  counts_as_second_factor boolean     not null default true, -- the account relies on the provider to ask for one
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create index sign_in_providers_list on sign_in_providers (account_id, created_at, id);
create unique index sign_in_providers_id on sign_in_providers (id); -- the address to which a provider sends browsers back names no account
call wall('sign_in_providers');

-- Who a seat is to a provider.
create table seat_identities (
  account_id  integer     not null,
  id          uuid        not null default uuidv7(),
  seat_id     uuid        not null,
  provider_id uuid        not null,
  subject     text        not null,
  created_at  timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, provider_id, subject),
  unique (account_id, seat_id, provider_id),
  foreign key (account_id, seat_id) references seats,
  foreign key (account_id, provider_id) references sign_in_providers on delete cascade
);
call wall('seat_identities');

-- Browsers that were sent to a provider and are not back yet, each good once.
create table pending_sign_ins (
  account_id   integer     not null,
  id           uuid        not null default uuidv7(),
  provider_id  uuid        not null,
  state_hash   bytea       not null,
  browser_hash bytea       not null,
  purpose      text        not null check (purpose in ('sign_in', 'invitation', 'link', 'proof')),
  link_id      uuid,
  session_id   uuid,
  return_to    text        not null,
  expires_at   timestamptz not null default now() + '00:10:00'::interval,
  primary key (account_id, id),
  unique (state_hash), -- finds the account
  foreign key (account_id, provider_id) references sign_in_providers on delete cascade,
  foreign key (account_id, link_id) references sign_in_links on delete cascade,
  foreign key (account_id, session_id) references sessions on delete cascade,
  check ((purpose = 'invitation') = (link_id is not null)),
  check ((purpose in ('link', 'proof')) = (session_id is not null))
);
create index pending_sign_ins_provider on pending_sign_ins (account_id, provider_id);
create index pending_sign_ins_link on pending_sign_ins (account_id, link_id) where link_id is not null;
create index pending_sign_ins_session on pending_sign_ins (account_id, session_id) where session_id is not null;
-- the purge of sign-ins that were not finished asks for all accounts
create index pending_sign_ins_expired on pending_sign_ins (expires_at);
call wall('pending_sign_ins');

-- # audit

-- The chain of each account's audit log: its head, and the lease of the worker that appends to it.
create table audit_chains (
  account_id   integer     not null,
  last_seq     bigint      not null default 0,
  head         bytea       not null default '\x', -- mac of the last link; empty before the first
  leased_by    uuid,
  leased_until timestamptz,
  primary key (account_id),
  foreign key (account_id) references accounts
);
call wall('audit_chains');

-- The entries of the audit log in the order in which they were chained. Without a foreign key: it would refuse what the
-- chain is there to find.
create table audit_links (
  account_id integer not null,
  seq        bigint  not null,
  entry_id   uuid    not null, -- of audit_log
  mac        bytea   not null, -- keyed hash of the entry, of its number, and of the mac before
  primary key (account_id, seq),
  unique (account_id, entry_id),
  foreign key (account_id) references accounts
);
alter table audit_links enable row level security, force row level security;
create policy account on audit_links to backdesk_app using (account_id = nullif(current_setting('app.account', true), '')::integer);
create policy retention on audit_links to backdesk using (current_setting('app.audit_retention', true) = 'on');
create policy system on audit_links to backdesk_system using (true);
grant insert, select on audit_links to backdesk_app, backdesk_system;

-- Entries of the audit log that are not chained yet. Writers only add rows, so they never wait for each other or for
-- the worker.
create table audit_pending (
  account_id integer     not null,
  entry_id   uuid        not null,
  queued_at  timestamptz not null default now(),
  primary key (account_id, entry_id)
);
call wall('audit_pending');

-- Where a chain begins after its oldest entries were dropped.
create table audit_checkpoints (
  account_id integer     not null,
  seq        bigint      not null, -- of the last link that was dropped
  mac        bytea       not null, -- of this link
  signature  bytea       not null, -- keyed hash of the two
  created_at timestamptz not null default now(),
  primary key (account_id, seq),
  foreign key (account_id) references accounts
);
alter table audit_checkpoints enable row level security, force row level security;
create policy account on audit_checkpoints to backdesk_app using (account_id = nullif(current_setting('app.account', true), '')::integer);
create policy retention on audit_checkpoints to backdesk using (current_setting('app.audit_retention', true) = 'on');
create policy system on audit_checkpoints to backdesk_system using (true);
grant insert, select on audit_checkpoints to backdesk_app, backdesk_system;

-- Queues new entries of the audit log for the chain.
create function queue_audit_entries() returns trigger language plpgsql as $$
begin
  insert into audit_pending (account_id, entry_id) select account_id, id from added;
  return null;
end $$;

-- Makes the chain of a new account.
create function begin_audit_chain() returns trigger language plpgsql as $$
begin
  insert into audit_chains (account_id) values (new.account_id);
  return null;
end $$;

-- Deletes the first entries of an account's audit log and leaves a signed checkpoint. No role of the program may delete
-- them otherwise.
create function drop_audit_entries(account integer, through bigint, head bytea, signed bytea) returns bigint language plpgsql security definer set search_path=public, pg_temp as $$
declare
  dropped bigint;
begin
  perform set_config('app.audit_retention', 'on', true);
  if not exists (select from audit_links l where l.account_id = account and l.seq = through and l.mac = head) then
    raise exception 'The checkpoint names no link of the chain';
  end if;
  if exists (select from audit_links l join audit_log e on e.account_id = l.account_id and e.id = l.entry_id
      where l.account_id = account and l.seq <= through and e.created_at > now() - interval '1 year') then
    raise exception 'Entries of the audit log are kept for a year';
  end if;
  insert into audit_checkpoints (account_id, seq, mac, signature) values (account, through, head, signed);
  delete from audit_log e using audit_links l
    where l.account_id = account and l.seq <= through and e.account_id = account and e.id = l.entry_id;
  get diagnostics dropped = row_count;
  delete from audit_links l where l.account_id = account and l.seq <= through;
  perform set_config('app.audit_retention', '', true);
  return dropped;
end $$;
revoke all on function drop_audit_entries from public;
grant execute on function drop_audit_entries to backdesk_system;

-- # imports

-- Batches of imported rows. Those that are processed after the response are a queue: each account's run one after the
-- other, in the order in which they were accepted. A worker's lease is next_attempt_at in the future, so the batch of a
-- dead worker becomes due again by itself.
create table import_batches (
  account_id      integer     not null,
  id              uuid        not null default uuidv7(),
  entity          text        not null,
  mode            text        not null check (mode in ('sync', 'async')),
  status          text        not null,
  source_system   text        not null,
  company_id      uuid        not null,
  branch_id       uuid,
  on_conflict     text        not null,
  counts          jsonb       not null,
  created_at      timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  processed       integer     not null default 0, -- rows with an outcome
  ignored_fields  text[]      not null default '{}',
  error           text, -- why the whole batch failed
  options         jsonb, -- how its rows are read, fixed when it was accepted; null for a synchronous batch
  principal_id    uuid, -- the seat that is notified when it ends
  next_attempt_at timestamptz,
  attempts        integer     not null default 0, -- at the next chunk
  failures        integer     not null default 0, -- attempts that ended in an error
  leased_by       uuid, -- new for each claim
  purge_at        timestamptz, -- when its rows are deleted; its outcomes stay
  operator        json        default transaction_operator(), -- who sent it: rows imported after the response are audited as theirs
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, principal_id) references seats,
  check (finished_at is not null or next_attempt_at is not null)
);
create index import_batches_newest on import_batches (account_id, created_at, id);
create index import_batches_of_entity on import_batches (account_id, entity, created_at, id);
create index import_batches_of_status on import_batches (account_id, status, created_at, id) where status <> 'completed';
create index import_batches_unfinished on import_batches (account_id, created_at, id) where finished_at is null;
-- the purge of import payloads asks for all accounts
create index import_batches_purge on import_batches (purge_at) where purge_at is not null;
create index import_batches_company on import_batches (account_id, company_id);
create index import_batches_branch on import_batches (account_id, branch_id);
create index import_batches_principal on import_batches (account_id, principal_id) where principal_id is not null;
create trigger stream_inserted after insert on import_batches for each row when (not comes_as_it_is()) execute function note_stream_row('imports');
create trigger stream_updated after update on import_batches for each row when (old.processed <> new.processed or old.status <> new.status) execute function note_stream_row('imports');
call wall('import_batches');

-- The rows of a batch, in chunks of one transaction each, with their outcomes. The JSON is kept as text, since it is
-- only handed out and never searched.
create table import_chunks (
  account_id  integer not null,
  batch_id    uuid    not null,
  nth         integer not null, -- from 0
  first_index integer not null, -- position of its first row in the batch
  rows        json, -- null if they were imported at once, and after the purge
  outcomes    json, -- null until the chunk is done
  changed     bigint, -- change number of its records
  primary key (account_id, batch_id, nth),
  foreign key (account_id, batch_id) references import_batches
);
create trigger notes_booking_imports_inserted after insert on import_chunks for each row when (new.outcomes is not null and not comes_as_it_is()) execute function note_booking_imports();
create trigger notes_booking_imports_updated after update of outcomes on import_chunks for each row when (new.outcomes is not null and old.outcomes is null and not comes_as_it_is()) execute function note_booking_imports();
call wall('import_chunks');

-- Entries that an account has added to its open lists. The entries that every account has are in the program.
create table terms (
  account_id integer     not null,
  taxonomy   text        not null, -- lead_source, fare_type
  key        text        not null,
  label      text        not null,
  created_at timestamptz not null default now(),
  primary key (account_id, taxonomy, key),
  foreign key (account_id) references accounts
);
call wall('terms');

-- # customers

-- Tags that hide who a customer is from roles that may not know it.
create table restricted_tags (
  account_id integer     not null,
  name       text        not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name),
  foreign key (account_id) references accounts
);
call wall('restricted_tags');

-- People and firms that buy travel.
create table customers (
  account_id         integer     not null,
  id                 uuid        not null default uuidv7(),
  company_id         uuid        not null,
  branch_id          uuid,
  source_system      text,
  external_id        text,
  name               text,
  customer_type      text        not null default 'individual' check (customer_type in ('individual', 'corporate')),
  email              text,
  email_key          text        generated always as (lower(email)) stored,
  phone              text, -- E.164
  legal_name         text,
  tax_number         text,
  tax_office         text,
  address            jsonb, -- free-form; imports write line, district, city, state and zip
  preferred_currency text,
  code               text, -- the agency's own; ticket files name the customer by it
  active             boolean     not null default true,
  version            integer     not null default 1,
  changed            bigint      not null, -- see change_number()
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  first_name         text,
  last_name          text,
  tax_office_code    text,
  birthday           date,
  anniversary        date,
  preferred_channel  text        check (preferred_channel in ('email', 'phone', 'sms', 'whatsapp')),
  opted_in_marketing boolean     not null default false,
  opted_in_at        timestamptz,
  lifecycle_stage    text        check (lifecycle_stage in ('prospect', 'active', 'repeat', 'dormant', 'lost')),
  vip_tier           text        check (vip_tier in ('silver', 'gold', 'platinum', 'diamond')),
  locale             text,
  tags               text[]      not null default '{}',
  merged_into_id     uuid, -- the customer that this one was merged into
  -- What `q` searches. No name contains the separator, so no match spans two of the parts.
  search             text        generated always as (fold((((coalesce(name, '') || E'\n') || coalesce(email, '')) || E'\n') || coalesce(phone, ''))) stored,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, merged_into_id) references customers
);
create index customers_changed on customers (account_id, changed, id);
create index customers_newest on customers (account_id, created_at, id) where deleted_at is null;
create index customers_vip_tier on customers (account_id, vip_tier, created_at, id) where vip_tier is not null and deleted_at is null;
create index customers_lifecycle_stage on customers (account_id, lifecycle_stage, created_at, id) where lifecycle_stage is not null and deleted_at is null;
create index customers_search on customers using gin (account_id, search gin_trgm_ops) where deleted_at is null;
create index customers_email on customers (account_id, email_key);
create index customers_phone on customers (account_id, phone) where phone is not null;
create index customers_tax_number on customers (account_id, tax_number) where tax_number is not null;
create index customers_code on customers (account_id, code) where code is not null;
create index customers_birthday on customers (account_id, birthday) where birthday is not null;
create index customers_company on customers (account_id, company_id);
create index customers_branch on customers (account_id, branch_id);
create index customers_merged on customers (account_id, merged_into_id) where merged_into_id is not null;
create index customers_name_start on customers (account_id, "left"(search, 40) collate "c") where deleted_at is null;
create index customers_last_name on customers (account_id, "left"(split_part(split_part(search, E'\n', 1), ' ', '-1'), 40) collate "c") where deleted_at is null;
create trigger stamp before insert or update on customers for each row when (not comes_as_it_is()) execute function stamp();
call wall('customers');

-- Notes about a customer.
create table customer_notes (
  account_id  integer     not null,
  id          uuid        not null default uuidv7(),
  customer_id uuid        not null,
  source      text        not null check (source in ('api', 'import', 'app')),
  body        text        not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  pinned      boolean     not null default false,
  author_id   uuid,
  version     integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, author_id) references seats
);
create unique index customer_notes_imported on customer_notes (account_id, customer_id) where source = 'import';
create index customer_notes_author on customer_notes (account_id, author_id) where author_id is not null;
create index customer_notes_of_customer on customer_notes (account_id, customer_id, created_at, id);
create trigger count_version before update on customer_notes for each row execute function count_version();
call audit_unlinking('customer_notes', 'customer_id', 'customer');
call wall('customer_notes');

-- Files attached to customer notes.
create table note_attachments (
  account_id integer not null,
  file_id    uuid    not null,
  note_id    uuid    not null,
  primary key (account_id, file_id), -- a file is attached once
  foreign key (account_id, file_id) references files,
  foreign key (account_id, note_id) references customer_notes
);
create index note_attachments_note on note_attachments (account_id, note_id);
call wall('note_attachments');

-- Traveller directory: the people that a customer travels with, the customer included.
create table travelers (
  account_id            integer     not null,
  id                    uuid        not null default uuidv7(),
  customer_id           uuid        not null,
  first_name            text,
  last_name             text,
  name_key              text        not null generated always as (lower((coalesce(first_name, '') || ' ') || coalesce(last_name, ''))) stored,
  nationality           text,
  national_id           text,
  passport_number       text,
  passport_country      text,
  passport_expiry       date,
  date_of_birth         date,
  gender                text,
  frequent_flyer_number text,
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers
);
create index travelers_name on travelers (account_id, customer_id, name_key);
create index travelers_passport on travelers (account_id, customer_id, passport_number) where passport_number is not null;
create index travelers_passport_expiry on travelers (account_id, passport_expiry) where passport_expiry is not null;
create index travelers_national_id on travelers (account_id, customer_id, national_id) where national_id is not null;
create index travelers_date_of_birth on travelers (account_id, date_of_birth) where date_of_birth is not null;
create index travelers_name_start on travelers (account_id, "left"(fold((coalesce(first_name, '') || ' ') || coalesce(last_name, '')), 40) collate "c");
create index travelers_last_name on travelers (account_id, "left"(fold(last_name), 40) collate "c") where last_name is not null;
call audit_unlinking('travelers', 'customer_id', 'customer');
call wall('travelers');

-- The customers of the account that match a pattern. PostgreSQL uses no index for `like` behind row-level security,
-- since `like` may leak what it compares. So this function looks up ids as the system, under the same condition as the
-- policy, and its caller reads the records themselves behind the wall.
create function customers_like(pattern text) returns setof uuid language sql stable security definer set search_path=public, pg_temp as $$ select id from customers
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and search like pattern $$;
alter function customers_like owner to backdesk_system;
revoke all on function customers_like from public;
grant execute on function customers_like to backdesk_app;

-- Customers for a search: by their code, and by name, e-mail and phone. rank: 0 exact, 1 beginning, 2 part.
create function find_customers(code text, sought text, number text, hides_restricted boolean, most integer) returns table(id uuid, rank integer) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  hidden constant text[] := case when hides_restricted
    then array(select r.name from restricted_tags r where r.account_id = of_account) else '{}' end;
  pattern constant text := '%' || like_text(sought) || '%';
  digits constant text := coalesce('%' || number || '%', pattern);
  others constant text := substr(sought, length(split_part(sought, ' ', 1)) + 2);
  found integer := 0;
  made integer;
begin
  return query select c.id, 0 from customers c
    where c.account_id = of_account and c.code in (find_customers.code, upper(find_customers.code)) and c.deleted_at is null limit most;
  if sought is null then return; end if;
  return query select c.id, 0 from customers c
    where c.account_id = of_account and c.email_key = sought and c.deleted_at is null and not c.tags && hidden limit most;
  get diagnostics found = row_count;
  if found > 0 then return; end if;
  if number is null then
    return query select c.id, 1 from customers c
      where c.account_id = of_account and c.deleted_at is null and not c.tags && hidden
        and left(c.search, 40) collate "C" >= sought and left(c.search, 40) collate "C" < text_end(sought)
      order by c.account_id, left(c.search, 40) collate "C" limit most;
    get diagnostics made = row_count;
    found := found + made;
    return query select c.id, 1 from customers c
      where c.account_id = of_account and c.deleted_at is null and not c.tags && hidden
        and left(split_part(split_part(c.search, E'\n', 1), ' ', -1), 40) collate "C" >= sought
        and left(split_part(split_part(c.search, E'\n', 1), ' ', -1), 40) collate "C" < text_end(sought)
        and not (left(c.search, 40) collate "C" >= sought and left(c.search, 40) collate "C" < text_end(sought))
      order by c.account_id, left(split_part(split_part(c.search, E'\n', 1), ' ', -1), 40) collate "C" limit most;
    get diagnostics made = row_count;
    found := found + made;
    -- The last name first, then the beginning of another name.
    if found < most and others <> '' then
      return query select c.id, 1 from (
          select n.id, n.search, n.tags from customers n where n.account_id = of_account and n.deleted_at is null
            and left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" = split_part(sought, ' ', 1)
          limit 2000) c
        where (' ' || c.search) like '% ' || like_text(others) || '%' and not c.tags && hidden limit most;
      get diagnostics made = row_count;
      found := found + made;
      if found > 0 then return; end if;
    end if;
  end if;
  if found >= most then return; end if;
  return query select c.id, 2 from (
      select n.id, n.search, n.tags from customers n where n.account_id = of_account and n.deleted_at is null
      order by n.created_at desc, n.id desc limit 2000) c
    where (c.search like pattern or c.search like digits) and not c.tags && hidden limit most;
  get diagnostics made = row_count;
  if found + made >= most or length(sought) < 3 then return; end if;
  -- What follows the @ of an e-mail is in so many records that the index would compare most of them.
  return query select c.id, 2 from (
      select customers_like(case when strpos(sought, '@') > 3 then '%' || like_text(split_part(sought, '@', 1)) || '%' else digits end) as id
      limit most * 20) l
    join customers c on c.account_id = of_account and c.id = l.id
    where (c.search like pattern or c.search like digits) and not c.tags && hidden limit most;
end $$;
alter function find_customers owner to backdesk_system;
revoke all on function find_customers from public;
grant execute on function find_customers to backdesk_app;

-- Travellers of the directories for a search, by the beginning of their name or last name.
create function find_travelers(sought text, hides_restricted boolean, most integer) returns table(id uuid, rank integer) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  hidden constant text[] := case when hides_restricted
    then array(select r.name from restricted_tags r where r.account_id = of_account) else '{}' end;
begin
  return query select v.id, 1 from travelers v join customers c on c.account_id = v.account_id and c.id = v.customer_id
    where v.account_id = of_account and c.deleted_at is null and not c.tags && hidden
      and left(fold(coalesce(v.first_name, '') || ' ' || coalesce(v.last_name, '')), 40) collate "C" >= sought
      and left(fold(coalesce(v.first_name, '') || ' ' || coalesce(v.last_name, '')), 40) collate "C" < text_end(sought)
    order by v.account_id, left(fold(coalesce(v.first_name, '') || ' ' || coalesce(v.last_name, '')), 40) collate "C" limit most;
  return query select v.id, 1 from travelers v join customers c on c.account_id = v.account_id and c.id = v.customer_id
    where v.account_id = of_account and c.deleted_at is null and not c.tags && hidden and v.last_name is not null
      and left(fold(v.last_name), 40) collate "C" >= sought and left(fold(v.last_name), 40) collate "C" < text_end(sought)
    order by v.account_id, left(fold(v.last_name), 40) collate "C" limit most;
end $$;
alter function find_travelers owner to backdesk_system;
revoke all on function find_travelers from public;
grant execute on function find_travelers to backdesk_app;

-- # suppliers

-- Firms that an agency buys travel from: airlines, hotels, operators and others.
create table suppliers (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  source_system text,
  external_id   text,
  name          text        not null,
  supplier_type text        not null default 'other',
  code          text,
  iata_code     text, -- ticket files name the airline by it
  email         text,
  phone         text, -- E.164
  country_code  text,
  tax_number    text,
  tax_office    text,
  address       jsonb,
  website       text,
  active        boolean     not null default true,
  version       integer     not null default 1,
  changed       bigint      not null, -- see change_number()
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id) references accounts
);
create index suppliers_changed on suppliers (account_id, changed, id);
create index suppliers_code on suppliers (account_id, code);
create index suppliers_iata on suppliers (account_id, iata_code) where iata_code is not null;
create index suppliers_name_start on suppliers (account_id, "left"(fold(name), 40) collate "c") where deleted_at is null;
create index suppliers_search on suppliers using gin (account_id, fold(name) gin_trgm_ops) where deleted_at is null;
create trigger stamp before insert or update on suppliers for each row when (not comes_as_it_is()) execute function stamp();
call wall('suppliers');

-- The suppliers of the account that match a pattern. See customers_like().
create function suppliers_like(pattern text) returns setof uuid language sql stable security definer set search_path=public, pg_temp as $$ select id from suppliers
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and fold(name) like pattern $$;
alter function suppliers_like owner to backdesk_system;
revoke all on function suppliers_like from public;
grant execute on function suppliers_like to backdesk_app;

-- Suppliers for a search, by code, IATA code and name.
create function find_suppliers(code text, sought text, most integer) returns table(id uuid, rank integer) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  found integer := 0;
begin
  return query select s.id, 0 from suppliers s
    where s.account_id = of_account and s.code in (find_suppliers.code, upper(find_suppliers.code)) and s.deleted_at is null limit most;
  return query select s.id, 0 from suppliers s
    where s.account_id = of_account and s.iata_code = upper(find_suppliers.code) and s.deleted_at is null limit most;
  return query select s.id, 1 from suppliers s
    where s.account_id = of_account and s.deleted_at is null
      and left(fold(s.name), 40) collate "C" >= sought and left(fold(s.name), 40) collate "C" < text_end(sought)
    order by s.account_id, left(fold(s.name), 40) collate "C" limit most;
  get diagnostics found = row_count;
  if found >= most or sought is null or length(sought) < 3 then return; end if;
  return query select l.id, 2 from (select suppliers_like('%' || like_text(sought) || '%') as id limit most * 2) l;
end $$;
alter function find_suppliers owner to backdesk_system;
revoke all on function find_suppliers from public;
grant execute on function find_suppliers to backdesk_app;

-- # bookings

-- Bookings of all verticals. What only one vertical has is in its own table, under the same id.
create table bookings (
  account_id       integer        not null,
  id               uuid           not null default uuidv7(),
  entity           text           not null, -- key of the import entity, which is the vertical
  company_id       uuid           not null,
  branch_id        uuid,
  source_system    text,
  external_id      text,
  status           text           not null default 'draft',
  customer_id      uuid,
  supplier_id      uuid,
  assigned_to_id   uuid,
  currency         text           not null,
  rate_basis       text           check (rate_basis in ('net', 'commissionable')),
  margin_mode      text           check (margin_mode in ('percent', 'amount')),
  margin_value     numeric(19, 4),
  option_date      date,
  transaction_date date           not null, -- exchange rates are those on or before this day
  invoice_date     date,
  balance_due_on   date,
  notes            text,
  travelers        jsonb, -- who travels, as the booking names them
  sell_total       numeric(19, 4), -- gross, in the booking's currency; null if a rate is missing
  cost_total       numeric(19, 4),
  margin_total     numeric(19, 4), -- net sell less net cost
  vat_total        numeric(19, 4), -- of the sell lines
  invoiced         boolean        not null default false,
  version          integer        not null default 1,
  changed          bigint         not null, -- see change_number()
  created_at       timestamptz    not null default now(),
  updated_at       timestamptz    not null default now(),
  cancelled_at     timestamptz,
  deleted_at       timestamptz,
  company_currency text, -- the company's currency, which the totals company_* are in
  company_sell     numeric(19, 4), -- null if a rate is missing
  company_cost     numeric(19, 4),
  company_margin   numeric(19, 4),
  company_vat      numeric(19, 4),
  travels_on       date, -- first day of travel
  destination      text, -- null: the supplier's place
  first_issued_on  date, -- first day on which its documents were issued
  last_issued_on   date, -- last such day
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, assigned_to_id) references seats
);
-- A row with the external id of a deleted booking makes a new one. Deleted bookings stay in the index, since the feed
-- shows them by their external id.
create unique index bookings_external_id on bookings (account_id, entity, source_system, external_id, deleted_at) nulls not distinct where external_id is not null;
create index bookings_changed on bookings (account_id, entity, changed, id);
create index bookings_options on bookings (account_id, option_date) where status = 'option' and deleted_at is null;
create index bookings_travels_on on bookings (account_id, travels_on) where travels_on is not null;
create index bookings_last_issued_on on bookings (account_id, last_issued_on) where last_issued_on is not null;
create index bookings_issued_apart on bookings (account_id, last_issued_on) where first_issued_on < last_issued_on;
create index bookings_customer on bookings (account_id, customer_id);
create index bookings_supplier on bookings (account_id, supplier_id);
create index bookings_company on bookings (account_id, company_id);
create index bookings_branch on bookings (account_id, branch_id);
create index bookings_assigned on bookings (account_id, assigned_to_id) where assigned_to_id is not null;
create index bookings_reference on bookings (account_id, upper("left"(external_id, 60)) collate "c") where external_id is not null and deleted_at is null;
create index bookings_transaction_date on bookings (account_id, transaction_date, id);
create index bookings_in_travel_order on bookings (account_id, coalesce(travels_on, '-infinity'), id);
create index bookings_status on bookings (account_id, status);
create trigger stamp before insert or update on bookings for each row when (not comes_as_it_is()) execute function stamp();
call audit_unlinking('bookings', 'customer_id', 'customer');
call wall('bookings');

-- What a booking sells to the customer and buys from suppliers, line by line.
create table booking_lines (
  account_id    integer         not null,
  booking_id    uuid            not null,
  side          text            not null check (side in ('sell', 'cost')),
  position      smallint        not null,
  -- what the line was made from
  origin        text            not null check (origin in ('given', 'room', 'extra', 'passenger', 'fee', 'derived')),
  kind          text            not null,
  label         text,
  amount        numeric(19, 4)  not null, -- of one unit, as given
  quantity      integer         not null,
  currency      text            not null,
  vat_rate      numeric(7, 4), -- percent
  tax_inclusive boolean         not null,
  net           numeric(19, 4)  not null,
  vat           numeric(19, 4)  not null,
  gross         numeric(19, 4)  not null,
  rate          numeric(20, 10), -- units of the company's currency for one unit of the line's; null if there is none
  rate_day      date,
  rate_source   text,
  primary key (account_id, booking_id, side, "position"),
  foreign key (account_id, booking_id) references bookings
);
call wall('booking_lines');

-- Warnings sent before an option date. A booking whose option date moves is warned of again.
create table booking_option_warnings (
  account_id  integer     not null,
  booking_id  uuid        not null,
  option_date date        not null,
  days_before integer     not null,
  warned_at   timestamptz not null default now(),
  primary key (account_id, booking_id, option_date, days_before),
  foreign key (account_id, booking_id) references bookings
);
call wall('booking_option_warnings');

-- Hotel stays.
create table hotel_stays (
  account_id   integer not null,
  id           uuid    not null,
  check_in_on  date    not null,
  check_out_on date    not null,
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
  id                     uuid    not null,
  pnr                    text,
  gds_pnr                text,
  settlement_channel     text,
  fare_type              text, -- a term of fare_type
  miles_used             integer,
  reservation_giver_name text,
  issuing_system         text,
  legs                   jsonb,
  passengers             jsonb   not null,
  itinerary_type         text, -- derived from the legs
  international          boolean, -- null if an airport is unknown
  refunds                jsonb, -- refunds of its documents after their issue
  exchanges              jsonb, -- exchanges of its documents after their issue
  booking_office         text, -- office of the GDS that booked
  ticketing_office       text, -- office of the GDS that issued the documents
  iata_number            text, -- of the ticketing office
  booking_agent          text, -- sign of the GDS agent who booked
  ticketing_agent        text, -- sign of the GDS agent who issued the documents
  ticketing_deadline     date, -- as printed; unlike option_date it makes no option
  remarks                text, -- of the reservation, one per line; they may quote prices, costs and persons
  primary key (account_id, id),
  foreign key (account_id, id) references bookings
);
create index tickets_pnr on tickets (account_id, pnr) where pnr is not null;
create index tickets_refunds on tickets (account_id) where refunds is not null;
create index tickets_pnr_start on tickets (account_id, pnr collate "c") where pnr is not null;
create index tickets_gds_pnr_start on tickets (account_id, gds_pnr collate "c") where gds_pnr is not null;
call wall('tickets');

-- Document numbers of ticket sales. Several sales may have the same number until a user who sees them corrects it,
-- since refusing it would reveal the other sale. A lookup returns the first of them.
create table ticket_numbers (
  account_id  integer  not null,
  number      text     not null, -- 3-digit airline code and 10 digits
  booking_id  uuid     not null,
  passenger   smallint not null, -- position in the sale's passengers
  conjunction boolean  not null,
  primary key (account_id, number, booking_id),
  foreign key (account_id, booking_id) references bookings
);
create index ticket_numbers_booking on ticket_numbers (account_id, booking_id);
create index ticket_numbers_start on ticket_numbers (account_id, number collate "c");
create index ticket_numbers_without_airline on ticket_numbers (account_id, "right"(number, 10) collate "c");
call wall('ticket_numbers');

-- Transfers.
create table transfers (
  account_id          integer     not null,
  id                  uuid        not null,
  transfer_type       text,
  service_level       text,
  pickup_at           timestamptz not null,
  pickup_location     text        not null,
  dropoff_location    text        not null,
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
  id             uuid    not null,
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
  account_id       integer     not null,
  id               uuid        not null,
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

-- Charters.
create table charters (
  account_id      integer        not null,
  id              uuid           not null,
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
  account_id          integer        not null,
  id                  uuid           not null,
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
  account_id            integer        not null,
  id                    uuid           not null,
  title                 text           not null,
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

-- Departures of tours, with the seats that their bookings hold.
create table tour_departures (
  account_id      integer     not null,
  id              uuid        not null default uuidv7(),
  company_id      uuid        not null,
  branch_id       uuid,
  source_system   text,
  external_id     text,
  title           text        not null,
  starts_on       date,
  ends_on         date,
  currency        text,
  max_capacity    integer,
  seats_held      integer     not null default 0, -- by the bookings that hold seats
  inventory_state text        not null default 'open',
  supplier_id     uuid,
  notes           text,
  version         integer     not null default 1,
  changed         bigint      not null, -- see change_number()
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

-- Bookings of tour departures.
create table tour_bookings (
  account_id        integer not null,
  id                uuid    not null,
  tour_departure_id uuid    not null,
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

-- The last number of a booking that somebody created in the application. A row instead of a sequence, so that a
-- rollback leaves no gap.
create table booking_counters (
  account_id integer not null,
  last       integer not null,
  primary key (account_id),
  foreign key (account_id) references accounts
);
call wall('booking_counters');

-- The batches that created or changed a booking. Without foreign keys, whose checks would take longer than the writes:
-- neither bookings nor batches are deleted.
create table booking_imports (
  account_id integer     not null,
  booking_id uuid        not null,
  batch_id   uuid        not null,
  outcome    text        not null, -- created or updated: what the first row of the batch for this booking did
  at         timestamptz not null,
  primary key (account_id, booking_id, batch_id)
);
call wall('booking_imports');

-- What a booking is called where its customer must not be named: Hotel Stay H-9001.
create function booking_label(entity text, external_id text) returns text language sql immutable parallel safe
  return concat_ws(' ', initcap(replace(rtrim(entity, 's'), '_', ' ')), external_id);

-- Bookings for a search, by the beginning of their external id.
create function find_bookings(code text, most integer) returns table(id uuid, rank integer) language sql stable security definer set search_path=public, pg_temp as $$
  select b.id, case when upper(b.external_id) = upper(code) then 0 else 1 end from bookings b
  where b.account_id = nullif(current_setting('app.account', true), '')::integer and b.external_id is not null and b.deleted_at is null
    and upper(left(b.external_id, 60)) collate "C" >= upper(code) and upper(left(b.external_id, 60)) collate "C" < text_end(upper(code))
  order by b.account_id, upper(left(b.external_id, 60)) collate "C" limit most
$$;
alter function find_bookings owner to backdesk_system;
revoke all on function find_bookings from public;
grant execute on function find_bookings to backdesk_app;

-- Ticket sales for a search, by a document number with or without its airline, and by PNR.
create function find_tickets(code text, digits text, most integer) returns table(id uuid, rank integer, number text) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  locator constant text := upper(code);
begin
  if digits is not null then
    return query select n.booking_id, case when length(digits) >= 13 then 0 else 1 end, n.number from ticket_numbers n
      where n.account_id = of_account and n.number collate "C" >= left(digits, 13) and n.number collate "C" < text_end(left(digits, 13))
      order by n.account_id, n.number collate "C" limit most;
    if length(digits) > 10 then return; end if;
    return query select n.booking_id, case when length(digits) = 10 then 0 else 1 end, n.number from ticket_numbers n
      where n.account_id = of_account and right(n.number, 10) collate "C" >= digits and right(n.number, 10) collate "C" < text_end(digits)
      order by n.account_id, right(n.number, 10) collate "C" limit most;
  end if;
  if length(locator) between 3 and 8 then
    return query select t.id, case when t.pnr = locator then 0 else 1 end, null::text from tickets t
      where t.account_id = of_account and t.pnr is not null and t.pnr collate "C" >= locator and t.pnr collate "C" < text_end(locator)
      order by t.account_id, t.pnr collate "C" limit most;
    return query select t.id, case when t.gds_pnr = locator then 0 else 1 end, null::text from tickets t
      where t.account_id = of_account and t.gds_pnr is not null
        and t.gds_pnr collate "C" >= locator and t.gds_pnr collate "C" < text_end(locator)
      order by t.account_id, t.gds_pnr collate "C" limit most;
  end if;
end $$;
alter function find_tickets owner to backdesk_system;
revoke all on function find_tickets from public;
grant execute on function find_tickets to backdesk_app;

-- Notes the bookings that a chunk of a batch created or changed, when its outcomes are stored.
create function note_booking_imports() returns trigger language plpgsql as $$
begin
  insert into booking_imports (account_id, booking_id, batch_id, outcome, at)
  select new.account_id, b.id, new.batch_id, o.outcome ->> 'status', now()
  from json_array_elements(new.outcomes) as o(outcome)
    join bookings b on b.account_id = new.account_id and b.id = (o.outcome ->> 'id')::uuid
  where o.outcome ->> 'status' in ('created', 'updated')
  on conflict (account_id, booking_id, batch_id) do nothing;
  return null;
end $$;

-- # documents

-- The last document number of each series. A row instead of a sequence, so that a rollback leaves no gap.
create table document_counters (
  account_id integer not null,
  company_id uuid    not null,
  series     text    not null,
  year       integer not null,
  last       integer not null,
  last_on    date, -- latest date in the series; null if the last number was brought forward
  primary key (account_id, company_id, series, year),
  foreign key (account_id, company_id) references companies
);
call wall('document_counters');

-- Invoices and the credit notes that reverse them. A posted document never changes.
create table customer_invoices (
  account_id    integer        not null,
  id            uuid           not null default uuidv7(),
  company_id    uuid           not null,
  branch_id     uuid,
  document_type text           not null check (document_type in ('invoice', 'credit_note')),
  number        text           not null,
  booking_id    uuid           not null,
  customer_id   uuid           not null,
  reverses_id   uuid, -- the invoice that a credit note reverses
  currency      text           not null,
  issued_on     date           not null,
  due_on        date           not null,
  -- copies of the booking's sell lines: kind, label, amount, quantity, vat_rate, tax_inclusive, net, vat, gross
  lines         jsonb          not null,
  net           numeric(19, 4) not null,
  vat           numeric(19, 4) not null,
  gross         numeric(19, 4) not null,
  created_at    timestamptz    not null default now(),
  settled_on    date           not null default 'infinity', -- from this day on nothing of an invoice is open; the triggers `settles` keep it
  tax_point_on  date           not null, -- the day that decides the VAT period
  primary key (account_id, id),
  unique (account_id, company_id, number),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, booking_id) references bookings,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, reverses_id) references customer_invoices,
  check ((document_type = 'credit_note') = (reverses_id is not null)),
  check ((net + vat) = gross)
);
create unique index customer_invoices_reversed on customer_invoices (account_id, reverses_id) where reverses_id is not null;
create unique index customer_invoices_booking on customer_invoices (account_id, booking_id, currency) where document_type = 'invoice';
create index customer_invoices_issued_on on customer_invoices (account_id, issued_on);
create index customer_invoices_settled_on on customer_invoices (account_id, settled_on) where document_type = 'invoice';
create index customer_invoices_company on customer_invoices (account_id, company_id, issued_on);
create index customer_invoices_branch on customer_invoices (account_id, branch_id);
create index customer_invoices_of_customer on customer_invoices (account_id, customer_id, created_at, id);
create index customer_invoices_number on customer_invoices (account_id, number collate "c");
-- finds an invoice by the digits at its end
create index customer_invoices_number_end on customer_invoices (account_id, reverse(number) collate "c");
create trigger former_document before insert on customer_invoices for each row when (new.tax_point_on is null and not comes_as_it_is()) execute function complete_former_document();
create trigger posted before delete or update on customer_invoices for each row execute function stay_as_posted();
create trigger settles after insert on customer_invoices referencing new table as changed for each statement when (not comes_as_it_is()) execute function settle_invoices();
call audit_unlinking('customer_invoices', 'customer_id', 'customer');
call wall('customer_invoices');

-- Payments of customers; negative ones are paid back.
create table customer_payments (
  account_id integer        not null,
  id         uuid           not null default uuidv7(),
  invoice_id uuid           not null,
  amount     numeric(19, 4) not null check (amount <> 0),
  paid_on    date           not null,
  method     text,
  note       text,
  created_by text           not null,
  created_at timestamptz    not null default now(),
  primary key (account_id, id),
  foreign key (account_id, invoice_id) references customer_invoices
);
create index customer_payments_invoice on customer_payments (account_id, invoice_id);
create index customer_payments_back on customer_payments (account_id, paid_on) where amount < 0;
create trigger settles after insert on customer_payments referencing new table as changed for each statement when (not comes_as_it_is()) execute function settle_invoices();
create trigger settles_changed after update on customer_payments referencing new table as changed for each statement execute function settle_invoices();
create trigger settles_deleted after delete on customer_payments referencing old table as changed for each statement execute function settle_invoices();
call wall('customer_payments');

-- Bills of suppliers: posted for invoiced bookings, or brought forward from another system.
create table supplier_bills (
  account_id         integer        not null,
  id                 uuid           not null default uuidv7(),
  company_id         uuid           not null,
  branch_id          uuid,
  source_system      text,
  external_id        text,
  bill_number        text           not null,
  supplier_id        uuid           not null,
  booking_id         uuid, -- of a posted bill
  document_type      text           not null default 'invoice',
  issued_on          date           not null,
  due_on             date,
  received_on        date,
  currency           text           not null,
  net_amount         numeric(19, 4),
  vat_amount         numeric(19, 4),
  withholding_amount numeric(19, 4),
  total_amount       numeric(19, 4) not null,
  paid_amount        numeric(19, 4),
  status             text           not null default 'draft',
  lines              jsonb,
  notes              text,
  version            integer        not null default 1,
  changed            bigint         not null, -- see change_number()
  created_at         timestamptz    not null default now(),
  updated_at         timestamptz    not null default now(),
  deleted_at         timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, booking_id) references bookings
);
create index supplier_bills_changed on supplier_bills (account_id, changed, id);
create index supplier_bills_issued_on on supplier_bills (account_id, issued_on);
create index supplier_bills_number on supplier_bills (account_id, supplier_id, bill_number);
create unique index supplier_bills_booking on supplier_bills (account_id, booking_id, currency) where booking_id is not null;
create index supplier_bills_company on supplier_bills (account_id, company_id);
create index supplier_bills_branch on supplier_bills (account_id, branch_id);
create index supplier_bills_number_start on supplier_bills (account_id, upper("left"(bill_number, 60)) collate "c") where deleted_at is null;
create trigger stamp before insert or update on supplier_bills for each row when (not comes_as_it_is()) execute function stamp();
call audit_unlinking('supplier_bills', 'booking_id', 'booking');
call wall('supplier_bills');

-- Invoices of tour operators to the agency, brought forward from another system.
create table operator_invoices (
  account_id            integer        not null,
  id                    uuid           not null default uuidv7(),
  company_id            uuid           not null,
  branch_id             uuid,
  source_system         text,
  external_id           text,
  invoice_number        text           not null,
  document_type         text           not null default 'invoice',
  supplier_id           uuid           not null,
  customer_id           uuid,
  booking_entity        text,
  booking_external_id   text,
  booking_id            uuid, -- the booking that booking_entity and booking_external_id name, if it exists
  operator_reference    text,
  issued_on             date           not null,
  due_on                date,
  departure_on          date,
  return_on             date,
  lead_passenger_name   text,
  pax_count             integer,
  currency              text           not null,
  gross_amount          numeric(19, 4),
  commission_rate       numeric(7, 4),
  commission_amount     numeric(19, 4),
  commission_vat_amount numeric(19, 4),
  net_amount            numeric(19, 4),
  vat_amount            numeric(19, 4),
  total_amount          numeric(19, 4) not null,
  paid_amount           numeric(19, 4),
  deposit_amount        numeric(19, 4),
  deposit_due_on        date,
  balance_due_on        date,
  status                text           not null default 'draft',
  lines                 jsonb,
  notes                 text,
  version               integer        not null default 1,
  changed               bigint         not null, -- see change_number()
  created_at            timestamptz    not null default now(),
  updated_at            timestamptz    not null default now(),
  deleted_at            timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, booking_id) references bookings
);
create index operator_invoices_changed on operator_invoices (account_id, changed, id);
create index operator_invoices_issued_on on operator_invoices (account_id, issued_on);
create unique index operator_invoices_number on operator_invoices (account_id, supplier_id, invoice_number) where status <> 'void' and deleted_at is null;
create index operator_invoices_company on operator_invoices (account_id, company_id);
create index operator_invoices_branch on operator_invoices (account_id, branch_id);
create index operator_invoices_customer on operator_invoices (account_id, customer_id) where customer_id is not null;
create index operator_invoices_booking on operator_invoices (account_id, booking_id) where booking_id is not null;
create index operator_invoices_number_start on operator_invoices (account_id, upper("left"(invoice_number, 60)) collate "c") where deleted_at is null;
create trigger stamp before insert or update on operator_invoices for each row when (not comes_as_it_is()) execute function stamp();
call audit_unlinking('operator_invoices', 'booking_id', 'booking');
call audit_unlinking('operator_invoices', 'customer_id', 'customer');
call wall('operator_invoices');

-- Prints the number of a document: INV-2026-000042.
create function document_number(series text, year integer, nth bigint) returns text language sql immutable parallel safe
  return series || '-' || year || '-' || lpad(nth::text, greatest(6, length(nth::text)), '0');

-- The day on which each invoice was settled by payments or by its credit note. Most invoices are settled for good and
-- the open ones are asked for often, so triggers keep it in settled_on. What was open on an earlier day is added up
-- anew.
create view settled_invoices with (security_invoker = true) as
 select i.account_id,
    i.id,
        case
            when (i.gross + coalesce(n.gross, 0)) = p.amount then greatest(i.issued_on, n.issued_on, p.last)
            else 'infinity'
        end as settled_on
   from customer_invoices i
     left join customer_invoices n on n.account_id = i.account_id and n.reverses_id = i.id
     cross join lateral ( select coalesce(sum(p_1.amount), 0) as amount,
            max(p_1.paid_on) as last
           from customer_payments p_1
          where p_1.account_id = i.account_id and (p_1.invoice_id in (i.id, n.id))) p
  where i.document_type = 'invoice';
grant select on settled_invoices to backdesk_app, backdesk_system;

-- The words and figures of a posted document never change. Its customer changes when customers are merged, and
-- settled_on says nothing about the document itself.
create function stay_as_posted() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    old.customer_id = new.customer_id;
    old.settled_on = new.settled_on;
    if old = new then return new; end if;
  end if;
  raise exception 'A posted document never changes' using errcode = 'integrity_constraint_violation';
end $$;

-- Keeps settled_on of invoices when payments or credit notes come.
create function settle_invoices() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'customer_payments' then
    update customer_invoices i set settled_on = s.settled_on
    from (select distinct c.account_id, coalesce(d.reverses_id, d.id) as id
        from changed c join customer_invoices d on d.account_id = c.account_id and d.id = c.invoice_id) c
      join settled_invoices s on s.account_id = c.account_id and s.id = c.id
    where i.account_id = s.account_id and i.id = s.id and i.settled_on <> s.settled_on;
  else
    update customer_invoices i set settled_on = s.settled_on
    from changed c join settled_invoices s on s.account_id = c.account_id and s.id = c.reverses_id
    where i.account_id = s.account_id and i.id = s.id and i.settled_on <> s.settled_on;
  end if;
  return null;
end $$;

-- Completes an invoice that a process of the former version posts during an upgrade: it is dated by its tax point, and
-- the last date of its series is kept.
create function complete_former_document() returns trigger language plpgsql as $$
begin
  new.tax_point_on = new.issued_on;
  update document_counters set last_on = greatest(last_on, new.issued_on)
  where account_id = new.account_id and company_id = new.company_id
    and series = split_part(new.number, '-', 1) and year = split_part(new.number, '-', 2)::integer;
  return new;
end $$;

-- Invoices, credit notes, supplier bills and operator invoices for a search, by number.
create function find_documents(code text, sees_costs boolean, most integer) returns table(id uuid, rank integer, kind text) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  wanted constant text := upper(code);
begin
  return query select i.id, case when i.number = wanted then 0 else 1 end, 'customer_invoice' from customer_invoices i
    where i.account_id = of_account and i.number collate "C" >= wanted and i.number collate "C" < text_end(wanted)
    order by i.account_id, i.number collate "C" limit most;
  if wanted ~ '^[0-9]{3,}$' then
    return query select i.id, 1, 'customer_invoice' from customer_invoices i
      where i.account_id = of_account and reverse(i.number) collate "C" >= reverse(wanted)
        and reverse(i.number) collate "C" < text_end(reverse(wanted))
      order by i.account_id, reverse(i.number) collate "C" limit most;
  end if;
  if not sees_costs then return; end if;
  return query select s.id, case when upper(s.bill_number) = wanted then 0 else 1 end, 'supplier_bill' from supplier_bills s
    where s.account_id = of_account and s.deleted_at is null
      and upper(left(s.bill_number, 60)) collate "C" >= wanted and upper(left(s.bill_number, 60)) collate "C" < text_end(wanted)
    order by s.account_id, upper(left(s.bill_number, 60)) collate "C" limit most;
  return query select o.id, case when upper(o.invoice_number) = wanted then 0 else 1 end, 'operator_invoice' from operator_invoices o
    where o.account_id = of_account and o.deleted_at is null
      and upper(left(o.invoice_number, 60)) collate "C" >= wanted and upper(left(o.invoice_number, 60)) collate "C" < text_end(wanted)
    order by o.account_id, upper(left(o.invoice_number, 60)) collate "C" limit most;
end $$;
alter function find_documents owner to backdesk_system;
revoke all on function find_documents from public;
grant execute on function find_documents to backdesk_app;

-- # exchange-rates

-- Publishers of exchange rates. Rates are public facts, so they belong to the cell and to no account.
create table exchange_rate_sources (
  source text not null check (source ~ '^[a-z0-9][a-z0-9_.-]{0,49}$' and source <> 'same'),
  base   text not null check (base ~ '^[A-Z]{3}$'), -- currency that all rates of the source are quoted in
  primary key (source),
  unique (source, base)
);
grant delete, insert, select, update on exchange_rate_sources to backdesk_system;
grant select on exchange_rate_sources to backdesk_app;

-- Published rates: on a day, currency_units of the currency are worth base_units of the base. Both are kept as
-- published, so inverting a rate loses nothing. The primary key serves the lookup of the latest rate on or before a
-- day: one step backwards in the index.
create table exchange_rates (
  source         text            not null,
  base           text            not null,
  currency       text            not null,
  day            date            not null,
  base_units     numeric(20, 10) not null check (base_units > 0), -- what currency_units are worth in the base
  currency_units numeric(20, 10) not null check (currency_units > 0),
  loaded_at      timestamptz     not null default now(),
  primary key (source, currency, day),
  foreign key (source, base) references exchange_rate_sources(source, base),
  check (currency ~ '^[A-Z]{3}$' and currency <> base)
);
grant delete, insert, select, update on exchange_rates to backdesk_system;
grant select on exchange_rates to backdesk_app;

-- # ticket-printer

-- Files that the ticket printer sent, and what was made of each.
create table ticket_captures (
  account_id        integer     not null,
  id                uuid        not null default uuidv7(),
  status            text        not null check (status in ('parsed', 'duplicate', 'failed')),
  provider          text        not null,
  format            text        not null,
  filename          text,
  encoding          text        not null, -- character set that the bytes were decoded with
  agent             jsonb, -- version, host and os of the desktop agent that sent it
  sha256            bytea       not null,
  content           bytea       storage external, -- the bytes, sealed, which does not compress; null if an earlier capture has the same
  document          jsonb, -- the content as read, with card numbers masked; null if nothing could be read
  document_action   text,
  ticket_numbers    text[],
  duplicate_numbers text[],
  pnr               text,
  part_sequence     text, -- the same in all parts of a transaction
  part_number       smallint,
  part_count        smallint,
  warnings          jsonb       not null default '[]',
  ticket_sale_id    uuid,
  error             text,
  captured_at       timestamptz not null, -- when the file was made, if it says so
  created_at        timestamptz not null default now(),
  cause             text, -- why the capture failed, as a stable code; null if it did not, or if it failed before codes existed
  -- of a failed capture: the beginning of the file with its letters and digits replaced, so that it tells no person and
  -- no amount
  excerpt           text,
  primary key (account_id, id),
  foreign key (account_id) references accounts,
  foreign key (account_id, ticket_sale_id) references bookings,
  check ((status = 'failed') = (error is not null))
);
create index ticket_captures_newest on ticket_captures (account_id, created_at desc, id desc);
create index ticket_captures_bytes on ticket_captures (account_id, sha256);
create index ticket_captures_parts on ticket_captures (account_id, part_sequence) where part_sequence is not null;
create index ticket_captures_sale on ticket_captures (account_id, ticket_sale_id);
create index ticket_captures_failed on ticket_captures (account_id, created_at desc, id desc) where status = 'failed';
create index ticket_captures_kept on ticket_captures (account_id, created_at, id) where content is not null or document is not null;
create trigger stream_inserted after insert on ticket_captures for each row when (not comes_as_it_is()) execute function note_stream_row('ticket_imports');
create trigger stream_updated after update on ticket_captures for each row when (old.status <> new.status) execute function note_stream_row('ticket_imports');
call wall('ticket_captures');

-- What captured files say of document numbers: an issue, or what became of a document later. The capture has the file
-- itself.
create table ticket_document_events (
  account_id      integer     not null,
  id              uuid        not null default uuidv7(),
  capture_id      uuid        not null,
  number          text        not null,
  action          text        not null check (action in ('issue', 'exchange', 'void', 'restore', 'refund', 'refund_cancel')),
  booking_id      uuid, -- the sale that holds the number; null while none does
  document_before text, -- former processes keep the status of the document before the event here
  sale_before     text, -- status of the sale without its voids, refunds and exchanges
  created_at      timestamptz not null default now(),
  entry           boolean     not null default false, -- whether the sale's entry of the document was made of captured files
  primary key (account_id, id),
  foreign key (account_id, capture_id) references ticket_captures,
  foreign key (account_id, booking_id) references bookings
);
create index ticket_document_events_number on ticket_document_events (account_id, number, id desc);
create index ticket_document_events_booking on ticket_document_events (account_id, booking_id, id desc);
create index ticket_document_events_capture on ticket_document_events (account_id, capture_id);
create index ticket_document_events_taken_back on ticket_document_events (account_id, created_at) where action in ('void', 'refund') and booking_id is not null;
call wall('ticket_document_events');

-- # bsp

-- Files in which airlines bill through IATA's BSP, as an agency uploaded them.
create table bsp_billings (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  company_id uuid        not null,
  format     text        not null check (format in ('hot', 'csv')),
  filename   text        not null,
  sha256     bytea       not null, -- uploading the same file again changes nothing
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, sha256),
  foreign key (account_id) references accounts,
  foreign key (account_id, company_id) references companies
);
create index bsp_billings_company on bsp_billings (account_id, company_id);
call wall('bsp_billings');

-- The documents of a billing. If several billings have the same transaction of a document on the same day, the newest
-- one counts; within one billing they add up.
create table bsp_lines (
  account_id  integer        not null,
  billing_id  uuid           not null,
  line        integer        not null, -- its place in the file
  number      text           not null, -- 3-digit airline code and 10 digits
  code        text           not null, -- IATA's transaction code: TKTT, RFND …
  transaction text           not null check (transaction in ('sale', 'refund')),
  void        boolean        not null,
  agent       text, -- IATA number of the office
  issued_on   date           not null,
  period_on   date, -- last day of the billing period
  currency    text           not null,
  fare        numeric(19, 4),
  taxes       numeric(19, 4),
  total       numeric(19, 4) not null, -- negative if the airline pays back, like all amounts here
  exchanged   numeric(19, 4) not null, -- part of the total that was paid with exchanged documents
  commission  numeric(19, 4), -- what the agency keeps; null if the file has none
  remittance  numeric(19, 4), -- what the agency pays
  primary key (account_id, billing_id, line),
  foreign key (account_id, billing_id) references bsp_billings on delete cascade
);
create index bsp_lines_number on bsp_lines (account_id, number);
create index bsp_lines_issued_on on bsp_lines (account_id, issued_on);
create index bsp_lines_period_on on bsp_lines (account_id, period_on) where period_on is not null;
call wall('bsp_lines');

-- # leads

-- Enquiries that may become customers and trips.
create table leads (
  account_id           integer        not null,
  id                   uuid           not null default uuidv7(),
  company_id           uuid           not null,
  branch_id            uuid,
  source_system        text,
  external_id          text,
  name                 text           not null,
  email                text,
  email_key            text           generated always as (lower(email)) stored,
  phone                text, -- E.164
  stage                text           not null default 'inbox',
  stage_changed_at     timestamptz    not null default now(),
  source               text, -- a term of lead_source
  estimated_value      numeric(19, 4),
  currency             text,
  party_size           integer,
  destinations         text[]         not null default '{}',
  imported_customer_id uuid, -- the customer that the import names; the conversion decides which one it becomes
  customer_id          uuid, -- set by the conversion
  converted_at         timestamptz,
  notes                text,
  version              integer        not null default 1,
  changed              bigint         not null, -- see change_number()
  created_at           timestamptz    not null default now(),
  updated_at           timestamptz    not null default now(),
  deleted_at           timestamptz,
  message              text,
  target_departure_on  date,
  target_return_on     date,
  flexible_dates       boolean        not null default false,
  adult_count          integer,
  child_count          integer,
  occasion             text,
  trip_type            text,
  budget_per_person    numeric(19, 4),
  tags                 text[]         not null default '{}',
  assigned_to_id       uuid,
  lost_reason          text,
  lost_notes           text,
  first_responded_at   timestamptz,
  trip_id              uuid, -- set by the conversion
  score                integer        not null default 0 check (score between 0 and 100), -- see lead_score()
  -- What `q` searches. No name contains the separator, so no match spans two of the parts.
  search               text           generated always as (fold((((name || E'\n') || coalesce(email, '')) || E'\n') || coalesce(phone, ''))) stored,
  referral_code_id     uuid,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, imported_customer_id) references customers,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, assigned_to_id) references seats,
  foreign key (account_id, trip_id) references trips,
  foreign key (account_id, referral_code_id) references referral_codes,
  check (target_return_on >= target_departure_on)
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
create index leads_name_start on leads (account_id, "left"(search, 40) collate "c") where deleted_at is null;
create index leads_last_name on leads (account_id, "left"(split_part(split_part(search, E'\n', 1), ' ', '-1'), 40) collate "c") where deleted_at is null;
create trigger follow before insert or update on leads for each row when (not comes_as_it_is()) execute function follow_lead();
create trigger stamp before insert or update on leads for each row when (not comes_as_it_is()) execute function stamp();
call audit_unlinking('leads', 'customer_id', 'customer');
call audit_unlinking('leads', 'imported_customer_id', 'customer');
call audit_unlinking('leads', 'trip_id', 'trip');
call wall('leads');

-- Stages that a lead moved through. The first move has no from_stage; moves by imports have no actor.
create table lead_moves (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  lead_id    uuid        not null,
  from_stage text,
  to_stage   text        not null,
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

-- How much attention a lead deserves on a day, from 0 to 100. Amounts count by their order of magnitude, so that
-- currencies need no rates: a currency fifty times weaker moves the score by about eight points at most.
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

-- Sets the columns that follow from the others, whoever writes the lead: the API, an import or a conversion. Moving a
-- lead out of the inbox counts as its first response. It is scored on the account's day, not the server's.
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

-- The leads of the account that match a pattern. See customers_like().
create function leads_like(pattern text) returns setof uuid language sql stable security definer set search_path=public, pg_temp as $$ select id from leads
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and search like pattern $$;
alter function leads_like owner to backdesk_system;
revoke all on function leads_like from public;
grant execute on function leads_like to backdesk_app;

-- Leads for a search, by name, e-mail and phone.
create function find_leads(sought text, number text, hides_restricted boolean, most integer) returns table(id uuid, rank integer) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  hidden constant text[] := case when hides_restricted
    then array(select r.name from restricted_tags r where r.account_id = of_account) else '{}' end;
  pattern constant text := '%' || like_text(sought) || '%';
  digits constant text := coalesce('%' || number || '%', pattern);
  most_of_each constant integer := most * 4; -- some are of hidden customers
  found integer := 0;
  made integer;
begin
  if sought is null then return; end if;
  return query select l.id, 1 from (
      select n.id, n.customer_id, n.imported_customer_id from leads n where n.account_id = of_account and n.deleted_at is null
        and left(n.search, 40) collate "C" >= sought and left(n.search, 40) collate "C" < text_end(sought)
      order by n.account_id, left(n.search, 40) collate "C" limit most_of_each) l
    left join customers c on c.account_id = of_account and c.id = coalesce(l.customer_id, l.imported_customer_id)
    where not coalesce(c.tags && hidden, false) limit most;
  get diagnostics found = row_count;
  return query select l.id, 1 from (
      select n.id, n.customer_id, n.imported_customer_id from leads n where n.account_id = of_account and n.deleted_at is null
        and left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" >= sought
        and left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" < text_end(sought)
        and not (left(n.search, 40) collate "C" >= sought and left(n.search, 40) collate "C" < text_end(sought))
      order by n.account_id, left(split_part(split_part(n.search, E'\n', 1), ' ', -1), 40) collate "C" limit most_of_each) l
    left join customers c on c.account_id = of_account and c.id = coalesce(l.customer_id, l.imported_customer_id)
    where not coalesce(c.tags && hidden, false) limit most;
  get diagnostics made = row_count;
  found := found + made;
  if found >= most then return; end if;
  return query select l.id, 2 from (
      select n.id, n.search, n.customer_id, n.imported_customer_id from leads n
      where n.account_id = of_account and n.deleted_at is null order by n.account_id desc, n.created_at desc limit 1000) l
    left join customers c on c.account_id = of_account and c.id = coalesce(l.customer_id, l.imported_customer_id)
    where (l.search like pattern or l.search like digits) and not coalesce(c.tags && hidden, false) limit most;
  get diagnostics made = row_count;
  if found + made >= most or length(sought) < 3 then return; end if;
  return query select n.id, 2 from (select leads_like(digits) as id limit most * 20) l
    join leads n on n.account_id = of_account and n.id = l.id
    left join customers c on c.account_id = of_account and c.id = coalesce(n.customer_id, n.imported_customer_id)
    where not coalesce(c.tags && hidden, false) limit most;
end $$;
alter function find_leads owner to backdesk_system;
revoke all on function find_leads from public;
grant execute on function find_leads to backdesk_app;

-- # referrals

-- Codes that customers hand on. They are public, so they are stored in the clear.
create table referral_codes (
  account_id     integer     not null,
  id             uuid        not null default uuidv7(),
  token          text        not null,
  label          text,
  company_id     uuid        not null, -- the company that gets the leads
  customer_id    uuid, -- who hands it on
  trip_id        uuid, -- the trip that its page describes
  assigned_to_id uuid, -- who gets the leads; null: the account's owner
  active         boolean     not null default true,
  visits         integer     not null default 0,
  created_at     timestamptz not null default now(),
  primary key (account_id, id),
  unique (token), -- finds the account
  foreign key (account_id) references accounts,
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, trip_id) references trips on delete set null (trip_id),
  foreign key (account_id, assigned_to_id) references seats
);
create index referral_codes_company on referral_codes (account_id, company_id);
create index referral_codes_customer on referral_codes (account_id, customer_id) where customer_id is not null;
create index referral_codes_trip on referral_codes (account_id, trip_id) where trip_id is not null;
create index referral_codes_assigned on referral_codes (account_id, assigned_to_id) where assigned_to_id is not null;
call audit_unlinking('referral_codes', 'customer_id', 'customer');
call wall('referral_codes');

-- Visitors of a code's page on a day, so that each is counted once. Purged after that day.
create table referral_visits (
  account_id       integer  not null,
  referral_code_id uuid     not null,
  day              date     not null, -- on the account's clock
  visitor          bytea    not null, -- keyed hash of the address and the browser; only the cell has the key
  enquiries        smallint not null default 0,
  primary key (account_id, referral_code_id, day, visitor),
  foreign key (account_id, referral_code_id) references referral_codes on delete cascade
);
create index referral_visits_day on referral_visits (day); -- those of days gone by are purged for all accounts
call wall('referral_visits');

-- # trips

-- Journeys of customers, day by day.
create table trips (
  account_id               integer     not null,
  id                       uuid        not null default uuidv7(),
  company_id               uuid        not null,
  branch_id                uuid,
  reference_number         text        not null,
  title                    text        not null,
  summary                  text,
  internal_notes           text,
  status                   text        not null check (status in ('draft', 'planning', 'proposed', 'on_hold', 'confirmed', 'in_progress', 'completed', 'cancelled')),
  trip_type                text        check (trip_type in ('leisure', 'honeymoon', 'family', 'group', 'corporate', 'mice', 'cruise', 'pilgrimage', 'education')),
  start_date               date,
  end_date                 date,
  destinations             text[]      not null default '{}',
  primary_currency         text,
  cover_image_url          text,
  assigned_advisor_id      uuid,
  settings                 jsonb       not null, -- show_prices, language
  notification_preferences jsonb       not null default '{}',
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  search                   text        generated always as (fold((title || E'\n') || reference_number)) stored, -- what `q` searches
  -- lists order by it, trips without a date last; a plain column, so that the wall allows an index
  starts                   date        generated always as (coalesce(start_date, 'infinity')) stored,
  version                  integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  unique (account_id, reference_number),
  foreign key (account_id) references accounts,
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, assigned_advisor_id) references seats,
  check (end_date >= start_date)
);
create index trips_starts on trips (account_id, starts, id);
create index trips_ended on trips (account_id, end_date) where end_date is not null;
create index trips_search on trips using gin (account_id, search gin_trgm_ops);
create index trips_company on trips (account_id, company_id);
create index trips_branch on trips (account_id, branch_id);
create index trips_advisor on trips (account_id, assigned_advisor_id) where assigned_advisor_id is not null;
create index trips_title_start on trips (account_id, "left"(search, 40) collate "c");
create trigger count_version before update on trips for each row execute function count_changes('version', 'search', 'starts');
create trigger note_deleted after delete on trips referencing old table as changed for each statement execute function note_changed_trips('filing', 'facts', 'schedule');
create trigger note_inserted after insert on trips referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_changed_trips('filing', 'facts', 'schedule');
create trigger note_updated after update on trips referencing old table as former new table as changed for each statement execute function note_changed_trips('filing', 'facts', 'schedule');
create trigger stream_deleted after delete on trips referencing old table as changed for each statement execute function note_stream_rows('trips');
create trigger stream_inserted after insert on trips referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_stream_rows('trips');
create trigger stream_updated after update on trips referencing new table as changed for each statement execute function note_stream_rows('trips');
call wall('trips');

-- The last reference number of each year. A row instead of a sequence, so that a rollback leaves no gap.
create table trip_counters (
  account_id integer not null,
  year       integer not null,
  last       integer not null,
  primary key (account_id, year),
  foreign key (account_id) references accounts
);
call wall('trip_counters');

-- Days of a trip. The API addresses them by their number, from 1.
create table trip_days (
  account_id       integer       not null,
  id               uuid          not null default uuidv7(),
  trip_id          uuid          not null,
  day_number       integer       not null check (day_number > 0),
  position         integer       not null,
  date             date,
  title            text,
  description      text,
  primary_location text,
  latitude         numeric(9, 6),
  longitude        numeric(9, 6),
  timezone         text,
  cover_image_url  text,
  created_at       timestamptz   not null default now(),
  updated_at       timestamptz   not null default now(),
  found_place      jsonb, -- where the day is, as the job found it; columns changed by hand keep what was written
  version          integer       not null default 1, -- counts its changes besides its place in the trip
  primary key (account_id, id),
  unique (account_id, trip_id, day_number) deferrable,
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_days_position on trip_days (account_id, trip_id, "position");
create trigger count_version before update on trip_days for each row execute function count_changes('version', 'day_number', 'position', 'date');
create trigger note_deleted after delete on trip_days referencing old table as changed for each statement execute function note_changed_trips('facts');
create trigger note_inserted after insert on trip_days referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_changed_trips('facts');
create trigger note_updated after update on trip_days referencing old table as former new table as changed for each statement execute function note_changed_trips('facts');
call wall('trip_days');

-- Customers who buy a trip. One of them is the primary customer.
create table trip_customers (
  account_id  integer not null,
  trip_id     uuid    not null,
  customer_id uuid    not null,
  is_primary  boolean not null default false,
  primary key (account_id, trip_id, customer_id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, customer_id) references customers
);
create unique index trip_customers_primary on trip_customers (account_id, trip_id) where is_primary;
create index trip_customers_customer on trip_customers (account_id, customer_id);
create trigger note_deleted after delete on trip_customers referencing old table as changed for each statement execute function note_changed_trips('filing');
create trigger note_inserted after insert on trip_customers referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_changed_trips('filing');
create trigger note_updated after update on trip_customers referencing old table as former new table as changed for each statement execute function note_changed_trips('filing');
call wall('trip_customers');

-- Who travels: a customer, an entry of a traveller directory, or only a name.
create table trip_travelers (
  account_id  integer not null,
  id          uuid    not null default uuidv7(),
  trip_id     uuid    not null,
  customer_id uuid,
  traveler_id uuid,
  name        text,
  is_lead     boolean not null default false,
  position    integer not null,
  version     integer not null default 1, -- counts its changes besides its place in the list
  primary key (account_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, traveler_id) references travelers,
  check (num_nonnulls(customer_id, traveler_id, name) > 0)
);
create index trip_travelers_trip on trip_travelers (account_id, trip_id);
create index trip_travelers_customer on trip_travelers (account_id, customer_id) where customer_id is not null;
create index trip_travelers_traveler on trip_travelers (account_id, traveler_id) where traveler_id is not null;
create trigger count_version before update on trip_travelers for each row execute function count_changes('version', 'position');
call audit_unlinking('trip_travelers', 'customer_id', 'customer');
call wall('trip_travelers');

-- What happens on a day of a trip.
create table trip_segments (
  account_id          integer        not null,
  id                  uuid           not null default uuidv7(),
  trip_id             uuid           not null,
  trip_day_id         uuid           not null,
  segment_type        text           not null check (segment_type in ('flight', 'lodging', 'transfer', 'car_rental', 'rail', 'bus', 'ferry', 'cruise', 'tour', 'activity', 'dining', 'insurance', 'visa', 'event', 'meeting_point', 'free_time', 'note')),
  status              text           not null default 'draft' check (status in ('draft', 'proposed', 'option', 'confirmed', 'ticketed', 'cancelled')),
  title               text,
  description         text,
  internal_notes      text, -- never shown to a traveller
  position            integer        not null,
  start_time          timestamp, -- local time at the place; of a flight, at each airport
  end_time            timestamp,
  duration_minutes    integer        check (duration_minutes >= 0),
  location_name       text,
  location_address    text,
  is_optional         boolean        not null default false,
  is_highlighted      boolean        not null default false,
  is_client_visible   boolean        not null default true,
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
  created_at          timestamptz    not null default now(),
  updated_at          timestamptz    not null default now(),
  version             integer        not null default 1, -- counts its changes besides its place in the day
  primary key (account_id, id),
  unique (account_id, booking_id, piece),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, trip_day_id) references trip_days,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, booking_id) references bookings,
  check ((booking_id is null) = (piece is null))
);
create index trip_segments_day on trip_segments (account_id, trip_day_id, "position");
create index trip_segments_trip on trip_segments (account_id, trip_id);
create index trip_segments_supplier on trip_segments (account_id, supplier_id) where supplier_id is not null;
create trigger count_version before update on trip_segments for each row execute function count_changes('version', 'position', 'derived');
create trigger note_deleted after delete on trip_segments referencing old table as changed for each statement execute function note_changed_trips('facts', 'schedule');
create trigger note_inserted after insert on trip_segments referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_changed_trips('facts', 'schedule');
create trigger note_updated after update on trip_segments referencing old table as former new table as changed for each statement execute function note_changed_trips('facts', 'schedule');
call wall('trip_segments');

-- Changes of trips that can still be undone, for some minutes.
create table trip_changes (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  trip_id    uuid        not null,
  action     text        not null,
  rows       jsonb       not null, -- the rows that changed, each with its columns before and after
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_changes_trip on trip_changes (account_id, trip_id);
create index trip_changes_created on trip_changes (created_at); -- those that are too old to undo are purged for all accounts
call wall('trip_changes');

-- The trips of the account that match a pattern. See customers_like().
create function trips_like(pattern text) returns setof uuid language sql stable security definer set search_path=public, pg_temp as $$ select id from trips where account_id = nullif(current_setting('app.account', true), '')::integer and search like pattern $$;
alter function trips_like owner to backdesk_system;
revoke all on function trips_like from public;
grant execute on function trips_like to backdesk_app;

-- Trips for a search, by reference number and title.
create function find_trips(code text, sought text, most integer) returns table(id uuid, rank integer) language plpgsql stable security definer set search_path=public, pg_temp as $$
declare
  of_account constant integer := nullif(current_setting('app.account', true), '')::integer;
  pattern constant text := '%' || like_text(sought) || '%';
  found integer := 0;
  made integer;
begin
  return query select t.id, 0 from trips t where t.account_id = of_account and t.reference_number = upper(code);
  get diagnostics found = row_count;
  if found > 0 or sought is null then return; end if;
  return query select t.id, 1 from trips t
    where t.account_id = of_account and left(t.search, 40) collate "C" >= sought and left(t.search, 40) collate "C" < text_end(sought)
    order by t.account_id, left(t.search, 40) collate "C" limit most;
  get diagnostics found = row_count;
  if found >= most then return; end if;
  return query select t.id, 2 from (
      select n.id, n.search from trips n where n.account_id = of_account order by n.account_id desc, n.starts desc, n.id desc limit 1000) t
    where t.search like pattern limit most;
  get diagnostics made = row_count;
  if found + made >= most or length(sought) < 3 then return; end if;
  return query select l.id, 2 from (select trips_like(pattern) as id limit most * 2) l;
end $$;
alter function find_trips owner to backdesk_system;
revoke all on function find_trips from public;
grant execute on function find_trips to backdesk_app;

-- A row of a trip, or of a part of it, without what is no change: when it was written, and where the job found a day to
-- be.
create function trip_content(stored jsonb) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(stored - array['updated_at', 'found_place'] - array(
    select found.key from jsonb_each(nullif(stored -> 'found_place', 'null')) found where found.value = stored -> found.key))
$$;

-- Trigger on trips and their parts. Its arguments are what follows from a change: filing, facts, schedule. Rows that
-- are the same before and after are no change; a part that moves changes both its trips.
create function note_changed_trips() returns trigger language plpgsql as $$
declare
  noted record;
  contents jsonb[];
begin
  if tg_op = 'UPDATE' then
    contents := array(
      (select trip_content(to_jsonb(f)) from former f except select trip_content(to_jsonb(c)) from changed c)
      union all
      (select trip_content(to_jsonb(c)) from changed c except select trip_content(to_jsonb(f)) from former f));
  else
    contents := array(select to_jsonb(c) from changed c);
  end if;
  for noted in
    select (content ->> 'account_id')::integer as account,
      array_agg(distinct coalesce(content ->> 'trip_id', content ->> 'id')::uuid) as trips,
      array_agg(distinct coalesce(content ->> 'trip_id', content ->> 'id')::uuid)
        filter (where tg_op <> 'INSERT' or content -> 'by_hand' is distinct from 'false') as by_hand
    from unnest(contents) content
    where tg_table_name = 'trips' or content ->> 'trip_id' is not null group by 1
  loop
    if 'filing' = any(tg_argv) then perform refile_bookings(noted.account, noted.by_hand); end if;
    if 'facts' = any(tg_argv) then perform request_day_facts(noted.account, noted.trips); end if;
    if 'schedule' = any(tg_argv) then perform request_schedules(noted.account, noted.trips); end if;
  end loop;
  return null;
end $$;

-- Makes the triggers that note changes of a table, with what follows from them.
create procedure note_changes(noted regclass, variadic follows text[]) language plpgsql as $$
declare
  arguments text := (select string_agg(quote_literal(one), ', ') from unnest(follows) one);
begin
  execute format('create trigger note_inserted after insert on %s referencing new table as changed
    for each statement when (not comes_as_it_is()) execute function note_changed_trips(%s)', noted, arguments);
  execute format('create trigger note_updated after update on %s referencing old table as former new table as changed
    for each statement execute function note_changed_trips(%s)', noted, arguments);
  execute format('create trigger note_deleted after delete on %s referencing old table as changed
    for each statement execute function note_changed_trips(%s)', noted, arguments);
end $$;

-- Counts the version of a changed row of a trip. Its arguments are columns whose changes do not count.
create function count_changes() returns trigger language plpgsql as $$
begin
  if trip_content(to_jsonb(new)) - tg_argv is distinct from trip_content(to_jsonb(old)) - tg_argv then
    new.version := old.version + 1;
  end if;
  return new;
end $$;

-- # filing

-- The trip that a booking belongs to, filed by the job or by hand.
create table trip_bookings (
  account_id integer     not null,
  booking_id uuid        not null,
  trip_id    uuid, -- null if somebody took it out of its trip; the job then leaves it alone
  created_at timestamptz not null default now(),
  by_hand    boolean     not null default true, -- false: the job filed it, and derives its segments in the same transaction
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings,
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_bookings_trip on trip_bookings (account_id, trip_id);
create trigger note_deleted after delete on trip_bookings referencing old table as changed for each statement execute function note_changed_trips('filing', 'schedule');
create trigger note_inserted after insert on trip_bookings referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_changed_trips('filing', 'schedule');
create trigger note_updated after update on trip_bookings referencing old table as former new table as changed for each statement execute function note_changed_trips('filing', 'schedule');
call audit_unlinking('trip_bookings', 'trip_id', 'trip', 'booking_id');
call wall('trip_bookings');

-- The change number up to which an account's bookings are filed. The table is a queue: accounts that lag behind are
-- due.
create table trip_filings (
  account_id   integer     not null,
  changed      bigint      not null default 0,
  booking_id   uuid        not null default 'ffffffff-ffff-ffff-ffff-ffffffffffff', -- last booking with that number that was filed
  leased_by    uuid,
  leased_until timestamptz,
  primary key (account_id),
  foreign key (account_id) references accounts
);
call wall('trip_filings');

-- Trips that are new, or whose dates or customers changed: the bookings of their customers are filed again.
create table trip_refilings (
  account_id integer not null,
  trip_id    uuid    not null,
  id         uuid    not null default uuidv7(),
  booking_id uuid    not null default '00000000-0000-0000-0000-000000000000', -- last booking that was looked at
  primary key (account_id, trip_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
call wall('trip_refilings');

-- Bookings that fit no trip, or several, and when somebody was notified of them.
create table unfiled_bookings (
  account_id  integer     not null,
  booking_id  uuid        not null,
  customer_id uuid        not null,
  first_day   date        not null,
  last_day    date        not null,
  trips       integer     not null, -- number of trips that it fits
  told_at     timestamptz, -- when somebody was notified
  primary key (account_id, booking_id),
  foreign key (account_id, booking_id) references bookings
);
create index unfiled_bookings_untold on unfiled_bookings (account_id) where told_at is null;
call wall('unfiled_bookings');

-- Has the bookings of these trips and of their customers looked at again.
create function refile_bookings(account integer, trips uuid[]) returns void language sql as $$
  insert into trip_refilings (account_id, trip_id) select t.account_id, t.id from trips t
  where t.account_id = account and t.id = any(trips) and not exists (select from trip_refilings r
    where r.account_id = t.account_id and r.trip_id = t.id and r.xmin = pg_current_xact_id()::xid) -- noted by this transaction
$$;

-- # day-facts

-- Facts about a day that others provide: weather, currency, country. A queue for each kind.
create table trip_day_facts (
  account_id      integer     not null,
  trip_day_id     uuid        not null,
  kind            text        not null check (kind in ('weather', 'currency', 'general')),
  data            jsonb,
  provider        text,
  about           text, -- what the data depends on: a place and a day, a country …
  failures        integer     not null default 0, -- since the last success
  updated_at      timestamptz,
  next_attempt_at timestamptz not null default now(), -- during an attempt, the end of its lease
  primary key (account_id, trip_day_id, kind),
  foreign key (account_id, trip_day_id) references trip_days on delete cascade
);
create index trip_day_facts_due on trip_day_facts (kind, next_attempt_at); -- the queue of day facts asks for all accounts
call wall('trip_day_facts');

-- Requests every fact of the days of these trips again. A worker that asks a provider at the moment loses the lease,
-- since the answer may be to a former question.
create function request_day_facts(account integer, trips uuid[]) returns void language sql as $$
  insert into trip_day_facts as f (account_id, trip_day_id, kind)
  select d.account_id, d.id, kind from trip_days d cross join unnest(array['weather', 'currency', 'general']) kind
  where d.account_id = account and d.trip_id = any(trips)
  order by d.id, kind
  on conflict (account_id, trip_day_id, kind) do update set next_attempt_at = now(), failures = 0
    where f.next_attempt_at > now()
$$;

-- # trip-notifications

-- Schedule of a trip's notifications, a queue. Each is sent once. Welcome-home, survey, anniversary and rebook are
-- touches: they are sent after the trip.
create table trip_notifications (
  account_id       integer     not null,
  id               uuid        not null default uuidv7(),
  trip_id          uuid        not null,
  kind             text        not null check (kind in ('payment_due', 'documents_due', 'passport_check', 'online_check_in', 'pre_departure', 'bon_voyage', 'welcome_home', 'survey', 'anniversary', 'rebook')),
  channel          text        not null,
  audience         text        not null check (audience in ('traveler', 'advisor')),
  anchor           text        not null check (anchor in ('start_date', 'end_date', 'balance_due_on')),
  offset_days      integer     not null,
  send_at          timestamptz not null,
  status           text        not null default 'scheduled' check (status in ('scheduled', 'sent', 'skipped', 'failed', 'cancelled')),
  skipped_reason   text,
  communication_id uuid,
  sent_at          timestamptz,
  leased_by        uuid,
  next_attempt_at  timestamptz not null, -- send_at, or the end of a lease
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, trip_id, kind, audience),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, communication_id) references communications on delete set null (communication_id)
);
-- the queue of trip notifications asks for all accounts
create index trip_notifications_due on trip_notifications (next_attempt_at) where status = 'scheduled';
-- The retention dashboard lists the newest touches. One that was already past when it was scheduled does not count.
create index trip_notifications_touches on trip_notifications (account_id, send_at) where kind in ('welcome_home', 'survey', 'anniversary', 'rebook') and status <> 'cancelled' and created_at <= send_at;
create index trip_notifications_communication on trip_notifications (account_id, communication_id) where communication_id is not null;
call wall('trip_notifications');

-- Trips whose notifications have to be scheduled again. A transaction of the program empties it of its own trips before
-- it commits. The table is a queue for what others write.
create table trip_reschedulings (
  account_id      integer     not null,
  trip_id         uuid        not null,
  id              uuid        not null default uuidv7(),
  next_attempt_at timestamptz not null default now(), -- while a worker has it, the end of its lease
  leased_by       uuid,
  primary key (account_id, trip_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_reschedulings_due on trip_reschedulings (next_attempt_at); -- the queue of notification schedules asks for all accounts
call wall('trip_reschedulings');

-- Has the notifications of these trips scheduled again.
create function request_schedules(account integer, trips uuid[]) returns void language sql as $$
  insert into trip_reschedulings (account_id, trip_id) select t.account_id, t.id from trips t
  where t.account_id = account and t.id = any(trips) and not exists (select from trip_reschedulings r
    where r.account_id = t.account_id and r.trip_id = t.id and r.xmin = pg_current_xact_id()::xid) -- noted by this transaction
$$;

-- # trip-pages

-- Links under which a trip can be read without a key.
create table share_links (
  account_id      integer     not null,
  id              uuid        not null default uuidv7(),
  trip_id         uuid        not null,
  label           text,
  audience        text        not null check (audience in ('traveler', 'companion', 'supplier')),
  supplier_id     uuid,
  token_hash      bytea       not null, -- SHA-256
  token_hint      text        not null,
  show_prices     boolean     not null,
  show_travelers  boolean     not null,
  password_hash   text, -- scrypt
  failed_attempts integer     not null default 0, -- no longer used; the version before share_link_attempts writes it
  blocked_until   timestamptz, -- no longer used; the version before share_link_attempts writes it
  expires_at      timestamptz,
  revoked_at      timestamptz,
  view_count      integer     not null default 0,
  last_viewed_at  timestamptz,
  created_by_id   uuid,
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  unique (token_hash), -- finds the account
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, created_by_id) references seats,
  check ((audience = 'supplier') = (supplier_id is not null))
);
create index share_links_trip on share_links (account_id, trip_id, created_at);
create index share_links_supplier on share_links (account_id, supplier_id) where supplier_id is not null;
call wall('share_links');

-- Wrong passwords of share links by visitor, so that one visitor's attempts make nobody else wait. The row with the
-- empty visitor counts those of all.
create table share_link_attempts (
  account_id    integer     not null,
  share_link_id uuid        not null,
  visitor       bytea       not null, -- hash of the visitor's network, with a secret of the cell
  failed        integer     not null,
  since         timestamptz not null, -- counted for a day from here on, then anew
  blocked_until timestamptz,
  primary key (account_id, share_link_id, visitor),
  foreign key (account_id, share_link_id) references share_links on delete cascade
);
create index share_link_attempts_since on share_link_attempts (since); -- the purge asks for all accounts
call wall('share_link_attempts');

-- # communications

-- Messages that came in, that went out, and what was noted inside the agency.
create table communications (
  account_id     integer     not null,
  id             uuid        not null default uuidv7(),
  company_id     uuid        not null,
  customer_id    uuid,
  trip_id        uuid,
  direction      text        not null check (direction in ('inbound', 'outbound', 'internal')),
  channel        text        not null check (channel in ('email', 'sms', 'whatsapp', 'phone', 'meeting', 'web_chat', 'other')),
  purpose        text        not null default 'conversation' check (purpose in ('conversation', 'service', 'marketing')),
  status         text        not null check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'received', 'recorded')),
  subject        text,
  body_plain     text,
  body_html      text, -- sanitised before it is stored
  from_address   text,
  reply_to       text,
  to_addresses   text[]      not null default '{}',
  cc_addresses   text[]      not null default '{}',
  thread_id      uuid        not null, -- thread of the message that it answers, else its own id
  in_reply_to    text, -- as the sender named it: an id of this table, or a Message-ID
  external_id    text, -- the provider's id
  metadata       jsonb,
  author_id      uuid,
  sent_at        timestamptz,
  delivered_at   timestamptz,
  read_at        timestamptz,
  failed_at      timestamptz,
  failure_reason text        check (failure_reason in ('invalid_recipient', 'unsubscribed', 'no_active_session', 'provider_rejected', 'timeout', 'bounced', 'not_configured')),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  -- what `q` searches
  search         text        generated always as (fold((coalesce(subject, '') || E'\n') || coalesce(body_plain, ''))) stored,
  primary key (account_id, id),
  foreign key (account_id) references accounts,
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, trip_id) references trips,
  foreign key (account_id, author_id) references seats,
  check ((direction = 'inbound') = (status = 'received')),
  check (direction <> 'internal' or status = 'recorded')
);
create index communications_newest on communications (account_id, created_at, id);
create index communications_channel on communications (account_id, channel, created_at, id);
create index communications_direction on communications (account_id, direction, created_at, id);
create index communications_customer on communications (account_id, customer_id, created_at, id) where customer_id is not null;
create index communications_trip on communications (account_id, trip_id, created_at, id) where trip_id is not null;
create index communications_thread on communications (account_id, thread_id, created_at, id);
create index communications_unread on communications (account_id, created_at, id) where direction = 'inbound' and read_at is null;
create index communications_unread_trip on communications (account_id, trip_id) where direction = 'inbound' and read_at is null and trip_id is not null;
create index communications_external on communications (account_id, external_id) where external_id is not null;
create index communications_search on communications using gin (account_id, search gin_trgm_ops);
create index communications_company on communications (account_id, company_id);
create index communications_author on communications (account_id, author_id) where author_id is not null;
create trigger stream_deleted after delete on communications referencing old table as changed for each statement execute function note_stream_rows('communications');
create trigger stream_inserted after insert on communications referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_stream_rows('communications');
create trigger stream_updated after update on communications referencing new table as changed for each statement execute function note_stream_rows('communications');
call audit_unlinking('communications', 'customer_id', 'customer');
call audit_unlinking('communications', 'trip_id', 'trip');
call wall('communications');

-- Message-IDs that tie messages into threads: a message's own, and those that it answers.
create table message_ids (
  account_id       integer not null,
  message_id       text    not null, -- with its angle brackets
  communication_id uuid    not null,
  own              boolean not null,
  primary key (account_id, message_id, communication_id),
  foreign key (account_id, communication_id) references communications on delete cascade
);
create index message_ids_communication on message_ids (account_id, communication_id);
call wall('message_ids');

-- Files attached to messages.
create table communication_attachments (
  account_id       integer not null,
  file_id          uuid    not null,
  communication_id uuid    not null,
  primary key (account_id, file_id), -- a file is attached once
  foreign key (account_id, file_id) references files,
  foreign key (account_id, communication_id) references communications
);
create index communication_attachments_communication on communication_attachments (account_id, communication_id);
call wall('communication_attachments');

-- Queue of what is being sent: a message, or a mail to a seat, which is in no inbox. The row is deleted when the
-- outcome is known.
create table message_sends (
  account_id       integer     not null,
  id               uuid        not null default uuidv7(),
  communication_id uuid,
  seat_mail        jsonb, -- {to, subject, plain, html, file}
  -- each has its own queue, so that neither delays the other
  transport        text        not null check (transport in ('mail', 'messaging')),
  attempts         integer     not null default 0,
  attempted_at     timestamptz, -- start of the last attempt, written before it is made
  leased_by        uuid, -- stays if an attempt ends with an unknown outcome
  next_attempt_at  timestamptz not null default now(), -- during an attempt, the end of its lease
  created_at       timestamptz not null default now(),
  -- text of a mail to a seat with a link that signs in: {plain, html}, sealed; seat_mail then has the other attributes
  sealed_text      bytea,
  primary key (account_id, id),
  unique (account_id, communication_id),
  foreign key (account_id, communication_id) references communications on delete cascade,
  check ((communication_id is null) <> (seat_mail is null))
);
create index message_sends_due on message_sends (account_id, transport, next_attempt_at);
call wall('message_sends');

-- Messages that an account sent on each day of its own clock, counted for its daily limit.
create table message_days (
  account_id integer not null,
  day        date    not null,
  messages   integer not null,
  primary key (account_id, day),
  foreign key (account_id) references accounts
);
call wall('message_days');

-- An account's own texts for automated messages.
create table message_templates (
  account_id integer     not null,
  kind       text        not null,
  locale     text        not null check (locale in ('en', 'tr')),
  subject    text        not null,
  body       text        not null,
  updated_at timestamptz not null default now(),
  -- counts its changes from the millisecond of its creation, so that an editor who read another text is refused
  version    bigint      not null default (extract(epoch from now()) * 1000)::bigint,
  primary key (account_id, kind, locale),
  foreign key (account_id) references accounts
);
call wall('message_templates');

-- How far each mailbox has been read.
create table mailboxes (
  account_id   integer     not null,
  name         text        not null, -- user@host/folder
  uid_validity bigint      not null,
  last_uid     bigint      not null,
  fetched_at   timestamptz not null default now(),
  primary key (account_id, name),
  foreign key (account_id) references accounts
);
call wall('mailboxes');

-- The messages of the account that match a pattern. See customers_like().
create function communications_like(pattern text) returns setof uuid language sql stable security definer set search_path=public, pg_temp as $$ select id from communications where account_id = nullif(current_setting('app.account', true), '')::integer and search like pattern $$;
alter function communications_like owner to backdesk_system;
revoke all on function communications_like from public;
grant execute on function communications_like to backdesk_app;

-- # birthdays

-- Birthday greetings of customers who opted in, one a year.
create table birthday_greetings (
  account_id       integer     not null,
  id               uuid        not null default uuidv7(),
  customer_id      uuid        not null,
  celebrated_on    date        not null,
  status           text        not null check (status in ('sent', 'skipped')),
  skipped_reason   text,
  communication_id uuid,
  sent_at          timestamptz,
  created_at       timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, customer_id, celebrated_on),
  foreign key (account_id, customer_id) references customers
);
create index birthday_greetings_newest on birthday_greetings (account_id, created_at);
call wall('birthday_greetings');

-- # surveys

-- What the primary customer of a trip is asked after it, once, and the answer.
create table surveys (
  account_id        integer     not null,
  id                uuid        not null default uuidv7(),
  trip_id           uuid        not null,
  customer_id       uuid        not null,
  advisor_id        uuid, -- who looked after the trip when the customer was asked
  invited_at        timestamptz not null default now(),
  started_at        timestamptz, -- a person opened the page; robots do not count
  completed_at      timestamptz, -- first answer; it may be changed for a day
  nps               smallint    check (nps between 0 and 10), -- how likely the customer is to recommend the agency
  comment           text,
  follow_up_task_id uuid, -- of a detractor
  reminder_status   text        not null default 'scheduled' check (reminder_status in ('scheduled', 'sent', 'skipped')),
  reminder_due_at   timestamptz not null,
  leased_by         uuid,
  next_attempt_at   timestamptz not null, -- reminder_due_at, or the end of a lease
  primary key (account_id, id),
  unique (account_id, trip_id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, advisor_id) references seats,
  foreign key (account_id, follow_up_task_id) references tasks on delete set null (follow_up_task_id),
  check ((completed_at is null) = (nps is null)),
  check (completed_at is null or started_at is not null)
);
create index surveys_invited on surveys (account_id, invited_at);
create index surveys_customer on surveys (account_id, customer_id, invited_at);
create index surveys_advisor on surveys (account_id, advisor_id) where advisor_id is not null;
create index surveys_follow_up on surveys (account_id, follow_up_task_id) where follow_up_task_id is not null;
-- the queue of survey reminders asks for all accounts
create index surveys_reminder_due on surveys (next_attempt_at) where reminder_status = 'scheduled' and completed_at is null;
call audit_unlinking('surveys', 'customer_id', 'customer');
call wall('surveys');

-- Ratings of what happened on the trip. A rating stays when its segment is deleted.
create table survey_ratings (
  account_id  integer  not null,
  id          uuid     not null default uuidv7(),
  survey_id   uuid     not null,
  segment_id  uuid,
  supplier_id uuid,
  rating      smallint not null check (rating between 1 and 5),
  primary key (account_id, id),
  unique (account_id, survey_id, segment_id) include (supplier_id, rating), -- covers the performance dashboard
  foreign key (account_id, survey_id) references surveys on delete cascade,
  foreign key (account_id, segment_id) references trip_segments on delete set null (segment_id),
  foreign key (account_id, supplier_id) references suppliers
);
create index survey_ratings_segment on survey_ratings (account_id, segment_id) where segment_id is not null;
create index survey_ratings_supplier on survey_ratings (account_id, supplier_id) where supplier_id is not null;
call wall('survey_ratings');

-- What an agency gave for free to make up for what a survey reported.
create table gestures (
  account_id     integer        not null,
  id             uuid           not null default uuidv7(),
  survey_id      uuid           not null,
  description    text           not null,
  amount         numeric(19, 4) check (amount >= 0), -- its value; null if unknown
  currency       text,
  recorded_by_id uuid,
  created_at     timestamptz    not null default now(),
  primary key (account_id, id),
  foreign key (account_id, survey_id) references surveys on delete cascade,
  foreign key (account_id, recorded_by_id) references seats,
  check ((amount is null) = (currency is null))
);
create index gestures_survey on gestures (account_id, survey_id);
create index gestures_recorded_by on gestures (account_id, recorded_by_id) where recorded_by_id is not null;
call wall('gestures');

-- # tasks

-- What a seat has to do, with or without a due time.
create table tasks (
  account_id       integer     not null,
  id               uuid        not null default uuidv7(),
  subject          text        not null,
  body             text,
  priority         text        not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  due_at           timestamptz,
  reminder_offsets integer[]   not null default '{}', -- minutes before due_at
  taskable_type    text        check (taskable_type in ('Trip', 'Lead', 'Customer', 'Booking', 'Communication')),
  taskable_id      uuid, -- in the table of its type, so without a foreign key; the record may be deleted
  owner_id         uuid,
  assigned_to_id   uuid,
  completed_at     timestamptz,
  completed_by_id  uuid,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  search           text        generated always as (fold((subject || E'\n') || coalesce(body, ''))) stored, -- what `q` searches
  version          integer     not null default 1, -- counts its changes, so that an editor who read an older one is refused
  primary key (account_id, id),
  foreign key (account_id) references accounts,
  foreign key (account_id, owner_id) references seats,
  foreign key (account_id, assigned_to_id) references seats,
  foreign key (account_id, completed_by_id) references seats,
  check ((taskable_type is null) = (taskable_id is null))
);
-- Every list begins with what is due first; tasks without a due time come last.
create index tasks_pending on tasks (account_id, coalesce(due_at, 'infinity'::timestamp with time zone), id) where completed_at is null;
create index tasks_completed on tasks (account_id, coalesce(due_at, 'infinity'::timestamp with time zone), id) where completed_at is not null;
create index tasks_assigned_pending on tasks (account_id, assigned_to_id, coalesce(due_at, 'infinity'::timestamp with time zone), id) where completed_at is null;
create index tasks_assigned_completed on tasks (account_id, assigned_to_id, coalesce(due_at, 'infinity'::timestamp with time zone), id) where completed_at is not null;
create index tasks_search on tasks using gin (account_id, search gin_trgm_ops);
create index tasks_owner on tasks (account_id, owner_id) where owner_id is not null;
create index tasks_completed_by on tasks (account_id, completed_by_id) where completed_by_id is not null;
create index tasks_of_record on tasks (account_id, taskable_id, created_at, id) where taskable_id is not null;
create trigger count_version before update on tasks for each row execute function count_version();
create trigger stream_deleted after delete on tasks referencing old table as changed for each statement execute function note_stream_rows('tasks');
create trigger stream_inserted after insert on tasks referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_stream_rows('tasks');
create trigger stream_updated after update on tasks referencing new table as changed for each statement execute function note_stream_rows('tasks');
call wall('tasks');

-- When the assignee of a task is reminded, a queue. A row that has fired stays, so that it does not fire again.
create table task_reminders (
  account_id      integer     not null,
  task_id         uuid        not null,
  minutes_before  integer     not null,
  fire_at         timestamptz not null,
  fired_at        timestamptz,
  next_attempt_at timestamptz not null, -- fire_at, or the end of a lease
  leased_by       uuid, -- new for each claim
  primary key (account_id, task_id, minutes_before),
  foreign key (account_id, task_id) references tasks on delete cascade
);
create index task_reminders_due on task_reminders (next_attempt_at) where fired_at is null; -- the queue of reminders asks for all accounts
call wall('task_reminders');

-- # notifications

-- What a seat is notified of inside the application.
create table notifications (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  seat_id       uuid        not null,
  kind          text        not null, -- import_finished …
  title         text        not null,
  body          text,
  subject_type  text,
  subject_id    uuid,
  subject_label text,
  priority      text        not null default 'normal' check (priority in ('normal', 'high')),
  actor_id      uuid,
  read_at       timestamptz,
  created_at    timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, seat_id) references seats,
  foreign key (account_id, actor_id) references seats
);
create index notifications_newest on notifications (account_id, seat_id, created_at, id);
create index notifications_unread on notifications (account_id, seat_id, created_at, id) where read_at is null;
create index notifications_actor on notifications (account_id, actor_id) where actor_id is not null;
create index notifications_subject on notifications (account_id, subject_id) where subject_id is not null;
create trigger stream_inserted after insert on notifications referencing new table as changed for each statement when (not comes_as_it_is()) execute function note_stream_notifications();
create trigger stream_updated after update on notifications referencing new table as changed for each statement execute function note_stream_notifications();
call wall('notifications');

-- # privacy

-- How far identity numbers from before they were sealed have been sealed.
create table sealing_progress (
  account_id integer     not null,
  source     text        not null, -- table whose clear values are sealed
  after      uuid, -- last row that was read
  done_at    timestamptz,
  primary key (account_id, source),
  foreign key (account_id) references accounts
);
call wall('sealing_progress');

-- After how many days, of its own clock, an account removes something; null keeps it. No row: everything is kept.
create table retention_rules (
  account_id           integer not null,
  messages_days        integer check (messages_days > 0),
  ticket_captures_days integer check (ticket_captures_days > 0),
  request_log_days     integer check (request_log_days > 0),
  leads_days           integer check (leads_days > 0),
  version              integer not null default 1, -- counts its changes, so that an editor who read an older one is refused
  swept_on             date, -- the last day, of the account's clock, on which everything due was removed
  primary key (account_id),
  foreign key (account_id) references accounts
);
call wall('retention_rules');

-- # uploads

-- Uploaded files. The row is written before the bytes and deleted after them, so no bytes are stored without a row.
create table files (
  account_id   integer     not null,
  id           uuid        not null default uuidv7(),
  filename     text        not null check (length(filename) between 1 and 255),
  content_type text        not null, -- detected from the bytes
  byte_size    integer     not null check (byte_size > 0),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz default now() + '24:00:00'::interval, -- null once a record uses the file
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create index files_expired on files (expires_at) where expires_at is not null; -- the sweep of expired files asks for all accounts
call wall('files');

-- # webhooks

-- Subscriptions of receivers.
create table webhooks (
  account_id    integer     not null,
  id            uuid        not null default uuidv7(),
  url           text        not null,
  events        text[]      not null, -- of record.created, record.updated, record.deleted; never empty
  entities      text[]      not null, -- empty: all that fire events, also those of later versions
  role          text        not null, -- role of the key that subscribed; fields that it may not see are not sent
  active        boolean     not null default true,
  signing_key   bytea       not null, -- sealed; the secret itself is not stored
  former_key    bytea, -- sealed; also signs until former_until
  former_until  timestamptz,
  failing_since timestamptz, -- first failure after the last success
  failed        integer     not null default 0, -- deliveries that failed for good since then
  leased_by     uuid, -- of the worker that delivers to it
  leased_until  timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  version       integer     not null default 1, -- counts changes of what people edit; its deliveries do not count
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create index webhooks_newest on webhooks (account_id, created_at desc, id desc) where deleted_at is null;
create trigger count_version before update of url, events, entities, role, active on webhooks for each row execute function count_version();
call wall('webhooks');

-- Events of a change that no subscription has been given yet, a queue: one row for some hundred events of one kind and
-- entity. After the commit a worker writes what is sent, and to whom. The next change of the account waits for that.
create table webhook_outbox (
  account_id      integer     not null,
  changed         bigint      not null, -- change number of the transaction
  entity          text        not null,
  event           text        not null check (event in ('record.created', 'record.updated', 'record.deleted')),
  part            integer     not null, -- number of the row among those of its change, entity and event
  event_ids       uuid[]      storage external not null,
  record_ids      uuid[]      storage external not null, -- each at the place of its event
  former_digests  text[], -- of record.updated: how each record looked before
  occurred_at     timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(), -- while a worker has it, the end of its lease
  primary key (account_id, changed, entity, event, part),
  foreign key (account_id) references accounts
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index webhook_outbox_due on webhook_outbox (next_attempt_at); -- the fan-out of webhook events claims any account
call wall('webhook_outbox');

-- What happened to a record, one event for each record and transaction; or a test event.
create table webhook_events (
  account_id  integer     not null,
  id          uuid        not null default uuidv7(), -- sent as evt_ and its 32 hexadecimal digits
  event       text        not null check (event in ('record.created', 'record.updated', 'record.deleted', 'ping')),
  entity      text,
  record_id   uuid,
  external_id text,
  occurred_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create index webhook_events_old on webhook_events (occurred_at); -- the purge of webhook events asks for all accounts
create trigger deliveries_deleted after delete on webhook_events referencing old table as gone for each statement execute function delete_deliveries();
call wall('webhook_events');

-- The body that subscriptions of a role get of an event: the same bytes in every attempt, stored once for all of them.
-- Not compressed, which would take longer than writing it.
create table webhook_payloads (
  account_id integer not null,
  event_id   uuid    not null,
  role       text    not null,
  payload    text    not null,
  primary key (account_id, event_id, role),
  foreign key (account_id, event_id) references webhook_events on delete cascade
) with (toast_tuple_target = 8160);
call wall('webhook_payloads');

-- Events on their way to subscriptions, a queue. Without foreign keys, whose checks took as long as the writes:
-- subscriptions are never deleted, and a trigger deletes deliveries with their event.
create table webhook_deliveries (
  account_id      integer     not null,
  id              uuid        not null default uuidv7(),
  webhook_id      uuid        not null,
  event_id        uuid        not null,
  role            text        not null, -- the subscription's
  status          text        not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempts        integer     not null default 0, -- counted before the request is sent
  next_attempt_at timestamptz not null default now(), -- during an attempt, the end of its lease
  finished_at     timestamptz,
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  check ((status = 'pending') = (finished_at is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_due on webhook_deliveries (account_id, webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (account_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_event on webhook_deliveries (account_id, event_id, role);
create trigger stream_updated after update on webhook_deliveries for each row when (old.status <> new.status and new.status <> 'pending') execute function note_stream_row('deliveries');
call wall('webhook_deliveries');

-- Attempts of a delivery and what the receiver answered.
create table webhook_attempts (
  account_id       integer     not null,
  delivery_id      uuid        not null,
  number           integer     not null,
  at               timestamptz not null,
  status_code      integer,
  error            text,
  duration_ms      integer     not null,
  response_excerpt text,
  primary key (account_id, delivery_id, number),
  foreign key (account_id, delivery_id) references webhook_deliveries on delete cascade
);
call wall('webhook_attempts');

-- Deletes deliveries with their event, also for the purge of a former version.
create function delete_deliveries() returns trigger language plpgsql as $$
begin
  delete from webhook_deliveries d using gone where d.account_id = gone.account_id and d.event_id = gone.id;
  return null;
end $$;

-- # request-log

-- Requests of API keys of the last 30 days. Without foreign keys, for speed: rows only come from admitted keys.
create table request_log (
  account_id  integer          not null,
  id          uuid             not null default uuidv7(),
  at          timestamptz      not null,
  key_id      uuid             not null,
  method      text             not null,
  route       text             not null, -- template of the path; 'none' where no route takes it
  path        text             not null, -- without the query
  status      integer, -- null if the client hung up before the response
  duration_ms double precision not null,
  address     text             not null,
  request_id  text             not null,
  batch_id    uuid,
  row_count   integer          not null, -- rows that were sent for import
  body        jsonb, -- of a write that failed, with masked values
  primary key (account_id, id)
);
create index request_log_age on request_log using brin (at); -- the purge asks for all accounts
call wall('request_log');

-- Requests per day, key and route. They are counted apart from the request log, which drops rows under overload.
create table request_usage (
  account_id integer not null,
  day        date    not null, -- UTC
  key_id     uuid    not null,
  method     text    not null,
  route      text    not null,
  requests   bigint  not null,
  failed     bigint  not null, -- status 400 or above, without those refused
  refused    bigint  not null, -- by the rate limit
  row_count  bigint  not null,
  primary key (account_id, day, key_id, method, route)
);
create index request_usage_age on request_usage using brin (day); -- the purge asks for all accounts
call wall('request_usage');

-- Requests of each API key by the hour, for two days, to show how many there were in the last 24 hours.
create table request_hours (
  account_id integer     not null,
  key_id     uuid        not null,
  hour       timestamptz not null,
  requests   bigint      not null,
  primary key (account_id, key_id, hour)
);
create index request_hours_age on request_hours using brin (hour); -- the purge asks for all accounts
call wall('request_hours');

-- # stream

-- The number of each account's last stream event, and the lease of the worker that numbers them.
create table stream_heads (
  account_id   integer     not null,
  last_seq     bigint      not null default 0,
  leased_by    uuid,
  leased_until timestamptz,
  primary key (account_id),
  foreign key (account_id) references accounts
);
call wall('stream_heads');

-- Changes that have no number yet: one row for the published records of a transaction, or for the records of a
-- statement. Without foreign keys, for speed.
create table stream_pending (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  kind       text, -- of the records; null for a change number, whose records are of several kinds
  ids        uuid[],
  seat_id    uuid, -- the only seat that is told; null for all
  changed    bigint, -- change number of published records
  noted_at   timestamptz not null default now(),
  primary key (account_id, id),
  check ((kind is null) = (changed is not null) and (kind is null) = (ids is null))
);
call wall('stream_pending');

-- Events of open consoles, for a day, so that a lost connection resumes.
create table stream_events (
  account_id integer     not null,
  seq        bigint      not null,
  kind       text        not null,
  record_id  uuid, -- null if many records of the kind changed at once
  version    integer, -- null where the record has none
  seat_id    uuid, -- the only seat that is told; null for all
  made_at    timestamptz not null default now(),
  primary key (account_id, seq)
);
create index stream_events_age on stream_events using brin (made_at); -- the purge asks for all accounts
call wall('stream_events');

-- Notes the rows that a statement wrote for open consoles. Its argument is the kind of the records.
create function note_stream_rows() returns trigger language plpgsql as $$
begin
  insert into stream_pending (account_id, kind, ids) select account_id, tg_argv[0], array_agg(id) from changed group by account_id;
  return null;
end $$;

-- The same for a row of which only some changes count.
create function note_stream_row() returns trigger language plpgsql as $$
begin
  insert into stream_pending (account_id, kind, ids) values (new.account_id, tg_argv[0], array[new.id]);
  return null;
end $$;

-- The same for notifications, which their seat alone is told of.
create function note_stream_notifications() returns trigger language plpgsql as $$
begin
  insert into stream_pending (account_id, kind, ids, seat_id)
  select account_id, 'notifications', array_agg(id), seat_id from changed group by account_id, seat_id;
  return null;
end $$;

-- Makes the triggers that note rows of a table for open consoles.
create procedure stream_rows(noted regclass, kind text) language plpgsql as $$
begin
  execute format('create trigger stream_inserted after insert on %s referencing new table as changed
    for each statement when (not comes_as_it_is()) execute function note_stream_rows(%L)', noted, kind);
  execute format('create trigger stream_updated after update on %s referencing new table as changed
    for each statement execute function note_stream_rows(%L)', noted, kind);
  execute format('create trigger stream_deleted after delete on %s referencing old table as changed
    for each statement execute function note_stream_rows(%L)', noted, kind);
end $$;

-- # reports

-- Reports that an agency keeps: a preset with its filters, or a definition of its own. Those with a schedule are a
-- queue.
create table saved_reports (
  account_id         integer     not null,
  id                 uuid        not null default uuidv7(),
  name               text        not null,
  preset_key         text,
  filters            jsonb, -- of a preset, by name
  definition         jsonb, -- {entity, columns, filters, group_by, sort}
  schedule_frequency text        check (schedule_frequency in ('daily', 'weekly', 'monthly')),
  schedule_hour      smallint    check (schedule_hour between 0 and 23), -- on the account's clock
  schedule_weekday   text        check (schedule_weekday in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  schedule_day       text, -- 1 to 28, or last
  file_format        text        not null check (file_format in ('csv', 'xlsx')),
  recipients         text[]      not null default '{}',
  saved_by_id        uuid        not null, -- a scheduled run sees what this seat sees
  saved_as           text, -- and no more than this role, the one of the seat's key
  due_at             timestamptz, -- when it runs next; null if it only runs on demand
  next_attempt_at    timestamptz, -- due_at, or the end of a lease
  leased_by          uuid, -- new for each claim
  attempts           integer     not null default 0, -- at the run that is due
  last_run_at        timestamptz,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  saved_by_key_id    uuid, -- null if it was saved from the command line
  needs              text[]      not null default '{view_reports}', -- policies that its saver had and that its content uses
  owned_at           timestamptz, -- the updated_at that saved_by_key_id and needs belong to
  schedule_paused    boolean     not null default false, -- the schedule waits until somebody with the needed policies resumes it
  paused_at          timestamptz,
  paused_reason      text,
  version            integer     not null default 1, -- counts changes of what people edit; its runs do not count
  primary key (account_id, id),
  foreign key (account_id) references accounts,
  foreign key (account_id, saved_by_id) references seats,
  foreign key (account_id, saved_by_key_id) references api_keys,
  check ((preset_key is null) <> (definition is null)),
  check (schedule_frequency is null or schedule_hour is not null and cardinality(recipients) > 0),
  check (schedule_frequency is distinct from 'weekly' or schedule_weekday is not null),
  check (schedule_frequency is distinct from 'monthly' or schedule_day is not null),
  check ((due_at is null) = (next_attempt_at is null)),
  check ((due_at is not null) = (schedule_frequency is not null and not schedule_paused))
);
create index saved_reports_newest on saved_reports (account_id, created_at, id);
-- the queue of scheduled reports asks for all accounts
create index saved_reports_due on saved_reports (next_attempt_at) where next_attempt_at is not null;
create index saved_reports_saved_by on saved_reports (account_id, saved_by_id);
create index saved_reports_saved_by_key on saved_reports (account_id, saved_by_key_id) where saved_by_key_id is not null;
create trigger count_version before update of name, preset_key, filters, definition, schedule_frequency, schedule_hour, schedule_weekday, schedule_day, schedule_paused, file_format, recipients on saved_reports for each row execute function count_version();
create trigger keep_schedule_owned before insert or update on saved_reports for each row when (not comes_as_it_is()) execute function keep_schedule_owned();
call wall('saved_reports');

-- Outcomes of scheduled runs, one row for each due time.
create table saved_report_runs (
  account_id      integer     not null,
  saved_report_id uuid        not null,
  due_at          timestamptz not null,
  status          text        not null check (status in ('sent', 'skipped', 'failed')),
  reason          text, -- why it was not sent
  finished_at     timestamptz not null default now(),
  primary key (account_id, saved_report_id, due_at),
  foreign key (account_id, saved_report_id) references saved_reports on delete cascade
);
call wall('saved_report_runs');

-- The only key of a role that can have saved a report at a time; null if several can.
create function only_key(account integer, as_role text, at timestamp with time zone) returns uuid language sql stable as $$
  select min(id::text)::uuid from api_keys
  where account_id = account and coalesce(role, 'owner') = as_role and 'full' = any(scopes) and created_at <= at
    and coalesce(revoked_at, 'infinity') >= at and coalesce(expires_at, 'infinity') >= at
  having count(*) = 1
$$;

-- Keeps a paused schedule paused and its report owned when a process of the former version, which knows neither, saves
-- it.
create function keep_schedule_owned() returns trigger language plpgsql as $$
begin
  if new.schedule_paused then
    new.due_at := null;
    new.next_attempt_at := null;
  end if;
  if new.owned_at is distinct from new.updated_at then
    new.saved_by_key_id := only_key(new.account_id, new.saved_as, new.updated_at);
    new.needs := '{view_reports}';
    new.owned_at := new.updated_at;
  end if;
  return new;
end $$;
