-- Terms that an account has added to its open lists; the ones that every account has are the program's.
create table terms (
  account_id integer not null references accounts,
  taxonomy   text not null, -- lead_source, fare_type
  key        text not null,
  label      text not null,
  created_at timestamptz not null default now(),
  primary key (account_id, taxonomy, key)
);
call wall('terms');

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
  imported_customer_id uuid, -- whom the import names; the conversion decides who it becomes
  customer_id          uuid, -- set by the conversion
  converted_at         timestamptz,
  notes                text,
  version              integer not null default 1,
  changed              bigint not null,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),
  deleted_at           timestamptz,
  primary key (account_id, id),
  unique (account_id, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, imported_customer_id) references customers,
  foreign key (account_id, customer_id) references customers
);
create index leads_changed on leads (account_id, changed, id);
create index leads_company on leads (account_id, company_id);
create index leads_branch on leads (account_id, branch_id);
create index leads_customer on leads (account_id, customer_id) where customer_id is not null;
create index leads_imported_customer on leads (account_id, imported_customer_id) where imported_customer_id is not null;
create trigger stamp before insert or update on leads for each row execute function stamp();
call wall('leads');

create table tour_departures (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  company_id      uuid not null,
  branch_id       uuid,
  source_system   text,
  external_id     text,
  title           text not null,
  starts_on       date,
  ends_on         date,
  currency        text,
  max_capacity    integer,
  seats_held      integer not null default 0, -- by its bookings that hold seats
  inventory_state text not null default 'open',
  supplier_id     uuid,
  notes           text,
  version         integer not null default 1,
  changed         bigint not null,
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
create index tour_departures_company on tour_departures (account_id, company_id);
create index tour_departures_branch on tour_departures (account_id, branch_id);
create index tour_departures_supplier on tour_departures (account_id, supplier_id) where supplier_id is not null;
create trigger stamp before insert or update on tour_departures for each row execute function stamp();
call wall('tour_departures');
