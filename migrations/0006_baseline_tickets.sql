-- What comes from outside about tickets: files of the ticket printer, and billings of IATA's BSP.

-- ## The ticket printer

-- Files that the ticket printer sent, and what was made of each.
create table ticket_captures (
  account_id        integer not null references accounts,
  id                uuid not null default uuidv7(),
  status            text not null check (status in ('parsed', 'duplicate', 'failed')),
  provider          text not null,
  format            text not null,
  filename          text,
  encoding          text not null, -- character set that the bytes were decoded with
  agent             jsonb, -- version, host and os of the desktop agent that sent it
  sha256            bytea not null,
  content           bytea storage external, -- the bytes, sealed, which does not compress; null if an earlier capture has the same
  document          jsonb, -- the content as read, with card numbers masked; null if nothing could be read
  document_action   text,
  ticket_numbers    text[],
  duplicate_numbers text[],
  pnr               text,
  part_sequence     text, -- the same in all parts of a transaction
  part_number       smallint,
  part_count        smallint,
  warnings          jsonb not null default '[]',
  ticket_sale_id    uuid,
  error             text,
  captured_at       timestamptz not null, -- when the file was made, if it says so
  created_at        timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, ticket_sale_id) references bookings,
  check ((status = 'failed') = (error is not null))
);
create index ticket_captures_newest on ticket_captures (account_id, created_at desc, id desc);
create index ticket_captures_bytes on ticket_captures (account_id, sha256);
create index ticket_captures_parts on ticket_captures (account_id, part_sequence) where part_sequence is not null;
create index ticket_captures_sale on ticket_captures (account_id, ticket_sale_id);
call wall('ticket_captures');

-- Voids, refunds and exchanges that captures reported, with the state before each: a later file may cancel them.
create table ticket_document_events (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  capture_id      uuid not null,
  number          text not null,
  action          text not null check (action in ('void', 'refund', 'exchange', 'restore', 'refund_cancel')),
  booking_id      uuid, -- null while no sale has the document
  document_before text, -- status of the document before the event
  sale_before     text, -- status of the sale without its voids, refunds and exchanges
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, capture_id) references ticket_captures,
  foreign key (account_id, booking_id) references bookings
);
create index ticket_document_events_number on ticket_document_events (account_id, number, id desc);
create index ticket_document_events_booking on ticket_document_events (account_id, booking_id, id desc);
create index ticket_document_events_capture on ticket_document_events (account_id, capture_id);
create index ticket_document_events_taken_back on ticket_document_events (account_id, created_at)
  where action in ('void', 'refund') and booking_id is not null;
call wall('ticket_document_events');

-- ## BSP

-- Files in which airlines bill through IATA's BSP, as an agency uploaded them.
create table bsp_billings (
  account_id integer not null references accounts,
  id         uuid not null default uuidv7(),
  company_id uuid not null,
  format     text not null check (format in ('hot', 'csv')),
  filename   text not null,
  sha256     bytea not null, -- uploading the same file again changes nothing
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, sha256),
  foreign key (account_id, company_id) references companies
);
create index bsp_billings_company on bsp_billings (account_id, company_id);
call wall('bsp_billings');

-- The documents of a billing. If several billings have the same transaction of a document on the same day, the newest one
-- counts; within one billing they add up.
create table bsp_lines (
  account_id  integer not null,
  billing_id  uuid not null,
  line        integer not null, -- its place in the file
  number      text not null, -- 3-digit airline code and 10 digits
  code        text not null, -- IATA's transaction code: TKTT, RFND …
  transaction text not null check (transaction in ('sale', 'refund')),
  void        boolean not null,
  agent       text, -- IATA number of the office
  issued_on   date not null,
  period_on   date, -- last day of the billing period
  currency    text not null,
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
