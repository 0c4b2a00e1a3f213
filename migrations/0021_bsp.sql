-- What airlines bill through IATA's BSP, as an agency has uploaded it.
create table bsp_billings (
  account_id integer not null references accounts,
  id         uuid not null default uuidv7(),
  company_id uuid not null,
  format     text not null check (format in ('hot', 'csv')),
  filename   text not null,
  sha256     bytea not null, -- the same file again changes nothing
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, sha256),
  foreign key (account_id, company_id) references companies
);
create index bsp_billings_company on bsp_billings (account_id, company_id);
call wall('bsp_billings');

-- The documents of a billing. Where several billings have the same transaction of a document on the same day, the newest
-- holds; within one billing they add up.
create table bsp_lines (
  account_id  integer not null,
  billing_id  uuid not null,
  line        integer not null, -- where it stands in the file
  number      text not null, -- 3-digit airline code and 10 digits
  code        text not null, -- IATA's transaction code: TKTT, RFND …
  transaction text not null check (transaction in ('sale', 'refund')),
  void        boolean not null,
  agent       text, -- the office's IATA number
  issued_on   date not null,
  period_on   date, -- the last day of the period that it is billed in
  currency    text not null,
  fare        numeric(19, 4),
  taxes       numeric(19, 4),
  total       numeric(19, 4) not null, -- below zero where the airline gives back, as all amounts here
  exchanged   numeric(19, 4) not null, -- what of the total was paid by documents that were given in
  commission  numeric(19, 4), -- what the agency keeps; null where the file tells none
  remittance  numeric(19, 4), -- what the agency pays
  primary key (account_id, billing_id, line),
  foreign key (account_id, billing_id) references bsp_billings on delete cascade
);
create index bsp_lines_number on bsp_lines (account_id, number);
create index bsp_lines_issued_on on bsp_lines (account_id, issued_on);
create index bsp_lines_period_on on bsp_lines (account_id, period_on) where period_on is not null;
call wall('bsp_lines');

-- The documents of a period are looked for by their issue, and refunds by their own days.
create index bookings_issued_apart on bookings (account_id, last_issued_on) where first_issued_on < last_issued_on;
create index tickets_refunds on tickets (account_id) where refunds is not null;
