create extension if not exists unaccent;

-- Case- and accent-insensitive text to search by; the Turkish dotted and dotless i are one letter here.
create function fold(text) returns text language sql immutable parallel safe
  return lower(translate(unaccent('unaccent', $1), 'İIı', 'iii'));

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
  address            jsonb, -- free-form; the import writes line, district, city, state, zip
  preferred_currency text,
  code               text,
  active             boolean not null default true,
  version            integer not null default 1,
  changed            bigint not null, -- see change_number()
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches
);
create index customers_changed on customers (account_id, changed, id);
create index customers_email on customers (account_id, email_key);
create index customers_company on customers (account_id, company_id);
create index customers_branch on customers (account_id, branch_id);
create trigger stamp before insert or update on customers for each row execute function stamp();
call wall('customers');

create table customer_notes (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  customer_id uuid not null,
  source      text not null check (source in ('api', 'import', 'app')),
  body        text not null,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, customer_id) references customers
);
create index customer_notes_customer on customer_notes (account_id, customer_id);
create unique index customer_notes_imported on customer_notes (account_id, customer_id) where source = 'import';
call wall('customer_notes');

-- The people a customer travels with, or is.
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
create index travelers_national_id on travelers (account_id, customer_id, national_id) where national_id is not null;
call wall('travelers');

create table suppliers (
  account_id    integer not null references accounts,
  id            uuid not null default uuidv7(),
  source_system text,
  external_id   text,
  name          text not null,
  supplier_type text not null default 'other',
  code          text,
  iata_code     text,
  email         text,
  phone         text, -- E.164
  country_code  text,
  tax_number    text,
  tax_office    text,
  address       jsonb,
  website       text,
  active        boolean not null default true,
  version       integer not null default 1,
  changed       bigint not null,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id)
);
create index suppliers_changed on suppliers (account_id, changed, id);
create index suppliers_code on suppliers (account_id, code);
create trigger stamp before insert or update on suppliers for each row execute function stamp();
call wall('suppliers');
