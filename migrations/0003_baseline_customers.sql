-- Customers with their notes and travellers, and suppliers.

-- Tags that hide who a customer is from roles that may not know it.
create table restricted_tags (
  account_id integer not null references accounts,
  name       text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name)
);
call wall('restricted_tags');

-- People and firms that buy travel.
create table customers (
  account_id         integer not null,
  id                 uuid not null default uuidv7(),
  company_id         uuid not null,
  branch_id          uuid,
  source_system      text,
  external_id        text,
  name               text,
  customer_type      text not null default 'individual' check (customer_type in ('individual', 'corporate')),
  email              text,
  email_key          text generated always as (lower(email)) stored,
  phone              text, -- E.164
  legal_name         text,
  tax_number         text,
  tax_office         text,
  address            jsonb, -- free-form; imports write line, district, city, state and zip
  preferred_currency text,
  code               text, -- the agency's own; ticket files name the customer by it
  active             boolean not null default true,
  version            integer not null default 1,
  changed            bigint not null, -- see change_number()
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  first_name         text,
  last_name          text,
  tax_office_code    text,
  birthday           date,
  anniversary        date,
  preferred_channel  text check (preferred_channel in ('email', 'phone', 'sms', 'whatsapp')),
  opted_in_marketing boolean not null default false,
  opted_in_at        timestamptz,
  lifecycle_stage    text check (lifecycle_stage in ('prospect', 'active', 'repeat', 'dormant', 'lost')),
  vip_tier           text check (vip_tier in ('silver', 'gold', 'platinum', 'diamond')),
  locale             text,
  tags               text[] not null default '{}',
  merged_into_id     uuid, -- the customer that this one was merged into
  -- What `q` searches. No name contains the separator, so no match spans two of the parts.
  search             text generated always as (fold(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))) stored,
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
create trigger stamp before insert or update on customers for each row when (not comes_as_it_is()) execute function stamp();
call wall('customers');

-- The customers of the account that match a pattern. PostgreSQL uses no index for `like` behind row-level security, since
-- `like` may leak what it compares. So this function looks up ids as the system, under the wall's own condition, and its
-- caller reads the customers themselves behind the wall.
grant create on schema public to backdesk_system;
create function customers_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from customers
    where account_id = nullif(current_setting('app.account', true), '')::integer and deleted_at is null and search like pattern $$;
alter function customers_like owner to backdesk_system;
revoke create on schema public from backdesk_system;
revoke all on function customers_like from public;
grant execute on function customers_like to backdesk_app;

-- Notes about a customer.
create table customer_notes (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  customer_id uuid not null,
  source      text not null check (source in ('api', 'import', 'app')),
  body        text not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  pinned      boolean not null default false,
  author_id   uuid,
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, author_id) references seats
);
create index customer_notes_customer on customer_notes (account_id, customer_id);
create unique index customer_notes_imported on customer_notes (account_id, customer_id) where source = 'import';
create index customer_notes_author on customer_notes (account_id, author_id) where author_id is not null;
call wall('customer_notes');

-- Files attached to customer notes.
create table note_attachments (
  account_id integer not null,
  file_id    uuid not null,
  note_id    uuid not null,
  primary key (account_id, file_id), -- a file is attached once
  foreign key (account_id, file_id) references files,
  foreign key (account_id, note_id) references customer_notes
);
create index note_attachments_note on note_attachments (account_id, note_id);
call wall('note_attachments');

-- Traveller directory: the people that a customer travels with, the customer included.
create table travelers (
  account_id            integer not null,
  id                    uuid not null default uuidv7(),
  customer_id           uuid not null,
  first_name            text,
  last_name             text,
  name_key              text not null generated always as (lower(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) stored,
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
call wall('travelers');

-- Firms that an agency buys travel from: airlines, hotels, operators and others.
create table suppliers (
  account_id    integer not null references accounts,
  id            uuid not null default uuidv7(),
  source_system text,
  external_id   text,
  name          text not null,
  supplier_type text not null default 'other',
  code          text,
  iata_code     text, -- ticket files name the airline by it
  email         text,
  phone         text, -- E.164
  country_code  text,
  tax_number    text,
  tax_office    text,
  address       jsonb,
  website       text,
  active        boolean not null default true,
  version       integer not null default 1,
  changed       bigint not null, -- see change_number()
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id)
);
create index suppliers_changed on suppliers (account_id, changed, id);
create index suppliers_code on suppliers (account_id, code);
create index suppliers_iata on suppliers (account_id, iata_code) where iata_code is not null;
create trigger stamp before insert or update on suppliers for each row when (not comes_as_it_is()) execute function stamp();
call wall('suppliers');
