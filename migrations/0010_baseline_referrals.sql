-- Referral codes, whose pages bring leads.

-- Codes that customers hand on. They are public, so they are stored in the clear.
create table referral_codes (
  account_id     integer not null references accounts,
  id             uuid not null default uuidv7(),
  token          text not null unique,
  label          text,
  company_id     uuid not null, -- the company that gets the leads
  customer_id    uuid, -- who hands it on
  trip_id        uuid, -- the trip that its page describes
  assigned_to_id uuid, -- who gets the leads; null: the account's owner
  active         boolean not null default true,
  visits         integer not null default 0,
  created_at     timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, trip_id) references trips on delete set null (trip_id),
  foreign key (account_id, assigned_to_id) references seats
);
comment on index referral_codes_token_key is 'finds the account';
create index referral_codes_company on referral_codes (account_id, company_id);
create index referral_codes_customer on referral_codes (account_id, customer_id) where customer_id is not null;
create index referral_codes_trip on referral_codes (account_id, trip_id) where trip_id is not null;
create index referral_codes_assigned on referral_codes (account_id, assigned_to_id) where assigned_to_id is not null;
call wall('referral_codes');

-- Visitors of a code's page on a day, so that each is counted once. Purged after that day.
create table referral_visits (
  account_id       integer not null,
  referral_code_id uuid not null,
  day              date not null, -- on the account's clock
  visitor          bytea not null, -- keyed hash of the address and the browser; only the cell has the key
  enquiries        smallint not null default 0,
  primary key (account_id, referral_code_id, day, visitor),
  foreign key (account_id, referral_code_id) references referral_codes on delete cascade
);
create index referral_visits_day on referral_visits (day);
comment on index referral_visits_day is 'those of days gone by are purged for all accounts';
call wall('referral_visits');
