-- Files of the ticket printer, and what became of them.
create table ticket_captures (
  account_id        integer not null references accounts,
  id                uuid not null default uuidv7(),
  status            text not null check (status in ('parsed', 'duplicate', 'failed')),
  provider          text not null,
  format            text not null,
  filename          text,
  encoding          text not null,  -- the character set by which the bytes were read
  agent             jsonb,          -- of the desktop agent that sent it: version, host, os
  sha256            bytea not null,
  content           bytea,          -- the bytes, sealed; null where an earlier capture holds the same
  document          jsonb,          -- what the file says, card numbers masked; null where nothing could be read
  document_action   text,
  ticket_numbers    text[],
  duplicate_numbers text[],
  pnr               text,
  part_sequence     text,           -- the same in all parts of a transaction
  part_number       smallint,
  part_count        smallint,
  warnings          jsonb not null default '[]',
  ticket_sale_id    uuid,
  error             text,
  captured_at       timestamptz not null, -- when the file was made, as far as it says
  created_at        timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, ticket_sale_id) references bookings,
  check ((status = 'failed') = (error is not null))
);
alter table ticket_captures alter column content set storage external; -- what is sealed cannot be compressed
create index ticket_captures_newest on ticket_captures (account_id, created_at desc, id desc);
create index ticket_captures_bytes on ticket_captures (account_id, sha256);
create index ticket_captures_parts on ticket_captures (account_id, part_sequence) where part_sequence is not null;
create index ticket_captures_sale on ticket_captures (account_id, ticket_sale_id);
call wall('ticket_captures');

-- What the printer told of documents after their issue, and how they were before: it may take it back.
create table ticket_document_events (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  capture_id      uuid not null,
  number          text not null,
  action          text not null check (action in ('void', 'refund', 'exchange', 'restore', 'refund_cancel')),
  booking_id      uuid, -- null while no sale has the document
  document_before text, -- its status before the event
  sale_before     text, -- what the sale is but for its voids, refunds and exchanges
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, capture_id) references ticket_captures,
  foreign key (account_id, booking_id) references bookings
);
create index ticket_document_events_number on ticket_document_events (account_id, number, id desc);
create index ticket_document_events_booking on ticket_document_events (account_id, booking_id, id desc);
create index ticket_document_events_capture on ticket_document_events (account_id, capture_id);
call wall('ticket_document_events');

-- What the documents of a sale came to after their issue.
alter table tickets
  add refunds jsonb,
  add exchanges jsonb;

-- A file names its customer by the agency's code, and its airline by IATA's.
create index customers_code on customers (account_id, code) where code is not null;
create index suppliers_iata on suppliers (account_id, iata_code) where iata_code is not null;
